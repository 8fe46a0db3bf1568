import { setTimeout as wait } from 'node:timers/promises'
import { drizzle, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import type { Pool, PoolClient } from 'pg'
import { limitTransaction } from './pooler.ts'
import { isRetryable, lostConnection } from './postgres-errors.ts'

/** The pool, or one open transaction; parameter of the store functions. */
export type Queries = PgDatabase<NodePgQueryResultHKT, Record<string, never>>

/** An open transaction: `db` for drizzle, `client` for plain SQL. */
export type Transaction = {
  db: Queries
  client: PoolClient
  /** Runs `callback` after the commit, never after a rollback. It must not throw. */
  afterCommit(callback: () => void): void
}

export type TransactionOptions = {
  isolation?: 'read committed' | 'repeatable read' | 'serializable'
  /** The server's term: the transaction is rejected when another server has begun a newer one. */
  term?: number | null
  /** Behind a pooler, the transaction brings its limits along. */
  pooled?: boolean
}

const attempts = 5

/** The connection was lost during the commit: the transaction may or may not have been committed. */
export class CommitUnknownError extends Error {
  constructor(cause: unknown) {
    super('connection lost during the commit, outcome unknown', { cause })
    this.name = 'CommitUnknownError'
  }
}

/**
 * Runs `work` in one transaction and commits it; rolls back when it throws. `work` runs again after a deadlock or a
 * serialization failure, so its only effects must be in the database. A lost connection is never retried here: if it
 * was lost during the commit, throws CommitUnknownError, and the caller's idempotency key handles the repeat.
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
      if (attempt === attempts || !isRetryable(error)) throw error
      await wait(Math.random() * 10 * 2 ** attempt)
    }
  }
}

async function runOnce<T>(
  pool: Pool,
  work: (tx: Transaction) => Promise<T>,
  options: TransactionOptions,
): Promise<T> {
  const callbacks: (() => void)[] = []
  const client = await pool.connect()
  let broken: Error | undefined
  let result: T
  try {
    await client.query(beginStatement(options))
    result = await work({ db: drizzle(client), client, afterCommit: (callback) => callbacks.push(callback) })
    await client.query('commit').catch((error: unknown) => {
      throw lostConnection(error) === undefined ? error : new CommitUnknownError(error)
    })
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    throw error
  } finally {
    // Discards a connection that could not roll back.
    client.release(broken)
  }
  for (const callback of callbacks) callback()
  return result
}

/** Begins, sets the limits and checks the term in one round trip. */
function beginStatement({ isolation, term = null, pooled = false }: TransactionOptions): string {
  const begin = isolation === undefined ? 'begin' : `begin isolation level ${isolation}`
  const limited = pooled ? `${begin}; ${limitTransaction}` : begin
  return term === null ? limited : `${limited}; select check_term(${term})`
}

/**
 * Deletes the rows that match a condition, `batch` per statement, so a backlog of any size stays within the statement
 * timeout and completed batches stay deleted. Returns the number of deleted rows. `table` and `condition` are SQL;
 * partitioned tables are not supported.
 */
export async function deleteInBatches(
  pool: Pool,
  table: string,
  condition: string,
  values: readonly unknown[],
  batch = 2_000,
): Promise<number> {
  let deleted = 0
  for (;;) {
    const reply = await pool.query(
      `delete from ${table} where ctid = any(array(select ctid from ${table} where ${condition} limit ${batch}))`,
      [...values],
    )
    deleted += reply.rowCount ?? 0
    if ((reply.rowCount ?? 0) < batch) return deleted
  }
}
