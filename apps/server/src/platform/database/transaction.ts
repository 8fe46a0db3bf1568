import { setTimeout as wait } from 'node:timers/promises'
import { drizzle, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import type { Pool, PoolClient } from 'pg'
import { isWorthRetrying, lostConnection } from './postgres-errors.ts'

/** Where queries go: the pool, or one open transaction. What a store's functions take. */
export type Queries = PgDatabase<NodePgQueryResultHKT, Record<string, never>>

/** One open transaction: `db` for drizzle, `client` for plain SQL in the same transaction. */
export type Transaction = {
  db: Queries
  client: PoolClient
  /** Runs once the transaction is committed, never when it is not. Must not throw. */
  afterCommit(tell: () => void): void
}

export type TransactionOptions = {
  isolation?: 'read committed' | 'repeatable read' | 'serializable'
  /** The server's term: the transaction is refused when another server has begun one since. */
  term?: number | null
}

const attempts = 5

/** The connection was lost during a commit: the transaction may or may not have happened. */
export class CommitUnknownError extends Error {
  constructor(cause: unknown) {
    super('the connection was lost during a commit, whose outcome is unknown', { cause })
    this.name = 'CommitUnknownError'
  }
}

/**
 * Runs `work` in one transaction and commits it; anything thrown rolls it back. After a deadlock or a
 * serialization failure `work` runs again, so its only effects are in the database. A lost connection is never retried
 * here. Throws CommitUnknownError when it was lost during the commit: the caller's idempotency key answers a repeat.
 */
export async function runTransaction<T>(
  pool: Pool,
  work: (tx: Transaction) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(pool, work, options)
    } catch (error) {
      if (attempt === attempts || !isWorthRetrying(error)) throw error
      await wait(Math.random() * 10 * 2 ** attempt)
    }
  }
}

async function runOnce<T>(
  pool: Pool,
  work: (tx: Transaction) => Promise<T>,
  options: TransactionOptions,
): Promise<T> {
  const tellings: (() => void)[] = []
  const client = await pool.connect()
  let broken: Error | undefined
  let result: T
  try {
    await client.query(beginning(options))
    result = await work({ db: drizzle(client), client, afterCommit: (tell) => tellings.push(tell) })
    await client.query('commit').catch((error: unknown) => {
      throw lostConnection(error) === undefined ? error : new CommitUnknownError(error)
    })
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    throw error
  } finally {
    // A connection that could not roll back is thrown away.
    client.release(broken)
  }
  for (const tell of tellings) tell()
  return result
}

/** One round trip, also where the term is checked. */
function beginning({ isolation, term = null }: TransactionOptions): string {
  const begin = isolation === undefined ? 'begin' : `begin isolation level ${isolation}`
  return term === null ? begin : `${begin}; select check_term(${term})`
}
