import type { StopWithProofs } from '@hansom/domain/deliveries/delivery'
import { cityTime } from '@hansom/domain/time/city-time'
import { z } from 'zod'
import { type Mail, MailError } from '../../adapters/mail/port.ts'
import { type Sms, SmsError } from '../../adapters/sms/port.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import { createMessages } from '../accounts/mails.ts'
import { bookingChanged, readBookingChange } from '../bookings/booking-changed-event.ts'
import type { BookingsService } from '../bookings/service.ts'
import type { LanguagesService } from '../languages/service.ts'
import type { SettingsService } from '../settings/service.ts'
import { parsePhone } from '../users/phone-number.ts'
import type { LinkedBooking, TripLinksService } from './service.ts'
import { type RecipientText, recipientTexts } from './table.ts'

export interface TellRecipientsDeps {
  jobs: Jobs
  outbox: Pick<Outbox, 'onBatch'>
  mail: Mail
  sms: Sms
  log: Log
  settings: Pick<SettingsService, 'current'>
  languages: Pick<LanguagesService, 'choose' | 'pack'>
  bookings: Pick<BookingsService, 'read'>
  tripLinks: Pick<TripLinksService, 'forRecipient' | 'told'>
  /** The site's public URL, without a trailing slash. */
  siteUrl(): string
}

const job = 'deliveries.tell-recipient'
const order = z.object({ booking: z.uuid(), stop: z.int(), text: z.enum(recipientTexts) })
/** Longest sender and time in a text message, in characters, so that it fits into two messages. */
const maxSender = 24

/**
 * Sends recipients their link, by email or, without one, by text message: once when a courier has taken the delivery, and
 * once when their stop has an outcome. Text messages tell only failures, because each costs money.
 */
export function tellRecipients(deps: TellRecipientsDeps): void {
  const { jobs, outbox, bookings, tripLinks, settings, log } = deps
  const messages = createMessages(deps.languages, settings)

  const send = async (record: LinkedBooking, stop: StopWithProofs, text: RecipientText) => {
    const { timezone, country } = await settings.current()
    const phone = stop.email === null ? parsePhone(stop.phone, country) : null
    const isCostly = stop.email === null && text === 'outcome' && stop.outcome !== 'failed'
    if ((stop.email === null && phone === null) || isCostly) return
    const path = await tripLinks.forRecipient(record.booking.id, stop.n, text)
    if (path === null) return
    const params: Record<string, string> = {
      sender: record.booking.customer_name.replace(/[^\p{L}\p{M}' -]/gu, '').slice(0, maxSender),
      time: cityTime(stop.planned_at, timezone).slice(11, 16),
      link: `${deps.siteUrl()}${path}`,
      ...(stop.code !== null && { code: stop.code }),
    }
    const kind = kindOf(stop, text)
    const written = await messages.write(kind, params, null)
    if (stop.email !== null)
      await deps.mail.send({ to: stop.email, ...written, kind, params }).catch(ignorePermanent)
    else if (phone !== null)
      await deps.sms.send({ to: phone, text: written.text, kind, params }).catch(ignorePermanent)
    await tripLinks.told(path, text)
  }

  const ignorePermanent = (error: unknown) => {
    const isFinal = (error instanceof MailError || error instanceof SmsError) && error.permanent
    if (!isFinal) throw error
    log.warn({ err: error }, 'message to a recipient could not be sent')
  }

  jobs.define(job, { schema: order, concurrency: 4 }, async ({ booking, stop: n, text }) => {
    const record = await bookings.read(booking)
    const stop = record?.delivery?.stops.find((one) => one.n === n && one.kind === 'drop')
    if (!record || !stop || record.booking.status === 'CANCELLED') return
    if (text === 'coming' ? stop.outcome !== null : stop.outcome === null) return
    await send(record, stop, text)
  })

  outbox.onBatch(bookingChanged, async (events, tx) => {
    if ((await settings.current()).category === 'taxi') return
    for (const { payload } of events) {
      const { booking, command } = readBookingChange(payload)
      const text =
        command === 'accept' ? 'coming' : command === 'deliver' || command === 'fail_drop' ? 'outcome' : null
      const record = text && (await bookings.read(booking))
      if (!text || !record) continue
      for (const { n, kind, outcome } of record.delivery?.stops ?? []) {
        if (kind !== 'drop' || (outcome === null) !== (text === 'coming')) continue
        const singletonKey = `${booking}:${n}:${text}`
        await jobs.send(job, { booking, stop: n, text }, { tx, singletonKey })
      }
    }
  })
}

/** The message's kind, which is part of its text keys. */
function kindOf({ email, code, outcome }: StopWithProofs, text: RecipientText): string {
  const isMail = email !== null
  if (text === 'coming') {
    if (code === null) return isMail ? 'parcel_coming_mail' : 'parcel_coming_sms'
    return isMail ? 'parcel_coming_code_mail' : 'parcel_coming_code_sms'
  }
  if (outcome === 'failed') return isMail ? 'parcel_failed_mail' : 'parcel_failed_sms'
  return 'parcel_delivered_mail'
}
