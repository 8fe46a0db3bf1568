import { fareToPay } from '@hansom/domain/bookings/amounts'
import type { Booking } from '@hansom/domain/bookings/booking'
import type { CallerText } from '@hansom/domain/bookings/caller-text'
import { Refusal } from '@hansom/domain/error-keys'
import { moneyText } from '@hansom/domain/money/amount'
import { firstCharacters } from '@hansom/domain/notifications/shortened'
import { cityTime } from '@hansom/domain/time/city-time'
import type { SettingsService } from '../settings/service.ts'
import type { TripLinksService } from './service.ts'

export interface CallerParamsDeps {
  settings: Pick<SettingsService, 'current'>
  tripLinks: Pick<TripLinksService, 'create'>
  /** The site's public URL, without a trailing slash. */
  siteUrl(): string
}

/** Longest car name, plate and address in a text, in characters. */
const maxCarName = 18
const maxAddress = 22

/** The values of a caller's text, short enough for two messages. `booking.carType` is in the reader's language. */
export async function paramsFor(deps: CallerParamsDeps, booking: Booking, text: CallerText) {
  if (text === 'accepted') return acceptedParams(deps, booking)
  if (text === 'reminder') return reminderParams(deps, booking)
  return text === 'changed' ? changedParams(deps, booking) : paramsOf(booking)
}

function paramsOf({ booking_id, vehicle_make, vehicle_model, carType, vehicle_number }: Booking) {
  const car = [vehicle_make, vehicle_model].filter(Boolean).join(' ') || carType
  return {
    number: booking_id,
    car: firstCharacters(car, maxCarName),
    plate: firstCharacters(vehicle_number ?? '', maxCarName),
  } as Record<string, string>
}

async function acceptedParams(deps: CallerParamsDeps, booking: Booking): Promise<Record<string, string>> {
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

async function reminderParams(deps: CallerParamsDeps, booking: Booking): Promise<Record<string, string>> {
  const { timezone } = await deps.settings.current()
  return {
    ...paramsOf(booking),
    pickup: shortAddress(booking.pickup.add),
    time: cityTime(booking.tripdate, timezone).slice(11, 16),
  }
}

/** The trip as it is after an edit. `when`: the time of a scheduled trip, or when the driver arrives. */
async function changedParams(deps: CallerParamsDeps, booking: Booking): Promise<Record<string, string>> {
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
  const start = firstCharacters(place, maxAddress)
  if (start === place) return place
  const gap = start.lastIndexOf(' ')
  return gap > 0 ? start.slice(0, gap) : start
}

/** Without invisible direction marks and with plain spaces: they double the price of a text message. */
const plainText = (text: string) => text.replace(/[\u2066-\u2069]/g, '').replace(/\u00a0/g, ' ')

/** The path of a link to the trip; null when the trip has too many links, or has just ended. */
async function pathOf({ tripLinks }: CallerParamsDeps, { id, customer }: Booking): Promise<string | null> {
  try {
    return await tripLinks.create({ id: customer, role: 'rider', approved: true }, id)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
