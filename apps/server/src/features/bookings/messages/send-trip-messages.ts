import type { Booking } from '@hansom/domain/bookings/booking'
import { reasonKey } from '@hansom/domain/cancel-reasons/reasons'
import { dropsOf } from '@hansom/domain/deliveries/delivery'
import { translateCopy } from '@hansom/domain/languages/translations'
import {
  isTripMessageDue,
  reminderAt,
  type TripMessage,
  topicOf,
  tripMessageFor,
  tripMessages,
} from '@hansom/domain/messages/trip-message'
import { z } from 'zod'
import type { Mail } from '../../../adapters/mail/port.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { Log } from '../../../platform/log/log.ts'
import { eachInTurn } from '../../../platform/outbox/event.ts'
import type { Outbox } from '../../../platform/outbox/outbox.ts'
import type { CancelReasonsService } from '../../cancel-reasons/service.ts'
import type { CarTypesService } from '../../car-types/service.ts'
import { ignorePermanent } from '../../messages/ignore-permanent.ts'
import type { SendOnce } from '../../messages/send-once.ts'
import type { MessagesService } from '../../messages/service.ts'
import type { Writer, Writers } from '../../messages/write-messages.ts'
import type { UsersService } from '../../users/service.ts'
import {
  type BookingChange,
  bookingChanged,
  changedBookings,
  readBookingChange,
} from '../booking-changed-event.ts'
import { followLinks } from '../follow-links.ts'
import type { BookingsService } from '../service.ts'
import { writeTripMail } from './trip-mail.ts'

export interface TripMessagesDeps {
  database: Pick<Database, 'pool'>
  clock: Pick<Clock, 'now'>
  jobs: Jobs
  outbox: Pick<Outbox, 'onBatch'>
  mail: Mail
  log: Log
  writers: Writers
  sendOnce: SendOnce
  preferences: Pick<MessagesService, 'preferences' | 'unsubscribeUrl'>
  carTypes: Pick<CarTypesService, 'list'>
  cancelReasons: Pick<CancelReasonsService, 'all'>
  users: Pick<UsersService, 'find'>
  bookings: Pick<BookingsService, 'read'>
  /** Whether the user has a device that gets push notifications, which say at once that the driver has arrived. */
  hasDevice(uid: string): Promise<boolean>
  /** The site's public URL, without a trailing slash. */
  siteUrl(): string
}

const job = 'bookings.mail-rider'
/** `tripdate`: the time that a reminder is about. */
const order = z.object({
  booking: z.uuid(),
  message: z.enum(tripMessages),
  version: z.int(),
  tripdate: z.number().nullable(),
})
type TripMessageOrder = z.infer<typeof order>
/** How long an edit waits for the next one, seconds. */
const editingS = 3

/** Events of most commands concern no message: their bookings are not read. */
const concerned: readonly BookingChange['command'][] = [
  'create',
  'capture_payment',
  'choose_payment',
  'change',
  'accept',
  'arrive',
  'find_no_driver',
  'cancel',
]

/**
 * Mails riders about their trips: booked, changed, reminder, driver, arrived, cancelled. The jobs commit with the event;
 * each occasion is mailed once, and not at all once the trip is past it.
 */
export function sendTripMessages(deps: TripMessagesDeps): void {
  const { jobs, outbox, clock } = deps
  jobs.define(job, { schema: order, concurrency: 4 }, (data) => sendOne(deps, data))

  outbox.onBatch(bookingChanged, async (events, tx) => {
    await eachInTurn(events, async ({ payload }) => {
      const change = readBookingChange(payload)
      if (!concerned.includes(change.command)) return
      const record = (await changedBookings(events, tx, clock.now())).get(change.booking)
      if (record === undefined) return
      const { booking } = record
      const data = { booking: booking.id, version: change.version, tripdate: null }
      const message = tripMessageFor(booking, change)
      // Edits that follow at once are one mail: it has the booking as it is then.
      const later =
        message === 'changed' ? { singletonKey: `changed:${booking.id}`, startAfterS: editingS } : {}
      if (message !== null) await jobs.send(job, { ...data, message }, { tx, ...later })
      const startAt = reminderAt(booking, change, clock.now())
      if (startAt === null) return
      const reminder = { ...data, message: 'reminder', tripdate: booking.tripdate }
      const singletonKey = `reminder:${booking.id}:${booking.tripdate}`
      await jobs.send(job, reminder, { tx, startAt, singletonKey })
    })
  })
}

async function sendOne(
  deps: TripMessagesDeps,
  { booking: id, message, version, tripdate }: TripMessageOrder,
) {
  const record = await deps.bookings.read(id)
  if (record === null) return
  const { booking, delivery } = record
  const now = deps.clock.now()
  if (!isTripMessageDue(booking, message, { now, tripdate })) return
  const user = await deps.users.find(booking.customer)
  if (user === null || user.email === null || user.deleted_at !== null) return
  const { email } = user
  const { mails } = await deps.preferences.preferences(user.id)
  if (!mails.includes(topicOf[message])) return
  if (message === 'arrived' && (await deps.hasDevice(user.id))) return
  const chain = await followLinks(deps.database, id, 'rebooked_from')
  const before = booking.rebooked_from === null ? null : await deps.bookings.read(booking.rebooked_from)
  const replaced = before?.booking.booking_id ?? null
  const writer = await deps.writers.writerFor(user.locale)
  const carType = translateCopy(await deps.carTypes.list(), 'name', booking.carType, writer.language)
  const reason = reasonText(booking.reason ?? '', writer, await deps.cancelReasons.all())
  const unsubscribe = deps.preferences.unsubscribeUrl(user.id, topicOf[message])
  const drops = delivery ? dropsOf(delivery).map(({ place }) => place.add) : [booking.drop.add]
  const facts = {
    booking,
    chain,
    replaced,
    carType,
    reason,
    drops,
    now,
    siteUrl: deps.siteUrl(),
    unsubscribe,
  }
  const first = chain.at(-1) ?? id
  const { version: current } = booking
  await deps.sendOnce
    .once(
      occasionOf(message, { id, first, tripdate, version: message === 'changed' ? current : version }),
      () =>
        deps.mail.send({
          to: email,
          ...writeTripMail(writer, message, facts),
          kind: `trip_${message}`,
          params: paramsOf(booking),
          person: user.id,
          unsubscribe,
        }),
    )
    .catch(ignorePermanent(deps.log, `trip_${message}`))
}

/** A reason in the reader's language: one of the platform's own, or of the admins' list. */
const reasonText = (
  reason: string,
  { texts, language }: Writer,
  listed: Awaited<ReturnType<CancelReasonsService['all']>>,
) => translateCopy(listed, 'label', texts[reasonKey(reason)] ?? reason, language)

const paramsOf = ({ booking_id }: Booking) => ({ number: booking_id })

/** What a mail is sent once for: the trip, whose `first` booking may have been replaced, its time, or one version of a booking. */
function occasionOf(
  message: TripMessage,
  { id, first, tripdate, version }: { id: string; first: string; tripdate: number | null; version: number },
): string {
  if (message === 'booked' || message === 'cancelled' || message === 'no_driver') return `${first} ${message}`
  return message === 'reminder' ? `${first} ${message} ${tripdate}` : `${id} ${message} ${version}`
}
