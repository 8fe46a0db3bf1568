import { isOneOf } from '@hansom/domain/bookings/status'
import { cashDueAt } from '@hansom/domain/deliveries/cash'
import { expectedAt, type InformProblem, type StopWithProofs } from '@hansom/domain/deliveries/delivery'
import {
  type RecipientMessage,
  recipientMessageOf,
  recipientMessages,
} from '@hansom/domain/deliveries/recipient-messages'
import { MessageLimitError } from '@hansom/domain/messages/message-error'
import { maxSmsSegments, smsSegments } from '@hansom/domain/messages/sms-length'
import { moneyText } from '@hansom/domain/money/amount'
import { firstCharacters } from '@hansom/domain/notifications/shortened'
import { cityDay } from '@hansom/domain/time/city-time'
import { z } from 'zod'
import type { Mail } from '../../adapters/mail/port.ts'
import type { Sms, SmsMessage } from '../../adapters/sms/port.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Log } from '../../platform/log/log.ts'
import { withoutMarks } from '../../platform/mailbox/mail-layout.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import { bookingChanged, readBookingChange } from '../bookings/booking-changed-event.ts'
import type { BookingsService } from '../bookings/service.ts'
import { ignorePermanent } from '../messages/ignore-permanent.ts'
import type { Writers } from '../messages/write-messages.ts'
import type { SettingsService } from '../settings/service.ts'
import { parsePhone } from '../users/phone-number.ts'
import { createRecipientMessages } from './recipient-messages.ts'
import type { LinkedBooking } from './service.ts'

interface Channels {
  mail: Pick<Mail, 'send'>
  sms: Sms
}

export interface InformRecipientsDeps extends Channels {
  jobs: Jobs
  outbox: Pick<Outbox, 'onBatch'>
  clock: Pick<Clock, 'now'>
  log: Log
  settings: Pick<SettingsService, 'current'>
  writers: Writers
  bookings: Pick<BookingsService, 'read'>
  database: Database
  /** Stores messages in the mailbox: those of a demo do not leave it. */
  mailbox: Channels
  demo: boolean
  /** Shows the sender that a message did not reach a recipient. */
  noteNotInformed(booking: string, stop: number, problem: InformProblem): Promise<void>
  /** The site's public URL, without a trailing slash. */
  siteUrl(): string
}

const job = 'deliveries.inform-recipient'
/** `stop` null: every drop that the message concerns. */
const order = z.object({
  booking: z.uuid(),
  stop: z.int().nullable(),
  message: z.enum(recipientMessages),
})
/** The job's name and data before migration 0086. */
const formerJob = 'deliveries.tell-recipient'
const formerOrder = z.object({ booking: z.uuid(), stop: z.int(), text: z.enum(['coming', 'outcome']) })
/** Longest sender's name in a message, in characters, so that a text message fits into two. */
const maxSender = 24

/**
 * Sends recipients their link, by email or, without one, by text message: once when a courier has taken the delivery, once
 * when their stop has an outcome, and once if the delivery is cancelled, or ended without their stop, after that. Text messages do not announce
 * successes, because each costs money.
 */
