import type { Socket } from 'node:net'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { Pool, PoolClient, PoolConfig } from 'pg'
import type { Log } from '../log/log.ts'
import { DatabasePool } from './database-client.ts'
import { parseInt8Everywhere } from './number-types.ts'
import { createServerTerm, type ServerTerm } from './server-term.ts'
import { type Queries, runTransaction, type Transaction, type TransactionOptions } from './transaction.ts'

/** The application's database, wherever it runs. */
export type Database = {
  pool: Pool
  /** Queries outside of a transaction. */
  db: Queries
  /** See runTransaction: commits, rolls back on anything thrown, runs again after a deadlock. */
  withTransaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** True when no other server can be using it: this process holds the lock on it. */
  exclusive: boolean
  /** This server's time with the database; transactions are refused after another server's has begun. */
  term: ServerTerm
  /** Which database this is, in words for the person who started the server. No password in it. */
  describe(): string
  /** Breaks every connection that is open, and with it the queries under way; the pool opens others. */
  breakConnections(): void
  /** Ends the connections; the embedded database stops with them. */
  close(): Promise<void>
}

const poolDefaults: PoolConfig = {
  max: 20,
  idleTimeoutMillis: 60_000,
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 5_000,
  statement_timeout: 15_000,
  idle_in_transaction_session_timeout: 30_000,
  application_name: 'hansom',
}

export type ConnectOptions = {
  connection: PoolConfig
  description: string
  exclusive: boolean | (() => boolean)
  /** Runs after the last connection has ended. */
  stop?: () => Promise<void>
}

/** A database over a pool of connections. */
export function connectDatabase(options: ConnectOptions, log: Log): Database {
  parseInt8Everywhere()
  const pool = new DatabasePool({ ...poolDefaults, ...options.connection })
  // The pool listens to idle connections alone. A connection in use that breaks would end the process without a
  // listener of its own; the query under way is rejected as well, and the pool replaces the connection.
  pool.on('connect', (client) => {
    client.on('error', (error) => log.warn({ err: error }, 'a database connection was lost'))
    log.info({ outage: 'over' }, 'the database answers again')
  })
  pool.on('error', () => {})
  const connections = openConnections(pool)
  const term = createServerTerm(pool)
  let closing: Promise<void> | undefined
  return {
    pool,
    db: drizzle(pool),
    withTransaction: (work, options) => runTransaction(pool, work, { term: term.current(), ...options }),
    term,
    get exclusive() {
      return typeof options.exclusive === 'function' ? options.exclusive() : options.exclusive
    },
    describe: () => options.description,
    breakConnections: connections.breakAll,
    close: () => {
      closing ??= pool.end().then(connections.ended).then(options.stop)
      return closing
    },
  }
}

/**
 * The pool says that it has ended when it has asked its connections to end. Whoever stops the server right then breaks
 * those that are still at it.
 */
function openConnections(pool: Pool): { ended(): Promise<void>; breakAll(): void } {
  const open = new Map<PoolClient, Promise<void>>()
  pool.on('connect', (client) => {
    const ended = new Promise<void>((resolve) => client.once('end', resolve))
    open.set(
      client,
      ended.then(() => void open.delete(client)),
    )
  })
  return {
    ended: async () => {
      await Promise.all(open.values())
    },
    // The driver has no word for this: `end` waits for an answer, and leaves an idle connection in the pool.
    breakAll: () => {
      for (const client of open.keys()) {
        const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
        stream.destroy(new Error('Connection terminated: the database has gone silent'))
      }
    },
  }
}
