import type { Person } from '@hansom/domain/access/relation'
import { pathKm, pointAlong } from '@hansom/domain/geo/path'
import type { LatLng } from '@hansom/domain/geo/point'
import { decodePolyline } from '@hansom/domain/geo/polyline'
import type { BookingsService } from '../bookings/service.ts'
import type { TrackingService } from '../bookings/tracking/service.ts'
import type { PastTrip } from './history-plan.ts'

/** The platform as it was: its services on a clock that is moved by hand. */
export interface PastCity {
  bookings: BookingsService
  tracking: TrackingService
  now(): number
  /** Moves the clock on to a moment, epoch ms. */
  goTo(moment: number): Promise<void>
}

/** Who takes part in a trip. */
export interface Cast {
  rider: Person
  driver: Person
  admin: Person
  car_type_id: string
}

const minuteMs = 60_000
/** A car reports this often on the way. */
const reportMs = 15_000

/** Lives one trip of the past through, command by command, as its people would have. Throws what they would have been told. */
export async function liveThrough(city: PastCity, trip: PastTrip, cast: Cast): Promise<void> {
  await city.goTo(trip.at)
  await city.tracking.setOnline(cast.driver.id, true)
  try {
    await takeTrip(city, trip, cast)
  } finally {
    await city.tracking.setOnline(cast.driver.id, false)
  }
}

async function takeTrip(
  city: PastCity,
  trip: PastTrip,
  { rider, driver, admin, car_type_id }: Cast,
): Promise<void> {
  const { bookings, tracking } = city
  const { commands } = bookings
  const { pickup, drop, payment_mode, promo } = trip
  const later = (minutes: number) => city.goTo(city.now() + minutes * minuteMs)
  const report = (point: LatLng) =>
    tracking.report(driver, [{ lat: point.lat, lng: point.lng, at: city.now() }])

  await report(pickup)
  const request = { pickup, drop, car_type_id, bookLater: false, payment_mode, promo }
  const { id } = (await bookings.create(rider, request, null)).booking
  const by = (person: Person) => ({ person, id, key: null })
  if (trip.ending === 'cancelled_waiting') {
    await later(1)
    await commands.cancel(by(rider), { reason: 'My plans have changed' })
    return
  }
  await commands.assignDriver(by(admin), { driver: driver.id })
  const accepted = await commands.accept(by(driver))
  if (trip.ending === 'cancelled_accepted') {
    await later(3)
    await commands.cancel(by(rider), { reason: 'I found another way' })
    return
  }
  await later(trip.approachMinutes)
  await report(pickup)
  await commands.arrive(by(driver))
  await later(1)
  await report(pickup)
  await commands.start(by(driver), {})
  const { route, estimateTime } = accepted.booking
  await drive(city, driver, decodePolyline(route), estimateTime * 1000)
  await commands.reach(by(driver), {})
  await later(1)
  const closed = await commands.close(by(driver), {})
  if (closed.booking.status === 'PENDING') await commands.confirmCash(by(driver))
  await later(1)
  await commands.rate(by(rider), { rating: trip.rating })
  await commands.rateRider(by(driver), { rating: trip.riderRating })
}

/** Drives a way evenly in `durationMs`, reporting as a car does. */
async function drive(city: PastCity, driver: Person, way: LatLng[], durationMs: number): Promise<void> {
  const length = pathKm(way)
  const begun = city.now()
  const reports = Math.max(2, Math.ceil(durationMs / reportMs))
  const positions = Array.from({ length: reports }, (_, index) => {
    const share = (index + 1) / reports
    const { lat, lng, bearing } = pointAlong(way, length * share)
    return { lat, lng, bearing, at: begun + Math.round(durationMs * share) }
  })
  await city.goTo(begun + durationMs)
  await city.tracking.report(driver, positions)
}
