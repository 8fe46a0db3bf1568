/** An error of the server as the driver reports it: a SQLSTATE and, often, what it was about. */
export type PostgresError = Error & {
  code: string
  constraint?: string
  table?: string
  column?: string
  detail?: string
}

/** Finds PostgreSQL's own error inside whatever wrapped it (drizzle puts it in `cause`). */
export function postgresError(error: unknown): PostgresError | undefined {
  let current: unknown = error
  while (current instanceof Error) {
    if ('code' in current && typeof current.code === 'string' && /^[0-9A-Z]{5}$/.test(current.code)) {
      return current as PostgresError
    }
    current = current.cause
  }
  return undefined
}

/** True when a unique constraint or index was violated; with a name, only when it was that one. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const found = postgresError(error)
  return found?.code === '23505' && (constraint === undefined || found.constraint === constraint)
}

/** True when a row was to refer to one that is not there; with a name, only when it was that constraint. */
export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  const found = postgresError(error)
  return found?.code === '23503' && (constraint === undefined || found.constraint === constraint)
}

/** True for a serialization failure or a deadlock: the same transaction may well pass when it is run again. */
export function isWorthRetrying(error: unknown): boolean {
  const code = postgresError(error)?.code
  return code === '40001' || code === '40P01'
}
