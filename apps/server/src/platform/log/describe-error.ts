import { stdSerializers } from 'pino'
import { type PostgresError, postgresError } from '../database/postgres-errors.ts'

/**
 * An error as the log keeps it. What a database says of rows and parameters is left out, since those are people's:
 * a failed query is told without its parameters, and a refusal of the database by its code and by what it names.
 */
export function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const chain = chainOf(error)
  const failed = chain.find(isFailedQuery)
  const refused = postgresError(error)
  if (failed === undefined && refused === undefined) return stdSerializers.err(error)
  // The message of a failed query holds its parameters.
  const told = chain.filter((one) => !isFailedQuery(one))
  const [first = new Error('failed query')] = told
  const { type } = stdSerializers.err(first)
  return {
    type,
    message: told.map(plainMessage).join(': ') || first.message,
    stack: told.map(plainStack).join('\ncaused by: '),
    ...(failed && { query: String(failed.query) }),
    ...(refused && namedBy(refused)),
  }
}

/** An error in one short line, without what the log leaves out. */
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

function namedBy({ code, constraint, table, column }: PostgresError) {
  return { code, constraint, table, column }
}

/** Of a value it cannot read (class 22) the database quotes the value. */
function plainMessage(error: Error): string {
  const code = 'code' in error ? String(error.code) : ''
  return /^22[0-9A-Z]{3}$/.test(code) ? error.message.replace(/".*"/s, '"…"') : error.message
}

function plainStack(error: Error): string {
  return (error.stack ?? String(error)).replace(error.message, () => plainMessage(error))
}
