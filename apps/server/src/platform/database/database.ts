import { drizzle } from 'drizzle-orm/node-postgres'
import { Pool, type PoolConfig } from 'pg'
import type { Log } from '../log/log.ts'
import { useNumbersForInt8 } from './number-types.ts'
import { type Queries, runTransaction, type Transaction, type TransactionOptions } from './transaction.ts'

/** The application's database, wherever it runs. */
export type Database = {
  pool: Pool
  /** Queries outside of a transaction. */
  db: Queries
  /** See runTransaction: commits, rolls back on anything thrown, runs again after a deadlock. */
  withTransaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Which database this is, in words for the person who started the server. No password in it. */
  describe(): string
  /** Ends the connections; the embedded database stops with them. */
  close(): Promise<void>
}

const poolDefaults: PoolConfig = {
  max: 20,
  idleTimeoutMillis: 60_000,
  connectionTimeoutMillis: 10_000,
  statement_timeout: 15_000,
  idle_in_transaction_session_timeout: 30_000,
  application_name: 'hansom',
}

/** A database over a pool of connections; `stop` runs after the last connection has ended. */
export function connectDatabase(
  connection: PoolConfig,
  log: Log,
  description: string,
  stop: () => Promise<void> = async () => {},
): Database {
  useNumbersForInt8()
  const pool = new Pool({ ...poolDefaults, ...connection })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection broke'))
  let closing: Promise<void> | undefined
  return {
    pool,
    db: drizzle(pool),
    withTransaction: (work, options) => runTransaction(pool, work, options),
    describe: () => description,
    close: () => {
      closing ??= pool.end().then(stop)
      return closing
    },
  }
}
