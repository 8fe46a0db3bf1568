import { type Mail, MailError } from './adapters/mail/port.ts'
import { type Sms, SmsError } from './adapters/sms/port.ts'
import { WindowCounter } from './platform/http/limits.ts'

const hourMs = 3_600_000

/** Hourly limits for all callers together: bound the cost, and protect the sender's reputation, in an attack. */
export const messagesPerHour = { mails: 6_000, texts: 3_000 }

/** Wraps mail and text messages with an overall limit. Exceeding it is a temporary failure. */
export function limitMessages({ mail, sms }: { mail: Mail; sms: Sms }, most = messagesPerHour) {
  const counts = new WindowCounter(2)
  const isOver = (kind: keyof typeof messagesPerHour) => counts.add(kind, hourMs).count > most[kind]
  return {
    mail: {
      send: async (message) => {
        if (isOver('mails')) throw new MailError(`more than ${most.mails} mails in an hour`, false)
        await mail.send(message)
      },
      close: () => mail.close(),
    } satisfies Mail,
    sms: {
      send: async (message) => {
        if (isOver('texts')) throw new SmsError(`more than ${most.texts} text messages in an hour`, false)
        await sms.send(message)
      },
    } satisfies Sms,
  }
}
