import { bookingIn } from '@hansom/domain/bookings/booking.fixture'
import type { Pool } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { embeddedDriverIndex } from '../../../adapters/driver-index/embedded.ts'
import { manualClock } from '../../../platform/clock/manual-clock.ts'
import { silentLog } from '../../../platform/log/log.ts'
import { centre, straightMaps } from '../straight-city.fixture.ts'
import { ActiveTrips, tripNoteOf } from './active-trips.ts'
import { ArrivalEstimates } from './arrival-estimates.ts'
import { PositionReports, type ReportDeps } from './report-positions.ts'

const unhandled: unknown[] = []
const note = (error: unknown) => unhandled.push(error)
beforeEach(() => {
  unhandled.length = 0
  process.on('unhandledRejection', note)
})
afterEach(() => {
  process.off('unhandledRejection', note)
})

/** Reports of a driver `d` on a started trip, with a custom hub and store. */
function reportsWith(parts: {
  publish?: () => void
  store?: (booking: string, points: readonly { at: number }[]) => Promise<number>
}) {
  const clock = manualClock()
  const driverIndex = embeddedDriverIndex()
  const trips = new ActiveTrips()
  const arrivals = new ArrivalEstimates(straightMaps(), silentLog())
  const trip = tripNoteOf(bookingIn('STARTED', { trip_start_time: 0 }), null)
  trips.note(trip)
  driverIndex.upsert({
    id: 'd',
    ...centre,
    at: 0,
    heardAt: 0,
    bearing: null,
    eligible: false,
    car_type_id: null,
  })
  const deps = {
    clock,
    driverIndex,
    trips,
    arrivals,
    drivers: {
      isShared: true,
      recordContact: () => null,
      moved: () => {},
      tripOf: async (driver: string) => trips.of(driver),
      whenRead: () => {},
    },
    writes: { put: () => {} },
    tracks: { store: parts.store ?? (async () => 1) },
    hub: { publish: () => {}, publishVolatile: parts.publish ?? (() => {}), reauthorize: () => {} },
  } as unknown as ReportDeps
  const reports = new PositionReports(deps)
  return { deps, reports, trips, trip, arrivals, clock, position: { ...centre, at: clock.now() } }
}

test('report: publish and store both fail -> one error, no unhandled rejection', async () => {
  const { reports, position } = reportsWith({
    publish: () => {
      throw new Error('publish failed')
    },
    store: async () => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      throw new Error('store failed')
    },
  })
  await expect(reports.report('d', [position])).rejects.toThrow('publish failed')
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(unhandled).toEqual([])
})

test('trip ends -> reports and estimates of its driver are removed from memory', async () => {
  const { reports, trips, trip, arrivals, position } = reportsWith({})
  await reports.report('d', [position])
  expect([reports.size, arrivals.size]).toEqual([1, 1])
  trips.note({ ...trip, status: 'PENDING', version: trip.version + 1 })
  trips.note({ ...trip, status: 'PAID', version: trip.version + 2 })
  expect([reports.size, arrivals.size]).toEqual([0, 0])
})

test('report: point could not be stored -> the repeated report stores it', async () => {
  let isAway = true
  let stored = 0
  const { reports, position } = reportsWith({
    store: async () => {
      if (isAway) throw new Error('Connection terminated')
      stored += 1
      return 1
    },
  })
  await expect(reports.report('d', [position])).rejects.toThrow('Connection terminated')
  isAway = false
  expect([await reports.report('d', [position]), stored]).toEqual([1, 1])
})

test('more positions at once than are kept -> the trip is read before they are acknowledged', async () => {
  const stored: string[] = []
  const { reports, trips, trip, clock, position, deps } = reportsWith({
    store: async (booking, points) => {
      stored.push(`${booking} ${points.length}`)
      return points.length
    },
  })
  trips.note({ ...trip, status: 'PAID', version: trip.version + 1 })
  deps.drivers.tripOf = async (driver, surely) => {
    if (surely) trips.note({ ...trip, booking: 'unheard' })
    return trips.of(driver)
  }
  await clock.advance(300_000)
  const batch = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ ...position, at: clock.now() - (count - index) * 1_000 }))
  await reports.report('d', batch(31))
  expect(stored).toContain('unheard 31')
})

test('positions of a start heard late, which cannot be stored -> stored later', async () => {
  const stored: string[] = []
  let fails = 2
  const { reports, trips, trip, position } = reportsWith({
    store: async (booking) => {
      if (booking === 'next' && fails-- > 0) throw new Error('Connection terminated')
      stored.push(booking)
      return 1
    },
  })
  await reports.report('d', [position])
  trips.note({ ...trip, status: 'PAID', version: trip.version + 1 })
  trips.note({ ...trip, booking: 'next' })
  await expect.poll(() => stored, { timeout: 5_000 }).toEqual([trip.booking, 'next'])
})

test('trip whose start on another server is heard late -> the positions since then are stored as its own', async () => {
  const stored: [booking: string, at: number][] = []
  const { reports, trips, trip, clock, position } = reportsWith({
    store: async (booking, points) => {
      for (const { at } of points) stored.push([booking, at])
      return points.length
    },
  })
  const report = async () => {
    await clock.advance(1_000)
    const at = clock.now()
    await reports.report('d', [{ ...position, at }])
    return at
  }
  // The former trip seems to go on.
  const times = [await report(), await report(), await report()]
  trips.note({ ...trip, status: 'PAID', version: trip.version + 1 })
  const next = { ...trip, booking: 'next', version: 5, started: times[1] as number }
  trips.note(next)
  trips.note({ ...next, version: 6 })
  expect(stored.filter(([booking]) => booking === 'next')).toEqual(times.slice(1).map((at) => ['next', at]))

  trips.note({ ...next, status: 'PAID', version: 7 })

  // Another one, of which only the end is heard.
  const [first, second] = [await report(), await report()]
  const ended = { ...next, booking: 'ended', status: 'PAID' as const, started: first, ended: second - 1 }
  trips.note(ended)
  expect(stored.filter(([booking]) => booking === 'ended')).toEqual([['ended', first]])

  // One that was known before its start, and ended unheard; the start is told once.
  const arrived = { ...trip, booking: 'arrived', status: 'ARRIVED' as const, started: null, version: 3 }
  trips.note(arrived)
  // Of the approach, one in fifteen seconds is stored.
  const approach = await report()
  const third = await report()
  await trips.load({ query: async () => ({ rows: [] }) } as unknown as Pool, 'd')
  for (const version of [6, 4])
    trips.note({ ...arrived, status: 'PAID', started: third, ended: third + 1, version })
  expect(stored.filter(([booking]) => booking === 'arrived')).toEqual([
    ['arrived', approach],
    ['arrived', third],
  ])
  expect(trips.of('d')).toBeNull()

  await report()
  await clock.advance(20_000)
  trips.note({ ...next, booking: 'later', started: 0 })
  expect(stored.filter(([booking]) => booking === 'later')).toEqual([])
})
