import type { OperationsView } from '@hansom/contract/reports'
import type { TableCount } from '@hansom/contract/tables'
import { areaOf, outcomes, ratesOf } from '@hansom/domain/reports/operations'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pickup } from '../bookings/straight-city.fixture.ts'
import { type AnyTrip, createTripWorld, endings, type TripWorld } from './whole-trips.fixture.ts'

let world: TripWorld
beforeAll(async () => {
  world = await createTripWorld()
  for (const [at, ending] of endings.entries()) {
    const trip: AnyTrip = {
      ending,
      promo: false,
      driver: at % 3,
      rated: false,
      hours: 1,
      refund: null,
      dispute: 'none',
      credit: false,
      waived: false,
    }
    await world.travel(trip)
  }
  await world.endOpenTrips()
}, 120_000)
afterAll(() => world.app.close())

const days = { from: '2026-11-03', to: '2026-11-05' }
const tripdate = `${days.from}..${days.to}`
const read = (user: string, more: Record<string, string> = {}) =>
  world.call<OperationsView>(user, 'GET', `/reports/operations?${new URLSearchParams({ ...days, ...more })}`)
const listed = async (filters: Record<string, string>, user = 'admin') =>
  (
    await world.call<TableCount>(
      user,
      'GET',
      `/bookings/count?${new URLSearchParams({ tripdate, ...filters })}`,
    )
  ).count

test('operations: whole trips -> outcomes, offers and times of all ended bookings', async () => {
  const { total } = await read('admin')
  expect(total).toMatchObject({
    bookings: endings.length,
    outcomes: { completed: 11, rider: 3, admin: 1, driver: 0, no_driver: 0, system: 0 },
    offers: 14,
    offered: 14,
    accepted: 14,
  })
  expect(ratesOf(total).acceptedBookings).toBe(1)
  expect(total.acceptS).toEqual({ median: 0, p90: expect.any(Number) })
  expect(total.pickupS).not.toBeNull()
})

test('operations: every figure -> the table lists exactly the bookings counted', async () => {
  const view = await read('admin')
  for (const outcome of outcomes) expect(await listed({ outcome })).toBe(view.total.outcomes[outcome])
  for (const { hour, bookings } of view.hours)
    expect(await listed({ hour: `${hour}..${hour}`, outcome: outcomes.join() })).toBe(bookings)
  for (const { area, bookings } of view.areas)
    expect(await listed({ area: `${area}..${area}` })).toBe(bookings)
  for (const { car_type_id, bookings } of view.carTypes)
    expect(await listed({ car_type_id, outcome: outcomes.join() })).toBe(bookings)
  for (const { outcome, reason, count } of view.reasons)
    expect(await listed({ outcome, ...(reason && { reason }) })).toBe(count)
  expect(await listed({ offered: 'true' })).toBe(view.total.offered)
  expect(await listed({ offered: 'true', accepted: 'true' })).toBe(view.total.accepted)
  expect(view.areas.map(({ area, name }) => [area, name])).toEqual([[areaOf(pickup), 'Somewhere']])
  const sums = [view.hours, view.days, view.areas, view.carTypes].map((rows) =>
    rows.reduce((sum, { bookings }) => sum + bookings, 0),
  )
  expect(sums).toEqual(sums.map(() => view.total.bookings))
})

test('operations: fleet admin -> trips of the own fleet; rebuilt -> the same figures', async () => {
  const [all, fleet] = [await read('admin'), await read('fleet')]
  expect(fleet.total.bookings).toBe(await listed({ fleetadmin: world.fleet, outcome: outcomes.join() }))
  expect(await read('admin', { fleetadmin: world.fleet })).toEqual(fleet)
  await world.app.services.reports.rebuild()
  expect(await read('admin')).toEqual(all)
})

test('operations: period over 92 days or reversed, or a rider -> refused', async () => {
  await expect(read('admin', { to: '2027-02-03' })).rejects.toThrow('400')
  await expect(read('admin', { to: '2026-11-01' })).rejects.toThrow('400')
  await expect(read('rider1')).rejects.toThrow('404')
})
