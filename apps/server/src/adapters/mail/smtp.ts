import { createTransport } from 'nodemailer'
import type { SMTPPoolOptions } from 'nodemailer/lib/smtp-pool'
import { checkRecipient, type Mail, MailError } from './port.ts'

export interface SmtpOptions {
  /** `smtps://user:password@host:465` or `smtp://user:password@host:587`; user and password percent-encoded. */
  url: string
  /** `rides@example.org` or `Rides <rides@example.org>` */
  from: string
}

/** Mail through an SMTP server. */
export function smtpMail({ url, from }: SmtpOptions): Mail {
  return mailOverTransport(smtpTransport(url), from)
}

const ownMachine = ['localhost', '127.0.0.1', '[::1]']

/**
 * Connection options for a mail server URL: `smtps:` uses TLS from the first byte, `smtp:` requires STARTTLS, except
 * for a server on this machine, which is used unencrypted. Certificates are always verified. Times in ms.
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

/** Mail through a given transport. */
export function mailOverTransport(transport: SMTPPoolOptions & { pool: true }, from: string): Mail {
  const transporter = createTransport(transport)
  return {
    send: async ({ to, subject, text, html, kind, unsubscribe, attachments = [] }) => {
      checkRecipient(to)
      try {
        await transporter.sendMail({
          from,
          to: { name: '', address: to },
          subject: subject.replace(/\s+/g, ' '),
          text,
          html,
          attachments: [...attachments],
          headers: {
            // Prevents vacation replies and other automatic responses (RFC 3834).
            'Auto-Submitted': 'auto-generated',
            'X-Message-Kind': kind,
            ...(unsubscribe && {
              // Prepared: the library would fold the URL, which RFC 8058 signers and readers do not expect.
              'List-Unsubscribe': { prepared: true, value: `<${unsubscribe}>` },
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }),
          },
        })
      } catch (error) {
        throw asMailError(error)
      }
    },
    close: () => transporter.close(),
  }
}

/** Error codes of rejected messages. Server and network errors are temporary. */
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
