import { stdSerializers } from 'pino'
import { type PostgresError, postgresError } from '../database/postgres-errors.ts'

/**
 * Formats an error for the log. Database messages about rows and parameters are left out because they contain personal
 * data: a failed query appears without its parameters, and a database error with its code and the names of the objects
 * concerned.
 */
export function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const chain = chainOf(error)
  const failed = chain.find(isFailedQuery)
  const rejected = postgresError(error)
  if (failed === undefined && rejected === undefined) return stdSerializers.err(error)
  // The message of a failed query contains its parameters.
  const shown = chain.filter((one) => !isFailedQuery(one))
  const [first = new Error('failed query')] = shown
  const { type } = stdSerializers.err(first)
  return {
    type,
    message: shown.map(plainMessage).join(': ') || first.message,
    stack: shown.map(plainStack).join('\ncaused by: '),
    ...(failed && { query: String(failed.query) }),
    ...(rejected && objectsOf(rejected)),
  }
}

/** Summarizes an error in one short line, without the data that the log leaves out. */
export function errorSummary(error: unknown): string {
  const described = error instanceof Error ? (describeError(error) as { message: string }).message : error
  return String(described).slice(0, 500)
}

type FailedQuery = Error & { query: unknown; params: unknown }
const isFailedQuery = (error: Error): error is FailedQuery => 'query' in error && 'params' in error

function chainOf(error: Error): Error[] {
  const chain: Error[] = []
  for (let current: unknown = error; current instanceof Error; current = current.cause) {
    if (chain.includes(current)) break
    chain.push(current)
  }
  return chain
}

function objectsOf({ code, constraint, table, column }: PostgresError) {
  return { code, constraint, table, column }
}

/** For a value it cannot parse (class 22) the database quotes the value. */
function plainMessage(error: Error): string {
  const code = 'code' in error ? String(error.code) : ''
  return /^22[0-9A-Z]{3}$/.test(code) ? error.message.replace(/".*"/s, '"…"') : error.message
}

function plainStack(error: Error): string {
  return (error.stack ?? String(error)).replace(error.message, () => plainMessage(error))
}
