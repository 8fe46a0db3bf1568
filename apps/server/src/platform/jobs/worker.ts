import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type PgBoss from 'pg-boss'
import type { Database } from '../database/database.ts'
import { lostConnection } from '../database/postgres-errors.ts'
import { errorSummary } from '../log/describe-error.ts'
import type { Log } from '../log/log.ts'

export type WorkerOptions = {
  /** How many jobs it does at once. Default 10. */
  concurrency: number
  /** How often a failing job is tried again, at growing distances. Default 12 (about two hours). */
  retryLimit: number
  /** After this many seconds a job counts as failed. Default 30. */
  timeoutS: number
  everyS?: number
}

export type Worker = { wake(): void; stop(): Promise<void> }

type WorkerParts = {
  boss: PgBoss
  database: Pick<Database, 'withTransaction'>
  name: string
  options: WorkerOptions
  run(data: unknown, signal: AbortSignal): Promise<void>
  log: Log
}

const drainMs = 3_000
const firstPauseMs = 200
const longestPauseMs = 2_000

/** Does the jobs of one name whenever it is woken, until it is stopped. */
export function startWorker(parts: WorkerParts): Worker {
  const { boss, database, name, options, log } = parts
  const underWay = new Map<string, Promise<void>>()
  const stopping = new AbortController()
  let alarm = new AbortController()
  const wake = () => alarm.abort()

  const doJob = async (job: PgBoss.JobWithMetadata) => {
    try {
      await withLimit((signal) => parts.run(job.data, signal), options.timeoutS)
    } catch (error) {
      const last = job.retryCount >= job.retryLimit
      log[last ? 'error' : 'warn']({ err: error, job: name, id: job.id, again: !last }, 'a job failed')
      await note(() => boss.fail(name, job.id, { message: errorSummary(error) }))
      return
    }
    await note(() => boss.complete(name, job.id))
  }

  /** Tries again while the database is away: the job would stay begun until it expires. */
  const note = async (write: () => Promise<unknown>) => {
    for (let pause = firstPauseMs; ; pause = Math.min(longestPauseMs, pause * 2)) {
      try {
        await write()
        return
      } catch (error) {
        if (lostConnection(error) === undefined || stopping.signal.aborted) throw error
        await wait(pause, undefined, { ref: false })
      }
    }
  }

  const take = async () => {
    const room = options.concurrency - underWay.size
    if (room <= 0) return
    // In a transaction: a server that another one has replaced can take no job.
    const jobs = await database.withTransaction(({ client }) => {
      const db = { executeSql: (text: string, values: unknown[]) => client.query(text, values) }
      return boss.fetch<object>(name, { batchSize: room, includeMetadata: true, db })
    })
    for (const job of jobs) {
      const done = doJob(job)
        // Then the job stays begun, expires, and is done again.
        .catch((error: unknown) => log.warn({ err: error, job: name }, 'the end of a job could not be noted'))
        .finally(() => {
          underWay.delete(job.id)
          wake()
        })
      underWay.set(job.id, done)
    }
  }

  const loop = async () => {
    while (!stopping.signal.aborted) {
      alarm = new AbortController()
      await take().catch((error: unknown) => log.warn({ err: error, job: name }, 'jobs could not be fetched'))
      if (!alarm.signal.aborted) await once(alarm.signal, 'abort')
    }
  }
  const looping = loop()

  return {
    wake,
    stop: async () => {
      stopping.abort()
      wake()
      await looping
      const drained = Promise.all(underWay.values())
      await Promise.race([drained, wait(drainMs, undefined, { ref: false })])
      // Without the database they expire, and are done again.
      const handBack = [...underWay.keys()].map((id) =>
        boss.fail(name, id, { message: 'the server stopped' }),
      )
      await Promise.allSettled(handBack)
    },
  }
}

async function withLimit(run: (signal: AbortSignal) => Promise<void>, limitS: number): Promise<void> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(new Error(`it took longer than ${limitS} s`)), limitS * 1000)
  const tooLong = new Promise<never>((_, reject) => {
    limit.signal.addEventListener('abort', () => reject(limit.signal.reason))
  })
  try {
    await Promise.race([run(limit.signal), tooLong])
  } finally {
    clearTimeout(timer)
  }
}
