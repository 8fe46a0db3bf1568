import { setTimeout as wait } from 'node:timers/promises'
import type PgBoss from 'pg-boss'
import type { Log } from '../log/log.ts'

export type WorkerOptions = {
  /** How often it looks for work, in seconds of the application's clock. Default 0.5. */
  pollIntervalS: number
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
  name: string
  options: WorkerOptions
  speed: number
  run(data: unknown, signal: AbortSignal): Promise<void>
  log: Log
}

const shortestPollMs = 100
const drainMs = 3_000

/** Looks for jobs of one name and does them until it is stopped. */
export function startWorker(parts: WorkerParts): Worker {
  const { boss, name, options, log } = parts
  const pollMs = Math.max(shortestPollMs, (options.pollIntervalS * 1000) / parts.speed)
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
      await boss.fail(name, job.id, { message: String(error) })
      return
    }
    await boss.complete(name, job.id)
  }

  const take = async () => {
    const room = options.concurrency - underWay.size
    if (room <= 0) return
    const jobs = await boss.fetch<object>(name, { batchSize: room, includeMetadata: true })
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
      await wait(pollMs, undefined, { signal: alarm.signal, ref: false }).catch(() => {})
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
      for (const id of underWay.keys()) await boss.fail(name, id, { message: 'the server stopped' })
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
