import { stdSerializers } from 'pino'

/** An error as the log keeps it. A failed query is told without its parameters, which may be secrets. */
export function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if (!('query' in error && 'params' in error)) return stdSerializers.err(error)
  const cause = error.cause instanceof Error ? error.cause : new Error('failed query')
  const { type, message, stack } = stdSerializers.err(cause)
  return { type, message, stack, query: String(error.query), code: 'code' in cause ? cause.code : undefined }
}
