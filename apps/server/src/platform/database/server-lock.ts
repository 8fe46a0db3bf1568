import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import type { Log } from '../log/log.ts'
import { DatabaseClient, type ServerTerm } from './database.ts'
import { lostConnection, markDatabaseError } from './postgres-errors.ts'

/**
 * One server at a time uses a database: the one that holds an advisory lock in it. The lock lives as long as its
 * connection, so a killed server releases it.
 */
export interface ServerLock {
  /** Waits until the lock is free and takes it. May be called again after `superseded` or a failed start. */
  take(): Promise<void>
  /** Begins this server's term on the connection that holds the lock. Throws when that connection was lost. */
  beginTerm(): Promise<void>
  /** Takes the lock if it becomes free within 2 s; otherwise returns the name of the server that holds it. */
  tryTake(): Promise<string | null>
  /** False from the loss of the connection until the lock is held again. */
  isHeld(): boolean
  /** Resolves when another server has used the database since this one took the lock. */
  superseded(): Promise<void>
  /**
   * Releases the lock permanently. `last` runs before that, unless another server has the lock; no server can take it
   * in between.
   */
  release(last?: () => Promise<void>): Promise<void>
}

export interface ServerLockOptions {
  connection: ClientConfig
  log: Log
  /** Ensures that the database is running; called before each connection attempt. */
  ensureRunning(): Promise<void>
  term: ServerTerm
  /** Called when the database did not respond for a heartbeat although no connection broke: the network may be down. */
  onSilence?(): void
  heartbeatMs?: number
}

const lockKey = 4_260_781
// A killed server's connection closes shortly after it.
const patienceMs = 2_000
const lookMs = 250
const firstPauseMs = 50
const longestPauseMs = 1_000
/** Pause after a failure that is not a lost connection. */
const brokenPauseMs = 5_000
/** Interval at which the lock's connection is checked: a broken network may not report an error. */
const usualHeartbeatMs = 5_000
/** A new term waits for the transactions of the previous one, which are limited to 30 s. */
const beginTermMs = 60_000
/** The server-side heartbeat: PostgreSQL releases the lock of a dead machine within about five seconds. */
const keepalives = `select set_config('tcp_keepalives_idle', '2', false),
  set_config('tcp_keepalives_interval', '1', false), set_config('tcp_keepalives_count', '3', false)`

/** A connection that requests and then holds the lock. */
type Session = { client: DatabaseClient; lost: Error | undefined }

