import { DatabaseError } from 'pg'

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
  for (let current: unknown = error; current instanceof Error; current = current.cause) {
    if (current instanceof DatabaseError && current.code !== undefined) return current as PostgresError
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

/** What the connections to the database have thrown: the codes of a lost one are those of any other service. */
const ofDatabase = new WeakSet<Error>()

/** Notes that an error came from a connection to the database, and returns it. */
export function markDatabaseError<E>(error: E): E {
  if (error instanceof Error) ofDatabase.add(error)
  return error
}

/** Finds, inside whatever wrapped it, the error that says that the database cannot be reached or has gone. */
export function lostConnection(error: unknown): Error | undefined {
  for (let current: unknown = error; current instanceof Error; current = current.cause) {
    if (ofDatabase.has(current) && saysLost(current)) return current
  }
  return undefined
}

function saysLost({ code, syscall, message }: NodeJS.ErrnoException): boolean {
  if (code !== undefined && (lostStates.test(code) || lostCodes.includes(code))) return true
  // The socket's file, or the host's name, is gone while the database is.
  if (syscall === 'getaddrinfo' || (syscall === 'connect' && code === 'ENOENT')) return true
  return lostMessages.test(message)
}

/** True for a serialization failure or a deadlock: the same transaction may well pass when it is run again. */
export function isWorthRetrying(error: unknown): boolean {
  const code = postgresError(error)?.code
  return code === '40001' || code === '40P01'
}
