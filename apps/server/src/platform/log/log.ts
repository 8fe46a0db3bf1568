import { type DestinationStream, type Logger, pino } from 'pino'
import { describeError } from './describe-error.ts'
import { formatLine } from './format-line.ts'

export type Log = Logger

export type LogOptions = {
  level: string
  /** One readable line an event, for a person at a terminal; otherwise one JSON object a line. */
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
const anywhere = secrets.flatMap((name) => (name.startsWith('[') ? [name, `*${name}`] : [name, `*.${name}`]))
const inRequests = ['req.headers.authorization', 'req.headers.cookie', 'res.headers["set-cookie"]']

/** The server's log: structured, with whatever opens a door replaced by [hidden]. */
export function createLog(options: LogOptions): Log {
  const destination = options.destination ?? process.stdout
  const stream: DestinationStream = options.readable
    ? { write: (line) => void destination.write(formatLine(line)) }
    : destination
  const redact = { paths: [...anywhere, ...inRequests], censor: '[hidden]' }
  return pino({ level: options.level, base: undefined, redact, serializers: { err: describeError } }, stream)
}

/** A log that says nothing, for tests and tools. */
export function silentLog(): Log {
  return pino({ level: 'silent' })
}
