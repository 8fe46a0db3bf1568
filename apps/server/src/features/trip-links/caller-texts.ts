import type { Booking } from '@hansom/domain/bookings/booking'
import { type CallerText, callerTextFor, callerTexts } from '@hansom/domain/bookings/caller-text'
import { changeableFields } from '@hansom/domain/bookings/transitions'
import { translateCopy } from '@hansom/domain/languages/translations'
import { isTripMessageDue, reminderAt } from '@hansom/domain/messages/trip-message'
import { z } from 'zod'
import type { Sms } from '../../adapters/sms/port.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Log } from '../../platform/log/log.ts'
import { eachInTurn } from '../../platform/outbox/event.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import { bookingChanged, changedBookings, readBookingChange } from '../bookings/booking-changed-event.ts'
import type { BookingsService } from '../bookings/service.ts'
import type { CarTypesService } from '../car-types/service.ts'
import { ignorePermanent } from '../messages/ignore-permanent.ts'
import type { SendOnce } from '../messages/send-once.ts'
import type { MessagesService } from '../messages/service.ts'
import type { Writers } from '../messages/write-messages.ts'
import type { UsersService } from '../users/service.ts'
import { type CallerParamsDeps, paramsFor } from './caller-params.ts'

export interface CallerTextsDeps extends CallerParamsDeps {
  jobs: Jobs
  outbox: Pick<Outbox, 'onBatch'>
  sms: Sms
  log: Log
  writers: Writers
  carTypes: Pick<CarTypesService, 'list'>
  users: Pick<UsersService, 'find'>
  bookings: Pick<BookingsService, 'read'>
  preferences: Pick<MessagesService, 'preferences'>
  sendOnce: SendOnce
  clock: Pick<Clock, 'now'>
  /** Whether the user has a device that gets push notifications, which say the same at once. */
  hasDevice(uid: string): Promise<boolean>
}

const job = 'bookings.text-caller'
const messageOf: Readonly<Record<CallerText, string>> = {
  accepted: 'caller_accepted',
  arrived: 'caller_arrived',
  replaced: 'caller_replaced',
  changed: 'caller_changed',
  cancelled: 'caller_cancelled',
  no_driver: 'caller_no_driver',
  reminder: 'caller_reminder',
}
/** `tripdate`: the time that a reminder is about. Jobs of an earlier release have neither. */
const order = z.object({
  booking: z.uuid(),
  text: z.enum(callerTexts),
  version: z.int().default(0),
  tripdate: z.number().nullable().default(null),
})
/** How long an edit waits for the next one, seconds. */
const editingS = 3

/**
 * Texts the callers of trips that the office booked, and riders who want it: plate, arrival time and trip link at
 * acceptance, what changes later, and a reminder. The jobs are enqueued with the event, so every occasion is texted once.
 */
export function textCallers(deps: CallerTextsDeps): void {
  const { jobs, outbox, preferences, clock } = deps
  jobs.define(job, { schema: order, concurrency: 4 }, (data) => textOne(deps, data))

  outbox.onBatch(bookingChanged, async (events, tx) => {
    await eachInTurn(events, async ({ payload }) => {
      const change = readBookingChange(payload)
      const { booking: id, version } = change
      // Reads the booking only for changes that some booking is texted about.
      const mayText = callerTextFor({ booking_type_admin: true, rebooked_as: null }, change) !== null
      const mayRemind = change.to === 'NEW' || change.command === 'change'
      if (!mayText && !mayRemind) return
      const record = (await changedBookings(events, tx, clock.now())).get(id)
      if (record === undefined) return
      const { booking } = record
      const wantsTexts =
        !booking.booking_type_admin && (await preferences.preferences(booking.customer)).texts
      const text = callerTextFor(booking, change, wantsTexts)
      // Edits that follow at once are one text: it has the booking as it is then.
      const once = text === 'changed' ? { singletonKey: `changed:${id}`, startAfterS: editingS } : {}
      if (text !== null) await jobs.send(job, { booking: id, text, version, tripdate: null }, { tx, ...once })
      const startAt =
        booking.booking_type_admin || wantsTexts ? reminderAt(booking, change, clock.now()) : null
      if (startAt === null) return
      const { tripdate } = booking
      const singletonKey = `reminder:${id}:${tripdate}`
      await jobs.send(
        job,
        { booking: id, text: 'reminder', version, tripdate },
        { tx, startAt, singletonKey },
      )
    })
  })
}

async function textOne(
  deps: CallerTextsDeps,
  { booking: id, text, version, tripdate }: z.infer<typeof order>,
) {
  const { bookings, users, writers, sms, log } = deps
  const record = await bookings.read(id)
  if (record === null) return
  const { booking } = record
  const user = await users.find(booking.customer)
  if (user === null || user.deleted_at !== null || user.mobile === null) return
  const { mobile } = user
  if (isOutdated(booking, text, { now: deps.clock.now(), tripdate })) return
  const isOwn = !booking.booking_type_admin
  if (isOwn && (user.mobile_verified_at === null || !(await deps.preferences.preferences(user.id)).texts))
    return
  if (isOwn && (await deps.hasDevice(user.id))) return
  // The office reminds guests; an account gets its reminder by email.
  if (text === 'reminder' && !isOwn && user.email !== null) return
  const writer = await writers.writerFor(user.locale)
  const carType = translateCopy(await deps.carTypes.list(), 'name', booking.carType, writer.language)
  const named = { ...booking, carType }
  const of = text === 'changed' ? booking.version : (tripdate ?? version)
  await deps.sendOnce
    .once(`${id} sms ${text} ${of}`, async () => {
      const params = await paramsFor(deps, named, text)
      const kind = kindOf(text, { isOwn, params })
      await sms.send({ to: mobile, text: writer.sms(kind, params), kind, params, person: user.id })
    })
    .catch(ignorePermanent(log, text))
}

/** The message's kind, which is part of its text key. Riders book again in the app, callers with the office. */
function kindOf(
  text: CallerText,
  { isOwn, params }: { isOwn: boolean; params: Record<string, string> },
): string {
  if (params.code) return 'caller_accepted_code'
  if (text === 'changed' && !params.when) return 'caller_changed_now'
  if (isOwn && text === 'cancelled') return 'rider_cancelled'
  return isOwn && text === 'no_driver' ? 'rider_no_driver' : messageOf[text]
}

/** The driver or trip has changed since; a newer text says so. */
function isOutdated(
  booking: Booking,
  text: CallerText,
  reminder: { now: number; tripdate: number | null },
): boolean {
  const { status } = booking
  if (text === 'reminder') return !isTripMessageDue(booking, 'reminder', reminder)
  if (text === 'accepted') return status !== 'ACCEPTED'
  if (text === 'changed') return changeableFields(booking, 'admin', false).length === 0
  return text === 'arrived' && status !== 'ARRIVED'
}
