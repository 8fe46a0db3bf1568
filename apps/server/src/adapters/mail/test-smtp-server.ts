import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { callbackify } from 'node:util'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface ReceivedMail {
  recipients: string[]
  /** Header names in lower case, continuation lines joined. */
  headers: Map<string, string>
  body: string
  encrypted: boolean
}

export interface TestSmtpServer {
  port: number
  received: ReceivedMail[]
  connections(): number
  close(): Promise<void>
}

/** Enables STARTTLS, with a self-signed certificate. */
export const withStartTls: SMTPServerOptions = { disabledCommands: [] }

/** A mail server on loopback that accepts the user `rides` with the password `p@ss/word`. No encryption by default. */
export async function startSmtpServer(options: SMTPServerOptions = {}): Promise<TestSmtpServer> {
  const received: ReceivedMail[] = []
  let connections = 0
  const server = new SMTPServer({
    logger: false,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    allowInsecureAuth: true,
    authOptional: true,
    closeTimeout: 100,
    onConnect: (_session, done) => {
      connections += 1
      done()
    },
    onAuth: ({ username, password }, _session, done) => {
      if (username === 'rides' && password === 'p@ss/word') done(null, { user: username })
      else done(new Error('Invalid username or password'))
    },
    onData: (stream, session, done) => {
      const taken = text(stream).then((raw) => {
        const [head = '', ...body] = raw.split('\r\n\r\n')
        const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
        received.push({
          recipients: session.envelope.rcptTo.map((one) => one.address),
          headers: new Map(lines.map((line) => splitHeader(line))),
          body: body.join('\r\n\r\n'),
          encrypted: session.secure,
        })
      })
      callbackify(() => taken)(done)
    },
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready))
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    connections: () => connections,
    close: () =>
      new Promise((closed) => {
        server.close(closed)
      }),
  }
}

function splitHeader(line: string): [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}

/** Decodes a header value (RFC 2047 encoded words, UTF-8, base64 or quoted-printable). */
export function decodeHeader(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_all, form: string, word: string) =>
      form.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString()
        : decodeQuotedPrintable(word.replaceAll('_', ' ')),
    )
}

/** Decodes quoted-printable UTF-8 text (RFC 2045). */
export function decodeQuotedPrintable(value: string): string {
  const bytes = value
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
