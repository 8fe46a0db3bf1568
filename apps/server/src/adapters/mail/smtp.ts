import { createTransport } from 'nodemailer'
import type { SMTPPoolOptions } from 'nodemailer/lib/smtp-pool'
import { checkRecipient, type Mail, MailError } from './port.ts'

export interface SmtpOptions {
  /** `smtps://user:password@host:465` or `smtp://user:password@host:587`; user and password percent-encoded. */
  url: string
  /** `rides@example.org` or `Rides <rides@example.org>` */
  from: string
}

/** Mail through a server that speaks SMTP. */
export function smtpMail({ url, from }: SmtpOptions): Mail {
  return mailThrough(smtpTransport(url), from)
}

const ownMachine = ['localhost', '127.0.0.1', '[::1]']

/**
 * How to reach the mail server of an address: encrypted from the first byte with `smtps:`, and with `smtp:`
 * encrypted before anything is told (STARTTLS), or not at all when the server runs on this machine.
 * Certificates are always verified. Times in ms.
 */
export function smtpTransport(url: string): SMTPPoolOptions & { pool: true } {
  const { protocol, hostname, port, username, password } = new URL(url)
  const secure = protocol === 'smtps:'
  const isOwnMachine = ownMachine.includes(hostname)
  return {
    pool: true,
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && !isOwnMachine,
    ignoreTLS: !secure && isOwnMachine,
    tls: { minVersion: 'TLSv1.2' },
    auth:
      username === ''
        ? undefined
        : { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    maxConnections: 3,
    maxMessages: 100,
    maxRequeues: 1,
    idleTimeout: 60_000,
    dnsTimeout: 5_000,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** Mail over a transport that is described already. */
export function mailThrough(transport: SMTPPoolOptions & { pool: true }, from: string): Mail {
  const transporter = createTransport(transport)
  return {
    send: async ({ to, subject, text, html, kind }) => {
      checkRecipient(to)
      try {
        await transporter.sendMail({
          from,
          to: { name: '', address: to },
          subject: subject.replace(/\s+/g, ' '),
          text,
          html,
          // Keeps holiday replies and the like from answering a machine (RFC 3834).
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Message-Kind': kind },
        })
      } catch (error) {
        throw asMailError(error)
      }
    },
    close: () => transporter.close(),
  }
}

/** Refusals of the message itself; whatever is wrong with the server or the way to it may pass. */
const refusals = ['EENVELOPE', 'EMESSAGE']

function asMailError(error: unknown): MailError {
  const code = read(error, 'code')
  const answer = read(error, 'responseCode')
  const permanent = refusals.includes(code) && !answer.startsWith('4')
  return new MailError(`the mail was not sent: ${[code, answer].filter(Boolean).join(' ')}`, permanent)
}

function read(error: unknown, name: 'code' | 'responseCode'): string {
  if (!(error instanceof Error) || !(name in error)) return ''
  return String((error as Error & Record<typeof name, unknown>)[name] ?? '')
}
