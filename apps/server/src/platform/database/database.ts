import type { Socket } from 'node:net'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Client, type ClientBase, type ClientConfig, Pool, type PoolClient, type PoolConfig, types } from 'pg'
import type { Log } from '../log/log.ts'
import { tracingQueries } from '../tracing/tracing.ts'
import { sessionLimits, withoutNames } from './pooler.ts'
import { DatabaseUnavailableError, markDatabaseError, postgresError } from './postgres-errors.ts'
import { type Queries, runTransaction, type Transaction, type TransactionOptions } from './transaction.ts'

/** The application's database, embedded or external. */
export type Database = {
  pool: Pool
  /** Queries outside of a transaction. */
  db: Queries
  /** See runTransaction: commits, rolls back when `work` throws, retries after a deadlock. */
  withTransaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** True when no other server can be using the database: this process holds its lock. */
  exclusive: boolean
  /** The id of this server among those that share the database; null when it is alone. */
  sharedBy: string | null
  /** This server's term; transactions are rejected once another server's term has begun. */
  term: ServerTerm
  /** Describes the database to the person who started the server. Contains no password. */
  describe(): string
  /** Breaks every open connection and its running query; the pool opens new ones. */
  breakConnections(): void
  /** Closes the connections and stops the embedded database. */
  close(): Promise<void>
}

const poolDefaults: PoolConfig = {
  max: 20,
  idleTimeoutMillis: 60_000,
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 5_000,
}
const ownSession = { ...sessionLimits, application_name: 'hansom' }
/** The pooler's connections outlive a server, so this name does not mean that one is running. */
const pooledSession = { pooled: true, application_name: 'hansom-pooled' }

export type ConnectOptions = {
  connection: PoolConfig
  description: string
  exclusive: boolean | (() => boolean)
  /** A pooler of transactions is between: nothing may belong to a session. */
  pooled?: boolean
  sharedBy?: string
  /** Runs before the connections close. */
  beforeClose?: () => Promise<void>
  /** Runs after the last connection has closed. */
  stop?: () => Promise<void>
}

/** Creates a database on a connection pool. */
export function connectDatabase(options: ConnectOptions, log: Log): Database {
  parseInt8Everywhere()
  const { pooled = false } = options
  const pool = new DatabasePool({
    ...poolDefaults,
    ...(pooled ? pooledSession : ownSession),
    ...options.connection,
  })
  // The pool handles errors of idle connections only. Without its own listener, a connection that breaks while in use
  // would end the process. Its running query is rejected as well, and the pool replaces the connection.
  pool.on('connect', (client) => {
    client.on('error', (error) => log.warn({ err: error }, 'database connection lost'))
    log.info({ outage: 'over' }, 'database available again')
  })
  pool.on('error', () => {})
  const connections = openConnections(pool)
  const term = createServerTerm(pool)
  let closing: Promise<void> | undefined
  return {
    pool,
    db: drizzle(pool),
    withTransaction: (work, options) =>
      runTransaction(pool, work, { term: term.current(), pooled, ...options }),
    term,
    get exclusive() {
      return typeof options.exclusive === 'function' ? options.exclusive() : options.exclusive
    },
    sharedBy: options.sharedBy ?? null,
    describe: () => options.description,
    breakConnections: connections.breakAll,
    close: () => {
      const end = async () => {
        await options.beforeClose?.()
        await pool.end()
        await connections.ended()
        await options.stop?.()
      }
      closing ??= end()
      return closing
    },
  }
}

/**
 * `pool.end` resolves when the pool has asked its connections to close. If the server stopped at that point,
 * connections that are still closing would break.
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
    // The driver has no method for this: `end` waits for a reply and leaves an idle connection in the pool.
    breakAll: () => {
      for (const client of open.keys()) {
        const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
        stream.destroy(new Error('Connection terminated: the database stopped responding'))
      }
    },
  }
}

/** A connection that marks its errors (see lostConnection); an emitted error never ends the process. */
export class DatabaseClient extends Client {
  constructor(config?: string | (ClientConfig & { pooled?: boolean })) {
    super(config)
    this.on('error', markDatabaseError)
    this.connect = marking(this.connect.bind(this))
    const query = marking(this.query.bind(this))
    this.query = tracingQueries(typeof config === 'object' && config.pooled ? withoutNames(query) : query)
  }
}

/** A pool of these connections that also marks its own errors. */
export class DatabasePool extends Pool {
  constructor(config: PoolConfig) {
    super({ Client: DatabaseClient, ...config })
    this.connect = marking(this.connect.bind(this))
  }
}

/**
 * Wraps `call` so that its errors are marked, whether it returns a promise or takes a callback as its last argument.
 */
function marking<F extends (...args: never[]) => unknown>(call: F): F {
  return new Proxy(call, {
    apply: (target, self, args: unknown[]) => {
      const callback = args.at(-1)
      if (typeof callback === 'function') {
        const marks = (error: unknown, ...rest: unknown[]) => callback(markDatabaseError(error), ...rest)
        return Reflect.apply(target, self, [...args.slice(0, -1), marks])
      }
      const result: unknown = Reflect.apply(target, self, args)
      if (!(result instanceof Promise)) return result
      return result.catch((error: unknown) => {
        throw markDatabaseError(error)
      })
    },
  })
}

/** Parses an int8 as a number. Throws RangeError beyond 2^53, where the number would silently lose precision. */
function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} from the database is not a safe integer`)
  return value
}

/** Registers the parser process-wide, since drizzle falls back to the driver's global parsers. */
function parseInt8Everywhere(): void {
  types.setTypeParser(types.builtins.INT8, parseInt8)
}

/**
 * A server's term: a number stored in one row. A server that lost its lock without noticing still has the old number,
 * and its transactions are rejected (check_term).
 */
export interface ServerTerm {
  /** The term number; null for a command or a test, whose transactions are not checked. */
  current(): number | null
  /**
   * Begins a term once the previous server's transactions have ended, waiting at most `patienceMs`. `holder` is the
   * connection with the lock.
   */
  begin(holder: ClientBase, patienceMs: number): Promise<void>
  /** True while no other server has begun a newer term. */
  isOwn(): Promise<boolean>
}

function createServerTerm(pool: Pool): ServerTerm {
  let term: number | null = null
  return {
    current: () => term,
    async begin(holder, patienceMs) {
      const begin = { text: 'select begin_term() as term', query_timeout: patienceMs }
      const { rows } = await holder.query<{ term: number }>(begin).catch((error: unknown) => {
        if (postgresError(error)?.code !== 'HN010') throw error
        throw new DatabaseUnavailableError(
          'Several servers share this database.\n' +
            'Set REDIS_URL for this one as for the others, or stop them first and wait five seconds.',
          { cause: error },
        )
      })
      term = rows[0]?.term ?? null
    },
    async isOwn() {
      if (term === null) return true
      const { rows } = await pool.query<{ term: number }>('select term from server_term')
      return rows[0]?.term === term
    },
  }
}
