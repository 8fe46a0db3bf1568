import { isOneOf } from '@hansom/domain/bookings/status'
import type { InformProblem, StopWithProofs } from '@hansom/domain/deliveries/delivery'
import {
  type RecipientMessage,
  recipientMessageOf,
  recipientMessages,
} from '@hansom/domain/deliveries/recipient-messages'
import { MessageLimitError } from '@hansom/domain/messages/message-error'
import { maxSmsSegments, smsSegments, writeSms } from '@hansom/domain/messages/sms-length'
import { z } from 'zod'
import type { Mail } from '../../adapters/mail/port.ts'
import type { Sms } from '../../adapters/sms/port.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Log } from '../../platform/log/log.ts'
import { withoutMarks } from '../../platform/mailbox/mail-layout.ts'
import { eachInTurn } from '../../platform/outbox/event.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import { bookingChanged, readBookingChange } from '../bookings/booking-changed-event.ts'
import type { BookingsService } from '../bookings/service.ts'
import { ignorePermanent } from '../messages/ignore-permanent.ts'
import type { Writers } from '../messages/write-messages.ts'
import type { CurrentSettings, SettingsService } from '../settings/service.ts'
import { parsePhone } from '../users/phone-number.ts'
import { createRecipientMessages } from './recipient-messages.ts'
import { arrivalText, cashText, kindOf, nameInText } from './recipient-texts.ts'
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
/** `stop` null: every drop that the message concerns. `part`: only the amount in cash, which did not fit beside the link. */
const order = z.object({
  booking: z.uuid(),
  stop: z.int().nullable(),
  message: z.enum(recipientMessages),
  part: z.literal('cash').optional(),
})
/** The job's name and data before migration 0086. */
const formerJob = 'deliveries.tell-recipient'
const formerOrder = z.object({ booking: z.uuid(), stop: z.int(), text: z.enum(['coming', 'outcome']) })

/**
 * Sends recipients their link, by email or, without one, by text message: once when a courier has taken the delivery, once
 * when their stop has an outcome, and once if the delivery is cancelled, or ended without their stop, after that. Text
 * messages do not announce successes, because each costs money.
 */
export function informRecipients(deps: InformRecipientsDeps): void {
  const { jobs, outbox, bookings, settings, clock, log } = deps
  const messages = createRecipientMessages(deps)

  const send = async (record: LinkedBooking, stop: StopWithProofs, message: RecipientMessage) => {
    const current = await settings.current()
    const { timezone, country } = current
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
    const cash = message === 'coming' ? cashText(record, stop, writer, current) : null
    const { mail, sms } = channelsOf(current)
    const text = isMail ? '' : writer.sms(kind, params)
    const joined = cash === null ? text : writeSms(() => `${text} ${withoutMarks(cash)}`, {})
    const isOne = isMail || smsSegments(joined) <= maxSmsSegments
    const sent = isMail
      ? mail.send({ to, kind, params, ...writer.mail(kind, params, cash ? [{ text: cash }] : []) })
      : sms.send({ to, kind, params, text: isOne ? joined : text })
    try {
      await sent
    } catch (error) {
      ignorePermanent(log, kind)(error)
      return deps.noteNotInformed(id, stop.n, error instanceof MessageLimitError ? 'limit' : 'failed')
    }
    // Apart: if it fails, the recipient still has the link, and a retry does not send that again.
    if (!isOne) await enqueue({ booking: id, stop: stop.n, message, part: 'cash' })
    await messages.noteSent(reserved.path)
  }

  /** Those of a demo end in the mailbox. */
  const channelsOf = ({ AllowCriticalEditsAdmin }: CurrentSettings): Channels =>
    deps.demo || !AllowCriticalEditsAdmin ? deps.mailbox : deps

  const sendCash = async (record: LinkedBooking, stop: StopWithProofs) => {
    const current = await settings.current()
    const to = stop.email === null ? parsePhone(stop.phone, current.country) : null
    const cash = cashText(record, stop, await deps.writers.writerFor(null), current)
    if (to === null || cash === null) return
    const kind = kindOf(stop, 'coming')
    const { sms } = channelsOf(current)
    const text = writeSms(() => withoutMarks(cash), {})
    await sms.send({ to, kind, params: {}, text }).catch(ignorePermanent(log, kind))
  }

  const inform = async ({ booking, stop: number, message, part }: z.infer<typeof order>) => {
    const record = await bookings.read(booking)
    const drops = record?.delivery?.stops.filter(({ kind }) => kind === 'drop') ?? []
    if (number === null) {
      for (const { n } of drops) await enqueue({ booking, stop: n, message })
      return
    }
    const stop = drops.find(({ n }) => n === number)
    if (!record || !stop || !isDue(record, stop, message)) return
    if (part === 'cash') return sendCash(record, stop)
    if (message === 'cancelled' && !(await messages.isInformed(booking, number))) return
    await send(record, stop, message)
  }

  const enqueue = (data: z.infer<typeof order>, tx?: Parameters<Jobs['sendMany']>[1]) =>
    jobs.send(job, data, {
      ...(tx && { tx }),
      singletonKey: [data.booking, data.stop, data.message, data.part ?? []].flat().join(':'),
    })

  jobs.define(job, { schema: order, concurrency: 4 }, inform)
  jobs.define(formerJob, { schema: formerOrder }, ({ text, ...data }) => inform({ ...data, message: text }))

  outbox.onBatch(bookingChanged, async (events, tx) => {
    if ((await settings.current()).category === 'taxi') return
    await eachInTurn(events, async ({ payload }) => {
      const change = readBookingChange(payload)
      const due = recipientMessageOf(change)
      if (!due) return
      // An event written before an upgrade has no stops.
      const stops = due.stops === 'all' || due.stops.length === 0 ? [null] : due.stops
      for (const stop of stops) {
        await enqueue({ booking: change.booking, stop, message: due.message }, tx)
      }
    })
  })
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
