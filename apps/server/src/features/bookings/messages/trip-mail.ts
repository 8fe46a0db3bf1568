import { fareToPay } from '@hansom/domain/bookings/amounts'
import type { Booking } from '@hansom/domain/bookings/booking'
import { calendarFile } from '@hansom/domain/messages/calendar'
import { reminderLeadMs, type TripMessage } from '@hansom/domain/messages/trip-message'
import { moneyText } from '@hansom/domain/money/amount'
import type { MailAttachment } from '../../../adapters/mail/port.ts'
import type { MailBlock } from '../../../platform/mailbox/mail-layout.ts'
import type { Writer, WrittenMail } from '../../messages/write-messages.ts'

/** What a mail about a trip needs besides the booking. */
export interface TripMailFacts {
  booking: Booking
  /** The ids of this booking and those it replaced, newest first. */
  chain: readonly string[]
  /** The number of the booking that this one replaces; null if none. */
  replaced: string | null
  /** The car type in the reader's language. */
  carType: string
  /** Why a cancelled trip was cancelled, in the reader's language; empty if unknown. */
  reason: string
  /** Drops of a delivery with several; otherwise the booking's drop. */
  drops: readonly string[]
  /** Epoch ms. */
  now: number
  siteUrl: string
  unsubscribe: string
}

/** Mails in which a fare would be read as a charge, or is of no use. */
const withoutFare: readonly TripMessage[] = ['arrived', 'cancelled', 'no_driver']

/** More than any booking has versions: a booking that replaces another one continues its calendar entry. */
const versionsOfBooking = 10_000

/** A mail about a trip, in the reader's language, with a calendar entry if the trip has a time. */
export function writeTripMail(
  writer: Writer,
  message: TripMessage,
  facts: TripMailFacts,
): WrittenMail & { attachments: MailAttachment[] } {
  const { booking, siteUrl, unsubscribe } = facts
  const link = `${siteUrl}/trip/${booking.id}`
  const params = { number: booking.booking_id }
  const isOver = message === 'cancelled' || message === 'no_driver'
  const written = writer.layout({
    subject: writer.fill(`mail.trip_${message}.subject`, params),
    blocks: [
      ...introOf(writer, message, facts),
      { facts: factsOf(writer, message, facts) },
      ...(isOver
        ? [{ button: writer.fill('mail.trip.book_again'), url: siteUrl }]
        : [{ button: writer.fill('mail.trip.open'), url: link }]),
    ],
    footer: [{ link: writer.fill('mail.unsubscribe.title'), url: unsubscribe }],
  })
  const changesCalendar = message !== 'reminder' && message !== 'arrived'
  return {
    ...written,
    attachments: booking.bookLater && changesCalendar ? [calendarOf(writer, message, facts)] : [],
  }
}

/** What happened: who cancelled a trip, and that it cost nothing; why the number changed before a driver was found or not. */
function introOf(writer: Writer, message: TripMessage, { booking, replaced }: TripMailFacts): MailBlock[] {
  const text = { text: writer.fill(`mail.trip_${message}.text`, { number: booking.booking_id }) }
  if ((message === 'driver' || message === 'no_driver') && replaced !== null) {
    const numbers = { booking_id: replaced, next_booking_id: booking.booking_id }
    return [{ text: writer.fill('notify.looking_again.msg', numbers) }, text]
  }
  if (message !== 'cancelled') return [text]
  const { cancelledBy } = booking
  const isKnown = cancelledBy !== null && cancelledBy !== 'system'
  // A prepaid amount was taken before, and goes back.
  const isFree = booking.cancellation_fee === 0 && !booking.prepaid
  return [
    isKnown ? { text: writer.fill(`mail.trip_cancelled.${cancelledBy}`) } : text,
    ...(isFree ? [{ text: writer.fill('trip.rider_next_CANCELLED_free') }] : []),
  ]
}

function factsOf(
  writer: Writer,
  message: TripMessage,
  { booking, carType, drops, reason }: TripMailFacts,
): [string, string][] {
  const labels: Record<string, string> = { reason: 'trip.reason_label', fee: 'trip.cancellation_fee' }
  const label = (name: string) => writer.fill(labels[name] ?? `mail.fact.${name}`)
  const money = (amount: number) => moneyText(amount, booking.decimal, settings)
  const { settings } = writer
  const hasDriver =
    booking.driver !== null && (message === 'driver' || message === 'arrived' || message === 'reminder')
  const car = [booking.vehicle_make, booking.vehicle_model].filter(Boolean).join(' ')
  const rows: [string, string | null][] = [
    ['reason', message === 'cancelled' ? reason : null],
    ['fee', message === 'cancelled' && booking.cancellation_fee > 0 ? money(booking.cancellation_fee) : null],
    ['when', booking.bookLater ? writer.time(booking.tripdate) : null],
    ['pickup', booking.pickup.add],
    ...drops.map((add, index): [string, string] => [drops.length > 1 ? `drop ${index + 1}` : 'drop', add]),
    ['driver', hasDriver ? booking.driver_name : null],
    ['vehicle', hasDriver ? [car || carType, booking.vehicle_number].filter(Boolean).join(' · ') : null],
    ['car_type', hasDriver ? null : carType],
    ['fare', withoutFare.includes(message) ? null : money(fareToPay(booking))],
    ['number', booking.booking_id],
  ]
  return rows.flatMap(([name, value]): [string, string][] => {
    const [key = '', number] = name.split(' ')
    return value ? [[number ? `${label(key)} ${number}` : label(key), value]] : []
  })
}

function calendarOf(writer: Writer, message: TripMessage, facts: TripMailFacts): MailAttachment {
  const { booking, chain, drops, now, siteUrl } = facts
  const { settings } = writer
  const link = `${siteUrl}/trip/${booking.id}`
  const { method, content } = calendarFile({
    uid: `${chain.at(-1) ?? booking.id}@${new URL(siteUrl).hostname}`,
    sequence: (chain.length - 1) * versionsOfBooking + booking.version,
    writtenAt: now,
    from: booking.tripdate,
    to: booking.tripdate + booking.estimateTime * 1000,
    title: writer.fill('mail.trip.calendar', { drop: drops.at(-1) ?? booking.drop.add }),
    description: [...factsOf(writer, message, facts).map((fact) => writer.labeled(...fact)), link].join('\n'),
    location: booking.pickup.add,
    url: link,
    organizer: {
      name: settings.CompanyName || settings.appName,
      uri: settings.contact_email ? `mailto:${settings.contact_email}` : siteUrl,
    },
    alarmMinutes: reminderLeadMs / 60_000,
    cancelled: message === 'cancelled' || message === 'no_driver',
  })
  return { filename: 'trip.ics', contentType: `text/calendar; charset=utf-8; method=${method}`, content }
}