export function createServerLock(options: ServerLockOptions): ServerLock {
  const { connection, log, ensureRunning: revive, term, onSilence, heartbeatMs = usualHeartbeatMs } = options
  let session: Session | undefined
  let regaining = Promise.resolve()
  let released = false
  /** True from the first time the lock is held until another server has it. */
  let isOurs = false
  let isBeginning = false
  let heartbeat: NodeJS.Timeout | undefined
  let supersede = () => {}
  let superseded = Promise.resolve()

  async function connect(): Promise<Session> {
    await revive()
    const client = new DatabaseClient({
      ...connection,
      application_name: holderName(),
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: heartbeatMs,
    })
    const opened: Session = { client, lost: undefined }
    const end = (reason: Error) => {
      opened.lost ??= reason
      if (opened === session) lose(opened)
    }
    client.on('error', end)
    client.once('end', () => end(terminated()))
    await client.connect()
    await client.query(keepalives)
    return opened
  }

  /** Connects and polls until the lock is taken, or until `giveUp` returns true: then returns the holder's name. */
  async function acquire(giveUp: (holder: string) => Promise<boolean> | boolean): Promise<Session | string> {
    const opened = await connect()
    try {
      while (!released) {
        if (await tryLock(opened.client)) return opened
        const holder = (await findHolder(opened.client)) ?? 'a server that just stopped'
        if (await giveUp(holder)) {
          await opened.client.end()
          return holder
        }
        await wait(lookMs)
      }
      throw terminated()
    } catch (error) {
      opened.client.end().catch(() => {})
      throw error
    }
  }

  /** Starts watching the connection that holds the lock. Throws when it was already lost. */
  function hold(taken: Session): void {
    if (taken.lost !== undefined) throw taken.lost
    session = taken
    isOurs = true
    clearInterval(heartbeat)
    heartbeat = setInterval(() => {
      if (isBeginning) return
      taken.client.query('select 1').catch((error: Error) => {
        if (taken.lost === undefined && taken === session) onSilence?.()
        taken.lost ??= error
        if (taken === session) lose(taken)
      })
    }, heartbeatMs)
    heartbeat.unref()
  }

  function lose({ client, lost }: Session): void {
    if (released) return
    session = undefined
    clearInterval(heartbeat)
    client.end().catch(() => {})
    log.warn({ err: lost }, 'database lock lost, reacquiring')
    regaining = regain()
  }

  /** Reacquires the lock, unless another server took it first and began a term. */
  async function regain(): Promise<void> {
    for (let pause = firstPauseMs; !released; pause = Math.min(longestPauseMs, pause * 2)) {
      let taken: Session | string | undefined
      try {
        taken = await acquire(async () => !(await term.isOwn()))
        if (typeof taken !== 'string') {
          if (await term.isOwn()) return hold(taken)
          await taken.client.end()
        }
        isOurs = false
        return supersede()
      } catch (error) {
        if (typeof taken === 'object') taken.client.end().catch(() => {})
        if (!released) log.warn({ err: error }, 'failed to reacquire the database lock')
        await wait(lostConnection(error) === undefined ? brokenPauseMs : pause)
      }
    }
  }

  function begin(taken: Session): void {
    superseded = new Promise((resolve) => {
      supersede = resolve
    })
    hold(taken)
  }

  /** True when this server lost the lock but was the last one to hold it. */
  async function couldTakeAgain(): Promise<boolean> {
    const opened = await connect().catch(() => undefined)
    if (opened === undefined) return false
    session = opened
    return tryLock(opened.client).catch(() => false)
  }

  return {
    isHeld: () => session !== undefined,
    superseded: () => superseded,
    async beginTerm() {
      if (session === undefined) throw terminated()
      isBeginning = true
      try {
        await term.begin(session.client, beginTermMs)
      } finally {
        isBeginning = false
      }
    },
    async take() {
      await regaining
      if (session !== undefined) return
      let known = ''
      const reportHolder = (holder: string) => {
        if (holder !== known) {
          log.warn({ holder }, 'another server is using this database, standing by until it stops')
        }
        known = holder
        return false
      }
      for (let pause = firstPauseMs; !released; pause = Math.min(longestPauseMs, pause * 2)) {
        try {
          const taken = await acquire(reportHolder)
          if (typeof taken === 'string') continue
          if (known !== '') log.warn('the other server stopped, taking over')
          return begin(taken)
        } catch (error) {
          if (released) return
          // The other server may have stopped the database on its way out.
          if (known === '') throw error
          log.warn({ err: error }, 'database not responding while standing by')
          await wait(pause)
        }
      }
    },
    async tryTake() {
      const deadline = performance.now() + patienceMs
      const taken = await acquire(() => performance.now() > deadline)
      if (typeof taken === 'string') return taken
      begin(taken)
      return null
    },
    async release(last) {
      released = true
      clearInterval(heartbeat)
      if (last && isOurs && (session !== undefined || (await couldTakeAgain()))) await last()
      isOurs = false
      const held = session
      session = undefined
      await held?.client.end().catch(() => {})
    },
  }
}

const terminated = () => markDatabaseError(new Error('Connection terminated'))

/** Names this process for operators. */
export function holderName(): string {
  const since = new Date().toISOString().slice(0, 19)
  return `hansom process ${process.pid} on ${hostname().slice(0, 16)} since ${since}Z`.slice(0, 63)
}

async function tryLock(client: DatabaseClient): Promise<boolean> {
  const reply = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [lockKey])
  return reply.rows[0]?.taken === true
}

/** The name of the server that is alone on a database; null without one. */
export async function lockHolder(connection: ClientConfig): Promise<string | null> {
  const client = new DatabaseClient(connection)
  try {
    await client.connect()
    return await findHolder(client)
  } finally {
    await client.end().catch(() => {})
  }
}

async function findHolder(client: DatabaseClient): Promise<string | null> {
  const reply = await client.query<{ name: string }>(
    `select activity.application_name as name
       from pg_locks join pg_stat_activity activity using (pid)
      where locktype = 'advisory' and granted and objid = $1
        and database = (select oid from pg_database where datname = current_database())`,
    [lockKey],
  )
  return reply.rows[0]?.name ?? null
}
