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

/**
 * SQLSTATEs of a server that ends a connection or accepts none; classes 08 and 57P, and "too many connections". HN009:
 * another server of ours has the database now (check_term).
 */
const lostStates = /^(08...|57P0[1-5]|53300|25P03|HN009)$/
const lostCodes = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']
/** The driver's own errors have no code. */
const lostMessages =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|Query read timeout)/

/** Finds, inside whatever wrapped it, the error that says that the database cannot be reached or has gone. */
export function lostConnection(error: unknown): Error | undefined {
  for (let current: unknown = error; current instanceof Error; current = current.cause) {
    const { code, syscall } = current as NodeJS.ErrnoException
    // A request to another service has failed, not one to the database.
    if (current.message === 'fetch failed') return undefined
    if (typeof code === 'string' && (lostStates.test(code) || lostCodes.includes(code))) return current
    // The socket's file, or the host's name, is gone while the database is.
    if (syscall === 'connect' && code === 'ENOENT') return current
    if (syscall === 'getaddrinfo') return current
    if (lostMessages.test(current.message)) return current
  }
  return undefined
}

/** True for a serialization failure or a deadlock: the same transaction may well pass when it is run again. */
export function isWorthRetrying(error: unknown): boolean {
  const code = postgresError(error)?.code
  return code === '40001' || code === '40P01'
}
