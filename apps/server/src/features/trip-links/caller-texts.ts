import { fareToPay } from '@hansom/domain/bookings/amounts'
import type { Booking } from '@hansom/domain/bookings/booking'
import { type CallerText, callerTextFor, callerTexts } from '@hansom/domain/bookings/caller-text'
import { changeableFields } from '@hansom/domain/bookings/transitions'
import { Refusal } from '@hansom/domain/error-keys'
import { translateCopy } from '@hansom/domain/languages/translations'
import { moneyText } from '@hansom/domain/money/amount'
import { cityTime } from '@hansom/domain/time/city-time'
import { z } from 'zod'
import { type Sms, SmsError } from '../../adapters/sms/port.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import { createMessages } from '../accounts/mails.ts'
import { bookingChanged, readBookingChange } from '../bookings/booking-changed-event.ts'
import type { BookingsService } from '../bookings/service.ts'
import type { CarTypesService } from '../car-types/service.ts'
import type { LanguagesService } from '../languages/service.ts'
import type { SettingsService } from '../settings/service.ts'
import type { UsersService } from '../users/service.ts'
import type { TripLinksService } from './service.ts'

export interface CallerTextsDeps {
  jobs: Jobs
  outbox: Pick<Outbox, 'onBatch'>
  sms: Sms
  log: Log
  settings: Pick<SettingsService, 'current'>
  languages: Pick<LanguagesService, 'choose' | 'pack'>
  carTypes: Pick<CarTypesService, 'list'>
  users: Pick<UsersService, 'find'>
  bookings: Pick<BookingsService, 'read'>
  tripLinks: Pick<TripLinksService, 'create'>
  /** The site's public URL, without a trailing slash. */
  siteUrl(): string
}

const job = 'bookings.text-caller'
const messageOf: Readonly<Record<CallerText, string>> = {
  accepted: 'caller_accepted',
  arrived: 'caller_arrived',
  replaced: 'caller_replaced',
  changed: 'caller_changed',
  cancelled: 'caller_cancelled',
  no_driver: 'caller_no_driver',
}
const order = z.object({ booking: z.uuid(), text: z.enum(callerTexts) })
/** How long an edit waits for the next one, seconds. */
const editingS = 3
/** Longest car name, plate and address in a text, in characters, so that it fits into two messages. */
const maxCarName = 18
const maxAddress = 22

/**
 * Texts the callers of trips that the office booked: plate, arrival time and trip link at acceptance, and what changes
 * later. The jobs are enqueued with the event, so every occasion is texted once.
 */
export function textCallers(deps: CallerTextsDeps): void {
  const { jobs, outbox, bookings, users, settings, sms, log } = deps
  const messages = createMessages(deps.languages, settings)

  jobs.define(job, { schema: order, concurrency: 4 }, async ({ booking: id, text }) => {
    const record = await bookings.read(id)
    if (record === null) return
    const { booking } = record
    const user = await users.find(booking.customer)
    if (user === null || user.deleted_at !== null || user.mobile === null) return
    if (isOutdated(booking, text)) return
    const { langLocale } = await deps.languages.choose(user.locale === null ? [] : [user.locale])
    const carType = translateCopy(await deps.carTypes.list(), 'name', booking.carType, langLocale)
    const named = { ...booking, carType }
    const params = await paramsFor(deps, named, text)
    const kind = params.code
      ? 'caller_accepted_code'
      : text === 'changed' && !params.when
        ? 'caller_changed_now'
        : messageOf[text]
    const { text: written } = await messages.write(kind, params, user.locale)
    await sms.send({ to: user.mobile, text: written, kind, params }).catch((error: unknown) => {
      if (!(error instanceof SmsError && error.permanent)) throw error
      log.warn({ err: error, kind }, 'text message could not be sent')
    })
  })

  outbox.onBatch(bookingChanged, async (events, tx) => {
    for (const { payload } of events) {
      const change = readBookingChange(payload)
      const { booking: id } = change
      // Reads the booking only for changes that some booking is texted about.
      const mayText = callerTextFor({ booking_type_admin: true, rebooked_as: null }, change) !== null
      const record = mayText ? await bookings.read(id) : null
      const text = record && callerTextFor(record.booking, change)
      if (text === null) continue
      // Edits that follow at once are one text: it has the booking as it is then.
      const once = text === 'changed' ? { singletonKey: `changed:${id}`, startAfterS: editingS } : {}
      await jobs.send(job, { booking: id, text }, { tx, ...once })
    }
  })
}

/** The driver or trip has changed since; a newer text says so. */
function isOutdated(booking: Booking, text: CallerText): boolean {
  const { status } = booking
  if (text === 'accepted') return status !== 'ACCEPTED'
  if (text === 'changed') return changeableFields(booking, 'admin', false).length === 0
  return text === 'arrived' && status !== 'ARRIVED'
}

async function paramsFor(deps: CallerTextsDeps, booking: Booking, text: CallerText) {
  if (text === 'accepted') return acceptedParams(deps, booking)
  return text === 'changed' ? changedParams(deps, booking) : paramsOf(booking)
}

function paramsOf({ booking_id, vehicle_make, vehicle_model, carType, vehicle_number }: Booking) {
  const car = [vehicle_make, vehicle_model].filter(Boolean).join(' ') || carType
  return {
    number: booking_id,
    car: car.slice(0, maxCarName),
    plate: (vehicle_number ?? '').slice(0, maxCarName),
  } as Record<string, string>
}

async function acceptedParams(deps: CallerTextsDeps, booking: Booking): Promise<Record<string, string>> {
  const { timezone } = await deps.settings.current()
  const arrival = booking.promised_arrival ?? booking.tripdate
  const path = await pathOf(deps, booking)
  return {
    ...paramsOf(booking),
    time: cityTime(arrival, timezone).slice(11, 16),
    link: path === null ? '' : `${deps.siteUrl()}${path}`,
    ...(booking.otp === null ? {} : { code: booking.otp }),
  }
}

/** The trip as it is after an edit. `when`: the time of a scheduled trip, or when the driver arrives. */
async function changedParams(deps: CallerTextsDeps, booking: Booking): Promise<Record<string, string>> {
  const settings = await deps.settings.current()
  const { status, bookLater, tripdate, promised_arrival, pickup, drop, decimal } = booking
  const at = (moment: number) => cityTime(moment, settings.timezone)
  const isAhead = status !== 'ARRIVED' && status !== 'STARTED'
  const when = bookLater ? at(tripdate).slice(0, 16) : promised_arrival && at(promised_arrival).slice(11, 16)
  return {
    number: booking.booking_id,
    pickup: shortAddress(pickup.add),
    drop: shortAddress(drop.add),
    fare: plainText(moneyText(fareToPay(booking), decimal, settings)),
    ...(isAhead && when ? { when } : {}),
  }
}

/** The street or place of an address, without town and region, cut between words. */
function shortAddress(add: string): string {
  const place = add.split(',')[0] ?? ''
  if (place.length <= maxAddress) return place
  const gap = place.lastIndexOf(' ', maxAddress)
  return place.slice(0, gap > 0 ? gap : maxAddress)
}

/** Without invisible direction marks and with plain spaces: they double the price of a text message. */
const plainText = (text: string) => text.replace(/[\u2066-\u2069]/g, '').replace(/\u00a0/g, ' ')

/** The path of a link to the trip; null when the trip has too many links, or has just ended. */
async function pathOf({ tripLinks }: CallerTextsDeps, { id, customer }: Booking): Promise<string | null> {
  try {
    return await tripLinks.create({ id: customer, role: 'rider', approved: true }, id)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
