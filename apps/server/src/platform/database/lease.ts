import type { ClientBase } from 'pg'
import type { Log } from '../log/log.ts'
import type { Database } from './database.ts'

/** The right to do work that one server does at a time. */
export interface Lease {
  /**
   * Call it in each transaction that writes for this work: throws LeaseLostError when another server has taken the lease,
   * for instance because this process was paused, and otherwise keeps others from taking it until the transaction ends.
   */
  guard(client: ClientBase): Promise<void>
  /** Resolves when another server has the lease, or may have it. */
  lost: Promise<void>
  release(): Promise<void>
}

export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'
}

export interface LeaseOptions {
  database: Pick<Database, 'pool'>
  /** Names the work. */
  name: string
  log: Log
  renewMs?: number
  /** How long a holder that stops renewing keeps others waiting, ms. */
  lastMs?: number
}

const nowSql = '(extract(epoch from clock_timestamp()) * 1000)::bigint'

/** Takes the lease of a work and renews it until it is released or lost. Null while another holder has it. */
export async function takeLease(options: LeaseOptions): Promise<Lease | null> {
  const { database, name, log, renewMs = 1_000, lastMs = 4_000 } = options
  const { pool } = database
  let sureUntil = performance.now() + lastMs
  const { rows } = await pool.query<{ epoch: string }>(
    `insert into leases (name, epoch, until) values ($1, 1, ${nowSql} + $2)
      on conflict (name) do update set epoch = leases.epoch + 1, until = excluded.until where leases.until < ${nowSql}
      returning epoch`,
    [name, lastMs],
  )
  const epoch = rows[0]?.epoch
  if (epoch === undefined) return null

  let lose = () => {}
  const lost = new Promise<void>((resolve) => {
    lose = resolve
  })
  let renewing = Promise.resolve()
  const renew = async () => {
    const askedAt = performance.now()
    try {
      const { rowCount } = await pool.query(
        `update leases set until = ${nowSql} + $3 where name = $1 and epoch = $2`,
        [name, epoch, lastMs],
      )
      if (rowCount === 1) sureUntil = askedAt + lastMs
      else end()
    } catch (error) {
      log.warn({ err: error, name }, 'failed to renew a lease, will retry')
      if (performance.now() > sureUntil) end()
    }
  }
  const timer = setInterval(() => {
    renewing = renewing.then(renew)
  }, renewMs)
  timer.unref()
  const end = () => {
    clearInterval(timer)
    lose()
  }

  return {
    lost,
    async guard(client) {
      const found = await client.query('select from leases where name = $1 and epoch = $2 for share', [
        name,
        epoch,
      ])
      if (found.rowCount === 0) throw new LeaseLostError(`another server does the work ${name} now`)
    },
    async release() {
      clearInterval(timer)
      await renewing
      // The row stays, and with it the epoch.
      await pool
        .query('update leases set until = 0 where name = $1 and epoch = $2', [name, epoch])
        .catch(() => {})
    },
  }
}

/** Runs continuous work on one server at a time: `begin` starts it, and returns how to stop it. */
export function runAlone(
  options: LeaseOptions,
  begin: () => { stop(): Promise<void> },
): { stop(): Promise<void> } {
  const { log, name, renewMs = 1_000 } = options
  const stopping = new AbortController()
  const stopped = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()))
  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, renewMs)
      void stopped.then(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  const run = async () => {
    while (!stopping.signal.aborted) {
      const lease = await takeLease(options).catch((error: unknown) => {
        log.warn({ err: error, name }, 'failed to take a lease, will retry')
        return null
      })
      if (lease === null) {
        await pause()
        continue
      }
      const work = begin()
      await Promise.race([lease.lost, stopped])
      await work.stop()
      await lease.release()
    }
  }
  const running = run()
  return {
    stop() {
      stopping.abort()
      return running
    },
  }
}
