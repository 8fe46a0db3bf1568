import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type PgBoss from 'pg-boss'
import type { Database } from '../database/database.ts'
import { lostConnection } from '../database/postgres-errors.ts'
import { errorSummary, type Log } from '../log/log.ts'
import { storedOrigin, withOrigin } from '../log/origin.ts'
import { metrics } from '../metrics/metrics.ts'
import { traced } from '../tracing/tracing.ts'
import { noteServer } from './job-table.ts'

export type WorkerOptions = {
  /** Maximum number of concurrent jobs. Default 10. */
  concurrency: number
  /** Retries of a failing job, with increasing delays. Default 12 (about two hours). */
  retryLimit: number
  /** Timeout of a job in seconds. Default 30. */
  timeoutS: number
  everyS?: number | undefined
}

export type Worker = { wake(): void; stop(): Promise<void> }

type WorkerParts = {
  boss: PgBoss
  database: Pick<Database, 'withTransaction' | 'sharedBy'>
  name: string
  options: WorkerOptions
  run(data: unknown, signal: AbortSignal): Promise<void>
  log: Log
}

/** A job throws it to be retried when nothing is wrong, for instance because another one does the same at the moment. */
export class TryLater extends Error {}

const drainMs = 3_000
const firstPauseMs = 200
const longestPauseMs = 2_000

/** Runs the jobs with one name whenever it is woken, until it is stopped. */
export function startWorker(parts: WorkerParts): Worker {
  const { boss, database, name, options, log } = parts
  const running = new Map<string, Promise<void>>()
  const stopping = new AbortController()
  let alarm = new AbortController()
  const wake = () => alarm.abort()

  const doJob = async (job: PgBoss.JobWithMetadata) => {
    const ended = metrics.jobSeconds.startTimer({ job: name })
    try {
      await withLimit((signal) => parts.run(job.data, signal), options.timeoutS)
      ended({ result: 'done' })
    } catch (error) {
      const last = job.retryCount >= job.retryLimit
      const isPutOff = error instanceof TryLater && !last
      ended({ result: isPutOff ? 'put off' : 'failed' })
      const about = { job: name, id: job.id, willRetry: !last }
      if (isPutOff) log.debug({ ...about, reason: errorSummary(error) }, 'job put off')
      else log[last ? 'error' : 'warn']({ err: error, ...about }, 'job failed')
      await record(() => boss.fail(name, job.id, { message: errorSummary(error) }))
      return
    }
    await record(() => boss.complete(name, job.id))
  }

  /** Retries while the database is unavailable: otherwise the job would stay active until it expires. */
  const record = async (write: () => Promise<unknown>) => {
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
    const room = options.concurrency - running.size
    if (room <= 0) return
    // In a transaction, so that a superseded server cannot take a job.
    const jobs = await database.withTransaction(async ({ client }) => {
      const db = { executeSql: (text: string, values: unknown[]) => client.query(text, values) }
      const taken = await boss.fetch<object>(name, { batchSize: room, includeMetadata: true, db })
      // If this server dies, the others know which jobs were its own.
      if (database.sharedBy !== null && taken.length > 0)
        await noteServer(
          client,
          taken.map(({ id }) => id),
          database.sharedBy,
        )
      return taken
    })
    for (const job of jobs) {
      const done = withOrigin(storedOrigin(job.data), () =>
        traced('CONSUMER', `job ${name}`, {}, () => doJob(job)),
      )
        // The job stays active, expires, and runs again.
        .catch((error: unknown) => log.warn({ err: error, job: name }, 'failed to record the end of a job'))
        .finally(() => {
          running.delete(job.id)
          wake()
        })
      running.set(job.id, done)
    }
  }

  const loop = async () => {
    while (!stopping.signal.aborted) {
      alarm = new AbortController()
      await take().catch((error: unknown) => log.warn({ err: error, job: name }, 'failed to fetch jobs'))
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
      const drained = Promise.all(running.values())
      await Promise.race([drained, wait(drainMs, undefined, { ref: false })])
      // If the database is unavailable they expire and run again.
      const handBack = [...running.keys()].map((id) => boss.fail(name, id, { message: 'server stopped' }))
      await Promise.allSettled(handBack)
    },
  }
}

async function withLimit(run: (signal: AbortSignal) => Promise<void>, limitS: number): Promise<void> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(new Error(`timed out after ${limitS} s`)), limitS * 1000)
  const timedOut = new Promise<never>((_, reject) => {
    limit.signal.addEventListener('abort', () => reject(limit.signal.reason))
  })
  try {
    await Promise.race([run(limit.signal), timedOut])
  } finally {
    clearTimeout(timer)
  }
}
