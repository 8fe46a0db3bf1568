import { setTimeout as wait } from 'node:timers/promises'
import type { Pool } from 'pg'
import { requeueJobsOf } from '../jobs/job-table.ts'
import type { Log } from '../log/log.ts'
import type { Database } from './database.ts'
import { isMigrationDue } from './migrate.ts'
import { holderName, type ServerLock } from './server-lock.ts'

export interface SharedServersOptions {
  database: Pick<Database, 'pool' | 'withTransaction'>
  /** This process among the servers of the database. */
  id: string
  log: Log
  renewMs?: number
}

const usualRenewMs = 1_000
/** A server that did not renew its row for this time is dead, ms; begin_term knows it, too. */
const deadMs = 4_000
const lookMs = 1_000
/** The lock of a server that is alone (createServerLock). */
const aloneKey = 4_260_781

/**
 * Several servers on one database: each has a row in `servers` and renews it. A server that notices that another one stopped
 * renewing removes that row and lets its jobs run again. A server that wants to be alone (createServerLock) and servers that
 * share keep each other out. Uses no session of the database, so it works behind a pooler of transactions.
 */
export function createSharedServers(options: SharedServersOptions): ServerLock {
  const { database, id, log, renewMs = usualRenewMs } = options
  const { pool } = database
  let isJoined = false
  let timer: NodeJS.Timeout | undefined
  let renewing: Promise<void> = Promise.resolve()
  let supersede = () => {}
  let superseded = Promise.resolve()

  /** True on a database without our functions, unless an older server is alone on it: it is joined after its migration. */
  async function isEmpty(): Promise<boolean> {
    const { rows } = await pool.query<{ empty: boolean }>(
      `select to_regproc('share_term') is null and pg_try_advisory_xact_lock_shared(${aloneKey}) as empty`,
    )
    return rows[0]?.empty === true
  }

  /** They do not know the tables that this version makes. */
  const isOlderRunning = async () => (await isMigrationDue(pool)) && (await countSharedServers(pool)) > 0

  async function join(): Promise<boolean> {
    const { rows: found } = await pool.query(`select where to_regproc('share_term') is not null`)
    if (found.length === 0) return false
    const { rows } = await pool.query<{ shared: boolean }>('select share_term($1, $2) as shared', [
      id,
      holderName(),
    ])
    return rows[0]?.shared === true
  }

  async function renew(): Promise<void> {
    try {
      const { rowCount } = await pool.query({
        name: 'renew-server',
        text: `update servers set renewed_at = (extract(epoch from clock_timestamp()) * 1000)::bigint
          where id = $1 and (select is_shared from server_term)`,
        values: [id],
      })
      if (rowCount === 1) await removeDead()
      else if (!(await join())) leave()
      else log.warn('this server was taken for dead, for it was silent: it goes on')
    } catch (error) {
      log.warn({ err: error }, 'failed to renew the row of this server, will retry')
    }
  }

  async function removeDead(): Promise<void> {
    const dead = await database.withTransaction(async ({ client }) => {
      const { rows } = await client.query<{ id: string; name: string }>(
        `delete from servers where renewed_at < (extract(epoch from clock_timestamp()) * 1000)::bigint - ${deadMs}
          returning id, name`,
      )
      if (rows.length > 0)
        await requeueJobsOf(
          client,
          rows.map((row) => row.id),
        )
      return rows
    })
    for (const { name } of dead) log.warn({ server: name }, 'another server has died, its jobs run again')
  }

  function leave(): void {
    isJoined = false
    clearInterval(timer)
    supersede()
  }

  const lock: ServerLock = {
    isHeld: () => isJoined,
    superseded: () => superseded,
    beginTerm: async () => {
      if (!isJoined) await lock.take()
    },
    async tryTake() {
      throw new Error('a database that servers share is never taken by one')
    },
    async take() {
      if (await isEmpty()) return
      // Servers of one version that start together see none of the other version, whichever of them migrates.
      for (let isFirst = true; await isOlderRunning(); isFirst = false) {
        if (isFirst)
          log.warn('servers of an older version use this database, standing by until all have stopped')
        await wait(lookMs)
      }
      for (let isFirst = true; !(await join()); isFirst = false) {
        if (isFirst) log.warn('a server without REDIS_URL is using this database, standing by until it stops')
        await wait(lookMs)
      }
      isJoined = true
      superseded = new Promise((resolve) => {
        supersede = resolve
      })
      clearInterval(timer)
      timer = setInterval(() => {
        renewing = renewing.then(renew)
      }, renewMs)
      timer.unref()
    },
    async release() {
      isJoined = false
      clearInterval(timer)
      await renewing
      await pool.query('delete from servers where id = $1', [id]).catch(() => {})
    },
  }
  return lock
}

/** The servers that renew their rows; behind a pooler, the connections do not show them. */
export async function countSharedServers(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ exists: boolean }>(
    `select to_regclass('servers') is not null as exists`,
  )
  if (!rows[0]?.exists) return 0
  const found = await pool.query<{ count: number }>(
    `select count(*)::int as count from servers
      where renewed_at > (extract(epoch from clock_timestamp()) * 1000)::bigint - $1`,
    [deadMs],
  )
  return found.rows[0]?.count ?? 0
}
