import type { Person } from '@hansom/domain/access/relation'
import type { BookingStatus } from '@hansom/domain/booking/status'
import { manualClock } from '../../platform/clock/manual-clock.ts'
import type { BookingsService } from '../bookings/service.ts'
import type { BookingsOfAnotherTime, HistoryDeps } from './make-history.ts'
import { demoAccounts } from './seed-people.ts'

interface HalfTrip {
  id: string
  status: BookingStatus
  customer: string
  driver: string | null
  /** When its last step was taken, epoch ms. */
  at: number
}

/**
 * Ends the trips of the demo's past that a first start, killed while it lived them through, has left half: those not
 * begun are cancelled, the others driven to their end. Trips made since then are not touched. Returns how many it was.
 */
export async function endHalfTrips({ database, log, bookingsAt }: HistoryDeps): Promise<number> {
  const reply = await database.pool.query<HalfTrip>(
    `select b.id, b.status, b.customer, b.driver,
        (select max(e.at) from booking_events e where e.booking_id = b.id) as at
      from bookings b where b.status not in ('COMPLETE', 'CANCELLED')
        and b.booking_date < (select created_at from users where email = $1)
        -- What a seed has made has no history, and is no trip of the demo's.
        and exists (select from booking_events e where e.booking_id = b.id)
      order by at`,
    [demoAccounts.admin],
  )
  const trips = reply.rows
  if (trips.length === 0) return 0
  const clock = manualClock(trips[0]?.at)
  const past = bookingsAt(clock)
  for (const trip of trips) {
    await clock.advance(Math.max(0, trip.at + 60_000 - clock.now()))
    await endTrip(past, trip).catch((error: unknown) => {
      log.warn({ err: error, booking: trip.id }, 'a half trip of the past could not be ended')
    })
  }
  await past.stop()
  return trips.length
}

async function endTrip({ bookings, tracking }: BookingsOfAnotherTime, trip: HalfTrip): Promise<void> {
  await takeLastSteps(bookings, trip)
  if (trip.driver !== null) await tracking.setOnline(trip.driver, false)
}

async function takeLastSteps(
  { commands }: BookingsService,
  { id, customer, driver, ...trip }: HalfTrip,
): Promise<void> {
  const by = (usertype: Person['usertype'], person: string) => ({
    person: { id: person, usertype },
    id,
    key: null,
  })
  const rider = by('rider', customer)
  let { status } = trip
  if (driver === null || status === 'ACCEPTED' || status === 'ARRIVED') {
    await commands.cancel(rider, { reason: 'My plans have changed' })
    return
  }
  const order = by('driver', driver)
  if (status === 'STARTED') status = (await commands.reach(order, {})).booking.status
  if (status === 'REACHED') status = (await commands.close(order, {})).booking.status
  if (status === 'PENDING') await commands.confirmCash(order)
  await commands.skipRating(rider)
}
