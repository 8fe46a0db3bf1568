import type { ClientBase, Pool } from 'pg'

/** The longest statement and the longest idle time in a transaction, ms. */
export const sessionLimits = {
  statement_timeout: 15_000,
  idle_in_transaction_session_timeout: 30_000,
}

/** Sets the limits for one transaction: a pooler of transactions drops or refuses those of a session. */
export const limitTransaction = Object.entries(sessionLimits)
  .map(([name, ms]) => `set local ${name} = ${ms}`)
  .join('; ')

/**
 * True when a pooler of connections, such as PgBouncer, is between: it announces a process of its own instead of the one of
 * PostgreSQL that answers.
 */
export async function isPooled(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid !== (client as unknown as { processID: number }).processID
}

/**
 * Statements that give the limits to the role, for what runs outside of a transaction; null when they hold. The role may
 * execute them itself.
 */
export async function missingLimits(pool: Pool): Promise<string | null> {
  const { rows } = await pool.query<{ name: string; place: string }>(
    `select name, format('%I in database %I', current_user, current_database()) as place from pg_settings
      where name = any($1) and setting::bigint = 0 order by name desc`,
    [Object.keys(sessionLimits)],
  )
  if (rows.length === 0) return null
  return rows.map(({ name, place }) => `alter role ${place} set ${name} = ${limitOf(name)};`).join(' ')
}

const limitOf = (name: string) => sessionLimits[name as keyof typeof sessionLimits]

/** A statement prepared by name belongs to one connection of PostgreSQL; the next transaction may get another one. */
export function withoutNames<F extends (...args: never[]) => unknown>(query: F): F {
  return new Proxy(query, {
    apply(target, self, [statement, ...rest]: unknown[]) {
      const isNamed =
        typeof statement === 'object' && statement !== null && 'name' in statement && 'text' in statement
      return Reflect.apply(target, self, [isNamed ? { ...statement, name: undefined } : statement, ...rest])
    },
  })
}
