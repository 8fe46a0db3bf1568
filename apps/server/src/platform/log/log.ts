import { hostname } from 'node:os'
import { type DestinationStream, type LogFn, type Logger, pino, stdSerializers } from 'pino'
import { lostConnection, type PostgresError, postgresError } from '../database/postgres-errors.ts'
import { currentOrigin } from './origin.ts'
import { Outages } from './outages.ts'

export type Log = Logger

export type LogOptions = {
  level: string
  /** One readable line per event for a terminal; otherwise one JSON object per line. */
  readable: boolean
  destination?: DestinationStream
}

const secrets = [
  'password',
  'newPassword',
  'currentPassword',
  'token',
  'accessToken',
  'refreshToken',
  'idToken',
  'pushToken',
  'authorization',
  'cookie',
  '["set-cookie"]',
  'otp',
  'secret',
  'authSecret',
  'databaseUrl',
]
const anyPath = secrets.flatMap((name) => (name.startsWith('[') ? [name, `*${name}`] : [name, `*.${name}`]))
const inRequests = ['req.headers.authorization', 'req.headers.cookie', 'res.headers["set-cookie"]']

/**
 * Creates the server's log: structured, with secrets replaced by [hidden]. Reports of a lost database are rate-limited
 * and have no stack.
 */
export function createLog(options: LogOptions): Log {
  const destination = options.destination ?? process.stdout
  const stream: DestinationStream = options.readable
    ? { write: (line) => void destination.write(formatLine(line)) }
    : destination
  const redact = { paths: [...anyPath, ...inRequests], censor: '[hidden]' }
  const hooks = { logMethod: boundOutages(new Outages()) }
  return pino(
    {
      level: options.level,
      // Which of several servers it was; another one that notices its end names it so, too.
      base: options.readable ? null : { pid: process.pid, host: hostname() },
      redact,
      serializers: { err: describeError },
      hooks,
      // Lines of a request, and of the events and jobs that it caused, have its id.
      mixin: () => ({ ...currentOrigin() }),
    },
    stream,
  )
}

function boundOutages(outages: Outages) {
  return function logMethod(this: Logger, args: Parameters<LogFn>, method: LogFn): void {
    const [fields, message] = args as [unknown, unknown?]
    if (typeof fields !== 'object' || fields === null || typeof message !== 'string')
      return method.apply(this, args)
    if ('outage' in fields) return outages.connected((summary) => method.call(this, summary, message))
    const { err, ...rest } = fields as { err?: unknown }
    const lost = lostConnection(err)
    if (lost === undefined) return method.apply(this, args)
    const report = outages.failed(message)
    if (report !== null) method.call(this, { ...rest, reason: lost.message || lost.name, ...report }, message)
  }
}

/** A silent log for tests and tools. */
export function silentLog(): Log {
  return pino({ level: 'silent' })
}

const levels: Record<number, string> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
}

/** Text that cannot begin a line of its own, nor move a terminal's cursor. */
const isPlain = (value: unknown): value is string => typeof value === 'string' && !/\p{Cc}/u.test(value)

/** Formats a JSON log line for a terminal: time, level, message, then the rest as key=value. */
function formatLine(line: string): string {
  let event: Record<string, unknown>
  try {
    event = JSON.parse(line) as Record<string, unknown>
  } catch {
    return line
  }
  const { time, level, msg, err, ...rest } = event
  const parts = [
    new Date(Number(time)).toISOString().slice(11, 19),
    (levels[Number(level)] ?? String(level)).padEnd(5),
    String(msg ?? ''),
    ...Object.entries(rest).map(([key, value]) => `${key}=${isPlain(value) ? value : JSON.stringify(value)}`),
  ]
  const stack = (err as { stack?: string } | undefined)?.stack
  return `${parts.join(' ').trimEnd()}${stack === undefined ? '' : `\n  ${stack.replaceAll('\n', '\n  ')}`}\n`
}

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
