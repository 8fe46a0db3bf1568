import { MessageLimitError } from '@hansom/domain/messages/message-error'
import { smsSegments } from '@hansom/domain/messages/sms-length'
import { essentialMessages } from '@hansom/domain/messages/topics'
import { type Mail, MailError } from './adapters/mail/port.ts'
import { type Sms, SmsError, type SmsMessage } from './adapters/sms/port.ts'
import { type CommonCounts, countTogether } from './platform/http/window-counts.ts'
import type { LimitedChannel, MessageCounts } from './platform/mailbox/message-counts.ts'
import { metrics } from './platform/metrics/metrics.ts'

const hourMs = 3_600_000

/** Hourly limits for all callers together: bound the cost, and protect the sender's reputation, in an attack. */
export const messagesPerHour = { mails: 6_000, texts: 3_000 }

interface LimitedPorts {
  mail: Mail
  sms: Sms
  counts: Pick<MessageCounts, 'take' | 'giveBack'>
  /** Counts the messages of all servers. Default: this server's. */
  common?: CommonCounts | undefined
}

/**
 * Wraps mail and text messages with the overall limits. Exceeding the hourly one is a temporary failure, so jobs retry; a
 * message beyond a daily one is counted as dropped, and fails for good.
 * Long text messages count as several, as they cost.
 */
export function limitMessages({ mail, sms, counts, common }: LimitedPorts, most = messagesPerHour) {
  const hours = countTogether('messages', 2, common)
  const isOver = async (channel: LimitedChannel) =>
    (await hours.add(channel, hourMs, most[channel])).count > most[channel]

  const send = async (
    channel: LimitedChannel,
    { to, person, kind }: Pick<SmsMessage, 'to' | 'person' | 'kind'>,
    parts: number,
    deliver: () => Promise<void>,
  ) => {
    const message = { channel, to, person, essential: essentialMessages.includes(kind), parts }
    if (!(await counts.take(message))) {
      metrics.messages.inc({ channel, result: 'limited' })
      throw new MessageLimitError()
    }
    try {
      await deliver()
      metrics.messages.inc({ channel, result: 'sent' })
    } catch (error) {
      metrics.messages.inc({ channel, result: 'failed' })
      await counts.giveBack(message)
      throw error
    }
  }

  return {
    mail: {
      send: async (message) => {
        if (await isOver('mails')) throw new MailError(`more than ${most.mails} mails in an hour`, false)
        await send('mails', message, 1, () => mail.send(message))
      },
      close: () => mail.close(),
    } satisfies Mail,
    sms: {
      send: async (message) => {
        if (await isOver('texts'))
          throw new SmsError(`more than ${most.texts} text messages in an hour`, false)
        await send('texts', message, smsSegments(message.text), () => sms.send(message))
      },
    } satisfies Sms,
  }
}
