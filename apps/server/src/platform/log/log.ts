import { type DestinationStream, type LogFn, type Logger, pino } from 'pino'
import { lostConnection } from '../database/postgres-errors.ts'
import { describeError } from './describe-error.ts'
import { formatLine } from './format-line.ts'
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
    { level: options.level, base: null, redact, serializers: { err: describeError }, hooks },
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
