import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import PgBoss from 'pg-boss'
import type { z } from 'zod'
import type { Clock } from '../clock/clock.ts'
import type { Database } from '../database/database.ts'
import type { Transaction } from '../database/transaction.ts'
import type { Log } from '../log/log.ts'
import { currentOrigin, type Origin, storeOrigin, withOrigin } from '../log/origin.ts'
import {
  countJobs,
  dueNames,
  type FailedJobs,
  failedByName,
  failedUntil,
  type JobCounts,
  openData,
  requeueActive,
} from './job-table.ts'
import { startWorker, type Worker, type WorkerOptions } from './worker.ts'

export type JobHandler<T> = (data: T, signal: AbortSignal) => Promise<void>

export type JobDefinition<T> = Partial<Omit<WorkerOptions, 'everyS'>> & {
  schema: z.ZodType<T>
  /** Repeats with `data` at this interval, in seconds of the application's clock. */
  repeat?: { everyS: number; data: T }
}

export type SendOptions = {
  /** Seconds of the application's clock from now. */
  startAfterS?: number | undefined
  /** Epoch milliseconds of the application's clock. */
  startAt?: number | undefined
  /** While a job with this name and key is waiting, no other one is added. */
  singletonKey?: string
  /** The job exists if and only if this transaction commits. */
  tx?: Transaction
}

/** One of several jobs added together; without an origin, it gets that of the work that adds it. */
export type NewJob = { name: string; data: object; origin?: Origin | undefined } & Pick<
  SendOptions,
  'startAt'
>

/** Durable jobs, run at least once: a handler may get the same job twice and must be idempotent. */
export type Jobs = {
  /** Defines how jobs with a name run; call before `start`. */
  define<T extends object>(name: string, definition: JobDefinition<T>, handler: JobHandler<T>): void
  /** Adds a job with a defined name. Returns its id, or null when one with the same singletonKey is waiting. */
  send(name: string, data: object, options?: SendOptions): Promise<string | null>
  /** Adds jobs in one statement. */
  sendMany(added: readonly NewJob[], tx?: Transaction): Promise<void>
  /** Returns the data of the waiting and running jobs with a name. */
  openData(name: string): Promise<Record<string, unknown>[]>
  /** Counts the jobs of every defined name. */
  counts(client: ClientBase): Promise<JobCounts[]>
  /** Returns the permanently failed jobs by name. */
  failed(): Promise<FailedJobs[]>
  /** Retries jobs that failed permanently up to `until`, epoch ms; returns their number. */
  retryFailed(name: string, until: number, tx: Transaction): Promise<number>
  /** Deletes permanently failed jobs up to `until`, epoch ms; returns their number. */
  discardFailed(name: string, until: number, tx: Transaction): Promise<number>
  start(): Promise<void>
  /** Waits at most 3 s for running jobs; the others run again after the next start. */
  stop(): Promise<void>
}

type Defined = {
  options: WorkerOptions
  schema: z.ZodType
  repeat?: object | undefined
  run: JobHandler<unknown>
}

const repeatKey = 'repeat'
const pollMsAtSpeed1 = 500
const shortestPollMs = 100
const longestPauseMs = 2_000