export function informRecipients(deps: InformRecipientsDeps): void {
  const { jobs, outbox, bookings, settings, clock, log } = deps
  const messages = createRecipientMessages(deps)

  const send = async (record: LinkedBooking, stop: StopWithProofs, message: RecipientMessage) => {
    const current = await settings.current()
    const { timezone, country, AllowCriticalEditsAdmin } = current
    const { id, customer } = record.booking
    const isMail = stop.email !== null
    const to = stop.email ?? parsePhone(stop.phone, country)
    if (!isMail && message === 'outcome' && stop.outcome !== 'failed') return
    if (to === null) return deps.noteNotInformed(id, stop.n, 'failed')
    const reserved = await messages.reserve({
      booking: id,
      sender: customer,
      stop: stop.n,
      message,
      to,
      channel: isMail ? 'mails' : 'texts',
      timezone,
      isCurrent: (now) => isSame(now, stop) && isDue(now, stop, message),
    })
    // After a correction, a job of its own informs the recipient.
    if (reserved === 'sent' || reserved === 'outdated') return
    if (reserved === 'limit') return deps.noteNotInformed(id, stop.n, 'limit')
    const writer = await deps.writers.writerFor(null)
    const params: Record<string, string> = {
      sender: nameInText(record.booking.customer_name),
      ...(message === 'coming' && {
        time: arrivalText(record, stop, clock.now(), {
          locale: writer.dateLocale,
          timezone,
          isShort: !isMail,
        }),
      }),
      ...(message === 'coming' && stop.code !== null && { code: stop.code }),
      ...(message !== 'cancelled' && { link: `${deps.siteUrl()}${reserved.path}` }),
    }
    const kind = kindOf(stop, message)
    const due =
      message === 'coming' && record.delivery ? cashDueAt(record.booking, record.delivery, stop) : null
    const cash =
      due && writer.fill('mail.parcel_cash.text', { amount: moneyText(due, record.booking.decimal, current) })
    const { mail, sms } = deps.demo || !AllowCriticalEditsAdmin ? deps.mailbox : deps
    const sent = isMail
      ? mail.send({ to, kind, params, ...writer.mail(kind, params, cash ? [{ text: cash }] : []) })
      : sendTexts(sms, { to, kind, params, text: writer.sms(kind, params) }, cash ? withoutMarks(cash) : null)
    try {
      await sent
    } catch (error) {
      ignorePermanent(log, kind)(error)
      return deps.noteNotInformed(id, stop.n, error instanceof MessageLimitError ? 'limit' : 'failed')
    }
    await messages.noteSent(reserved.path)
  }

  const inform = async ({ booking, stop: number, message }: z.infer<typeof order>) => {
    const record = await bookings.read(booking)
    const drops = record?.delivery?.stops.filter(({ kind }) => kind === 'drop') ?? []
    if (number === null) {
      for (const { n } of drops) await enqueue({ booking, stop: n, message })
      return
    }
    const stop = drops.find(({ n }) => n === number)
    if (!record || !stop || !isDue(record, stop, message)) return
    if (message === 'cancelled' && !(await messages.isInformed(booking, number))) return
    await send(record, stop, message)
  }

  const enqueue = (data: z.infer<typeof order>, tx?: Parameters<Jobs['sendMany']>[1]) =>
    jobs.send(job, data, {
      ...(tx && { tx }),
      singletonKey: `${data.booking}:${data.stop}:${data.message}`,
    })

  jobs.define(job, { schema: order, concurrency: 4 }, inform)
  jobs.define(formerJob, { schema: formerOrder }, ({ text, ...data }) => inform({ ...data, message: text }))

  outbox.onBatch(bookingChanged, async (events, tx) => {
    if ((await settings.current()).category === 'taxi') return
    for (const { payload } of events) {
      const change = readBookingChange(payload)
      const due = recipientMessageOf(change)
      if (!due) continue
      // An event written before an upgrade has no stops.
      const stops = due.stops === 'all' || due.stops.length === 0 ? [null] : due.stops
      for (const stop of stops) {
        await enqueue({ booking: change.booking, stop, message: due.message }, tx)
      }
    }
  })
}

/** A person's name in a message to others: too short for a sentence, and without what could be a link. */
export const nameInText = (name: string): string =>
  firstCharacters(name.replace(/[^\p{L}\p{M}' -]/gu, ''), maxSender)

/** Sends a text with a further sentence: in one message if it fits, otherwise as another one. */
async function sendTexts(sms: Sms, message: SmsMessage, more: string | null): Promise<void> {
  const joined = more === null ? message.text : `${message.text} ${more}`
  const isOne = smsSegments(joined) <= maxSmsSegments
  await sms.send({ ...message, text: isOne ? joined : message.text })
  if (!isOne && more !== null) await sms.send({ ...message, text: more })
}

/** The stop still has the contact and code that were read. */
function isSame({ delivery }: LinkedBooking, { n, email, phone, code }: StopWithProofs): boolean {
  const now = delivery?.stops.find((stop) => stop.n === n)
  return now !== undefined && now.email === email && now.phone === phone && now.code === code
}

/** The message still says how things are. */
function isDue({ booking }: LinkedBooking, { outcome }: StopWithProofs, message: RecipientMessage): boolean {
  const { status, rebooked_as } = booking
  if (outcome === 'not_done') return message === 'cancelled'
  if (message === 'cancelled') return status === 'CANCELLED' && rebooked_as === null && outcome === null
  if (message === 'outcome') return status !== 'CANCELLED' && outcome !== null
  return isOneOf(['ACCEPTED', 'ARRIVED', 'STARTED'], status) && outcome === null
}

/** When the parcel is expected, with the day unless that is today. */
function arrivalText(
  { delivery }: LinkedBooking,
  stop: StopWithProofs,
  now: number,
  { locale, timezone, isShort }: { locale: string; timezone: string; isShort: boolean },
): string {
  const at = delivery ? expectedAt(delivery, stop, now) : Math.max(now, stop.planned_at)
  const isToday = cityDay(at, timezone) === cityDay(now, timezone)
  return new Intl.DateTimeFormat(locale, {
    timeZone: timezone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(!isToday && { day: 'numeric', month: isShort ? 'short' : 'long' }),
    ...(!isToday && !isShort && { weekday: 'long' }),
  }).format(at)
}

/** The message's kind, which is part of its text keys. */
function kindOf({ email, code, outcome }: StopWithProofs, message: RecipientMessage): string {
  const isText = email === null
  if (message === 'cancelled') return isText ? 'parcel_cancelled_sms' : 'parcel_cancelled_mail'
  if (message === 'outcome') {
    if (outcome !== 'failed') return 'parcel_delivered_mail'
    return isText ? 'parcel_failed_sms' : 'parcel_failed_mail'
  }
  if (code === null) return isText ? 'parcel_coming_sms' : 'parcel_coming_mail'
  return isText ? 'parcel_coming_code_sms' : 'parcel_coming_code_mail'
}
