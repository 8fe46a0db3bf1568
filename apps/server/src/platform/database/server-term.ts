import type { ClientBase, Pool } from 'pg'

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

export function createServerTerm(pool: Pool): ServerTerm {
  let term: number | null = null
  return {
    current: () => term,
    async begin(holder, patienceMs) {
      const begin = { text: 'select begin_term() as term', query_timeout: patienceMs }
      const { rows } = await holder.query<{ term: number }>(begin)
      term = rows[0]?.term ?? null
    },
    async isOwn() {
      if (term === null) return true
      const { rows } = await pool.query<{ term: number }>('select term from server_term')
      return rows[0]?.term === term
    },
  }
}
