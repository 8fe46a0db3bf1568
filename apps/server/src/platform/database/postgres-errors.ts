import { DatabaseError } from 'pg'

/** A server error as the driver reports it: a SQLSTATE and, often, the object concerned. */
export type PostgresError = Error & {
  code: string
  constraint?: string
  table?: string
  column?: string
  detail?: string
}

/** Finds PostgreSQL's error in a chain of causes (drizzle puts it in `cause`). */
export function postgresError(error: unknown): PostgresError | undefined {
  for (let current: unknown = error; current instanceof Error; current = current.cause) {
    if (current instanceof DatabaseError && current.code !== undefined) return current as PostgresError
  }
  return undefined
}

/** True for a unique violation; with `constraint`, only of that constraint. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const found = postgresError(error)
  return found?.code === '23505' && (constraint === undefined || found.constraint === constraint)
}

/** True for a foreign key violation; with `constraint`, only of that constraint. */
export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  const found = postgresError(error)
  return found?.code === '23503' && (constraint === undefined || found.constraint === constraint)
}

/**
 * SQLSTATEs of a server that closes or rejects connections (classes 08 and 57P), or has no disk space, memory or connections
 * left (class 53). HN009: another of our servers now has the database (check_term).
 */
const lostStates = /^(08...|57P0[1-5]|53[123]00|25P03|HN009)$/
const lostCodes = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']
/** The driver's errors have no code. The last one: the server stops, and a request that its client gave up goes on. */
const lostMessages =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|timeout expired|Query read timeout|Cannot use a pool after calling end)/

/** Errors thrown by database connections: their error codes do not differ from those of other services. */
const databaseErrors = new WeakSet<Error>()

/** Marks an error as coming from a database connection and returns it. */
export function markDatabaseError<E>(error: E): E {
  if (error instanceof Error) databaseErrors.add(error)
  return error
}

/** Finds, in a chain of causes, the error of a lost or unreachable database. */
export function lostConnection(error: unknown): Error | undefined {
  for (let current: unknown = error; current instanceof Error; current = current.cause) {
    if (databaseErrors.has(current) && isConnectionLoss(current)) return current
  }
  return undefined
}

function isConnectionLoss({ code, syscall, message }: NodeJS.ErrnoException): boolean {
  if (code !== undefined && (lostStates.test(code) || lostCodes.includes(code))) return true
  // The socket file or the host name does not exist while the database is down.
  if (syscall === 'getaddrinfo' || (syscall === 'connect' && code === 'ENOENT')) return true
  return lostMessages.test(message)
}

/** True when the database had too little memory or too few locks for this transaction: others may fit. */
export function lacksMemory(error: unknown): boolean {
  return postgresError(error)?.code === '53200'
}

/** True for a serialization failure or a deadlock: the same transaction may succeed on retry. */
export function isRetryable(error: unknown): boolean {
  const code = postgresError(error)?.code
  return code === '40001' || code === '40P01'
}

/** The database is unavailable; `message` gives the reason and the fix and is printed as is. */
export class DatabaseUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DatabaseUnavailableError'
  }
}

/** Last line of every message about a database that cannot run here. */
export const externalDatabaseHint =
  'Or use your own PostgreSQL, version 15 or newer: set DATABASE_URL=postgresql://user:password@host:5432/name'
