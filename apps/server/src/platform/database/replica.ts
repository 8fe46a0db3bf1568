import { setTimeout as wait } from 'node:timers/promises'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { ClientConfig, Pool } from 'pg'
import type { Log } from '../log/log.ts'
import { type Database, DatabaseClient, DatabasePool } from './database.ts'
import { isRetryable, lostConnection, postgresError } from './postgres-errors.ts'

/** What a report is read from. */
export type ReportSource = Pick<Database, 'pool' | 'db'>

/** Runs a read that may run twice. */
export type ReadReport = <T>(work: (source: ReportSource) => Promise<T>) => Promise<T>

/** Reads reports from the replica, if there is one, otherwise from the database. */
export function reportsFrom(deps: { database: ReportSource; replica?: Replica | undefined }): ReadReport {
  return deps.replica?.read ?? ((work) => work(deps.database))
}

/** A copy of the database that follows it and answers reports. */
export interface Replica {
  /**
   * Runs a read on the replica once it has everything that was committed before this call. Runs it on the database itself if that
   * takes too long, or if the replica cancels the read or is away; so `work` may run twice and must only read. Throws if other
   * reads have all connections for too long: the database itself would not bear them.
   */
  read: ReadReport
  /** As readLag. */
  lagS(): Promise<number | null>
  close(): Promise<void>
}

export interface ReplicaOptions {
  url: string
  database: ReportSource
  log: Log
  /** How long a read waits for the replica. */
  patienceMs?: number
  /** How long reads do without a replica that failed one. */
  avoidMs?: number
  /** How long a read waits for other reads when all connections are in use. */
  freeMs?: number
}

const lookMs = 20
const connectMs = 1_000
const most = 10
const session = {
  statement_timeout: 15_000,
  // Longer than that of the statement: the network is silent.
  query_timeout: 17_000,
  application_name: 'hansom-replica',
}

// Nothing if it is connected and has replayed all that it has received.
const lag = `select case when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() and exists (select from pg_stat_wal_receiver)
    then 0 else extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) end::float8 as lag
  where pg_is_in_recovery()`

/** How far the replica is behind, s; null if it does not answer within a second or follows nothing. */
export async function readLag(pool: Pool): Promise<number | null> {
  const query = { text: lag, query_timeout: 1_000 }
  const reply = await pool.query<{ lag: number | null }>(query).catch(() => null)
  return reply?.rows[0]?.lag ?? null
}

/** Reads may wait long for a free connection of the pool, but not for a new one. */
class QuickClient extends DatabaseClient {
  constructor(config?: ClientConfig) {
    super({ ...config, connectionTimeoutMillis: connectMs })
  }
}

/** True when the pool had no free connection: the replica itself may be well. */
function isBusy(error: unknown): boolean {
  return lostConnection(error)?.message === 'timeout exceeded when trying to connect'
}

/** True when the role may not ask for the position, or the database has none to give: it may answer reports all the same. */
function saysNoPosition(error: unknown): boolean {
  return /^(42501|42883|0A000|55000)$/.test(postgresError(error)?.code ?? '')
}

export function connectReplica(options: ReplicaOptions): Replica {
  const { url, database, log, patienceMs = 500, avoidMs = 5_000, freeMs = 10_000 } = options
  const pool = new DatabasePool({
    ...session,
    connectionString: url,
    max: most,
    connectionTimeoutMillis: freeMs,
    Client: QuickClient,
  })
  // Of its own: how far a busy replica is behind is worth knowing, too.
  const lagPool = new DatabasePool({
    ...session,
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: connectMs,
  })
  for (const one of [pool, lagPool]) one.on('error', () => {})
  const source: ReportSource = { pool, db: drizzle(pool) }
  let avoidUntil = 0

  const avoid = (error: unknown) => {
    avoidUntil = performance.now() + avoidMs
    log.warn({ err: error }, 'the replica is not used for reports for a moment, the database is read instead')
  }

  /** True when the replica has everything that is committed now. */
  async function isCurrent(): Promise<boolean> {
    if (performance.now() < avoidUntil) return false
    const position = await database.pool
      .query<{ lsn: string; system: string }>(
        `select pg_current_wal_lsn()::text as lsn, system_identifier::text as system from pg_control_system()`,
      )
      .catch((error: unknown) => {
        if (!saysNoPosition(error)) throw error
        avoid(error)
        return null
      })
    if (position === null) return false
    const { rows } = position
    const deadline = performance.now() + patienceMs
    try {
      for (;;) {
        const found = await pool.query<{ current: boolean }>({
          text: `select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn as current
            from pg_control_system() where system_identifier::text = $2`,
          values: [rows[0]?.lsn, rows[0]?.system],
          query_timeout: 2 * patienceMs,
        } as { text: string; values: unknown[] })
        if (found.rows[0]?.current) return true
        if (found.rows.length === 0) throw new Error('DATABASE_REPLICA_URL is no replica of DATABASE_URL')
        if (performance.now() > deadline) throw new Error(`the replica is more than ${patienceMs} ms behind`)
        await wait(lookMs)
      }
    } catch (error) {
      if (!isBusy(error)) avoid(error)
      else if (performance.now() >= avoidUntil) throw error
      return false
    }
  }

  return {
    async read(work) {
      if (!(await isCurrent())) return work(database)
      try {
        return await work(source)
      } catch (error) {
        if (isBusy(error)) throw error
        // A replica cancels what is in the way of replaying with a serialization failure.
        if (lostConnection(error) !== undefined) avoid(error)
        else if (!isRetryable(error)) throw error
        return work(database)
      }
    },
    lagS: () => readLag(lagPool),
    close: async () => {
      await Promise.all([pool.end(), lagPool.end()])
    },
  }
}