export function createJobs(database: Database, clock: Clock, log: Log): Jobs {
  const boss = createBoss(database, true)
  boss.on('error', (error) => log.error({ err: error }, 'job queue error'))
  const defined = new Map<string, Defined>()
  const workers = new Map<string, Worker>()
  const stopping = new AbortController()
  let polling: Promise<void> | undefined

  const rowOf = (name: string, data: object, options: SendOptions) => {
    const job = defined.get(name)
    if (job === undefined) throw new Error(`no job is defined with the name ${name}`)
    const afterS =
      options.startAt === undefined ? options.startAfterS : (options.startAt - clock.now()) / 1000
    const id = randomUUID()
    const pauseS = Math.max(0, afterS ?? 0) / clock.speed
    // Rounded to milliseconds: the queue parses it as an interval, which accepts no exponents.
    const startAfter = Math.round(pauseS * 1000) / 1000
    const singletonKey = options.singletonKey ?? id
    return { id, name, data: storeOrigin(job.schema.parse(data) as object), startAfter, singletonKey }
  }

  const wakeDue = (rows: readonly { name: string; startAfter: number }[], tx?: Transaction) => {
    const due = new Set(rows.filter(({ startAfter }) => startAfter === 0).map(({ name }) => name))
    const wake = () => due.forEach((name) => workers.get(name)?.wake())
    if (tx === undefined) wake()
    else tx.afterCommit(wake)
  }

  const send = async (name: string, given: object, options: SendOptions = {}) => {
    const { data, ...row } = rowOf(name, given, options)
    const sent = await boss.send(name, data, { ...row, ...(options.tx && { db: inTransaction(options.tx) }) })
    wakeDue([row], options.tx)
    return sent
  }

  const sendMany = async (added: readonly NewJob[], tx?: Transaction) => {
    if (added.length === 0) return
    const rows = added.map(({ name, data, startAt, origin = currentOrigin() }) =>
      withOrigin(origin, () => rowOf(name, data, { startAt })),
    )
    const inserted = rows.map((row) => ({ ...row, startAfter: String(row.startAfter) }))
    await boss.insert(inserted, tx === undefined ? {} : { db: inTransaction(tx) })
    wakeDue(rows, tx)
  }

  /**
   * Creates the missing queues and brings the others up to date; servers that start together do it one after the other, because
   * two that attach partitions to the table of jobs would wait for each other. Runs again after a deadlock with a server that
   * takes jobs.
   */
  const createQueues = () =>
    database.withTransaction(async ({ client }) => {
      // A first start on a slow machine takes a while, during which this transaction does nothing but hold the lock.
      await client.query(
        `set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = '60s'`,
      )
      await client.query(`select pg_advisory_xact_lock(hashtextextended('job queues', 0))`)
      const existing = new Set((await boss.getQueues()).map(({ name }) => name))
      for (const [name, { options }] of defined) {
        // "short": one waiting job per key; a job without a key uses its id.
        const queue = {
          name,
          policy: 'short',
          retryLimit: options.retryLimit,
          retryDelay: 1,
          retryBackoff: true,
          expireInSeconds: options.timeoutS + 5,
        } as const
        if (!existing.has(name)) await boss.createQueue(name, queue)
        await boss.updateQueue(name, queue)
      }
    })

  const startOne = async (name: string, job: Defined) => {
    const scheduleNext = async () => {
      const { repeat, options } = job
      if (repeat !== undefined)
        await send(name, repeat, { startAfterS: options.everyS, singletonKey: repeatKey })
    }
    const run = async (data: unknown, signal: AbortSignal) => {
      await scheduleNext()
      await job.run(data, signal)
    }
    workers.set(name, startWorker({ boss, database, name, options: job.options, run, log }))
    if (job.repeat !== undefined) await send(name, job.repeat, { singletonKey: repeatKey })
  }

  /** Polls for due jobs of all names with one query, so an unavailable database is reported once. */
  const poll = async () => {
    const pollMs = Math.max(shortestPollMs, pollMsAtSpeed1 / clock.speed)
    let pauseMs = pollMs
    while (!stopping.signal.aborted) {
      try {
        for (const name of await dueNames(database.pool, [...workers.keys()])) workers.get(name)?.wake()
        pauseMs = pollMs
      } catch (error) {
        log.warn({ err: error }, 'failed to poll for jobs')
        pauseMs = Math.min(longestPauseMs, pauseMs * 2)
      }
      await wait(pauseMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
    }
  }

  return {
    define: (name, definition, handler) => {
      if (defined.has(name)) throw new Error(`job ${name} is defined twice`)
      const { schema, repeat, concurrency = 10, retryLimit = 12, timeoutS = 30 } = definition
      const options = { concurrency, retryLimit, timeoutS, everyS: repeat?.everyS }
      const run: JobHandler<unknown> = (data, signal) => handler(schema.parse(withoutOrigin(data)), signal)
      defined.set(name, { options, schema, repeat: repeat?.data, run })
    },
    send,
    sendMany,
    openData: (name) => openData(database.pool, name),
    counts: (client) => countJobs(client, [...defined.keys()]),
    failed: () => failedByName(database.pool),
    retryFailed: async (name, until, tx) => {
      const ids = await failedUntil(tx.client, name, until)
      if (ids.length > 0) await boss.retry(name, ids, { db: inTransaction(tx) })
      tx.afterCommit(() => workers.get(name)?.wake())
      return ids.length
    },
    discardFailed: async (name, until, tx) => {
      const ids = await failedUntil(tx.client, name, until)
      if (ids.length > 0) await boss.deleteJob(name, ids, { db: inTransaction(tx) })
      return ids.length
    },
    start: async () => {
      await boss.start()
      // Requeues jobs left active by a killed server; safe because we hold the database exclusively.
      if (database.exclusive) await requeueActive(database.pool)
      // All queues before the first job runs: it may add jobs of any name, and a queue is a partition of one table,
      // which a connection that inserts at the moment it is attached may not see.
      await createQueues()
      for (const [name, job] of defined) await startOne(name, job)
      polling = poll()
    },
    stop: async () => {
      stopping.abort()
      await polling
      await Promise.all([...workers.values()].map((worker) => worker.stop()))
      workers.clear()
      await boss.stop({ graceful: false })
    },
  }
}

/** The schema of a job does not know its origin. */
function withoutOrigin(data: unknown): unknown {
  const { origin: _, ...rest } = data as { origin?: unknown }
  return rest
}

const inTransaction = ({ client }: Transaction) => ({
  executeSql: (text: string, values: unknown[]) => client.query(text, values),
})

/** Creates the job queue on our own pool; `supervise` lets it expire, archive and delete jobs in the background. */
function createBoss(database: Database, supervise: boolean): PgBoss {
  return new PgBoss({
    db: { executeSql: (text, values) => database.pool.query(text, values) },
    supervise,
    // We repeat jobs ourselves, by the application's clock, so pg-boss scheduling is off.
    schedule: false,
    maintenanceIntervalSeconds: 15,
    archiveCompletedAfterSeconds: 3600,
    // Permanently failed jobs stay until an admin handles them.
    archiveFailedAfterSeconds: 90 * 86_400,
    deleteAfterDays: 3,
  })
}

/** Creates the tables of the job queue if they are missing. */
export async function installJobs(database: Database): Promise<void> {
  const boss = createBoss(database, false)
  await boss.start()
  await boss.stop({ graceful: false })
}
