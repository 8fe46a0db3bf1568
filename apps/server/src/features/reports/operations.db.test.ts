import type { OperationsView } from '@hansom/contract/reports'
import type { TableCount } from '@hansom/contract/tables'
import {
  areaOf,
  type FigureName,
  figureFilters,
  figureNames,
  outcomes,
  ratesOf,
} from '@hansom/domain/reports/operations'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pickup } from '../bookings/straight-city.fixture.ts'
import { type AnyTrip, createTripWorld, endings, type TripWorld } from './whole-trips.fixture.ts'

const plain: AnyTrip = {
  ending: 'cash',
  promo: false,
  driver: 0,
  rated: false,
  hours: 1,
  refund: null,
  dispute: 'none',
  credit: false,
  waived: false,
}

let world: TripWorld
beforeAll(async () => {
  world = await createTripWorld()
  for (const [at, ending] of endings.entries()) await world.travel({ ...plain, ending, driver: at % 3 })
  await world.endOpenTrips()
  // A search that ends without a driver, as automatic dispatch leaves it.
  const { id } = await world.travel({ ...plain, ending: 'cancelled_early' })
  await world.app.database.pool.query('delete from report_operations where booking_id = $1', [id])
  await world.app.database.pool.query(
    `update bookings set status = 'NEW', cancelled_by = null where id = $1`,
    [id],
  )
  await world.app.database.pool.query(
    `update bookings set status = 'CANCELLED', cancelled_by = 'system', reason = 'no_driver_found' where id = $1`,
    [id],
  )
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
    bookings: endings.length + 1,
    outcomes: { completed: 12, rider: 5, admin: 1, driver: 0, no_driver: 1, system: 0 },
    // Reassigned: two requests, both accepted. Withdrawn: accepted. Declined: not.
    offers: 18,
    acceptances: 17,
    offered: 17,
    accepted: 16,
  })
  expect(ratesOf(total)).toMatchObject({ acceptedBookings: 16 / 17, acceptedOffers: 17 / 18 })
  expect(total.acceptS).not.toBeNull()
  expect(total.pickupS).not.toBeNull()
})

test('operations: withdrawn driver -> first acceptance counts as time to accept, last arrival as time to pickup', async () => {
  const booking = await world.travel({ ...plain, ending: 'reassigned' })
  const { rows } = await world.app.database.pool.query(
    'select acceptances, accept_ms, pickup_ms from report_operations where booking_id = $1',
    [booking.id],
  )
  const second = (booking.accepted_at ?? 0) - booking.bookingDate
  expect(rows).toEqual([
    {
      acceptances: 2,
      accept_ms: second - 120_000,
      pickup_ms: (booking.driver_arrive_time ?? 0) - booking.bookingDate,
    },
  ])
  const early = await world.travel({ ...plain, ending: 'cancelled_early' })
  expect(
    (
      await world.app.database.pool.query(
        'select accept_ms, pickup_ms from report_operations where booking_id = $1',
        [early.id],
      )
    ).rows,
  ).toEqual([{ accept_ms: null, pickup_ms: null }])
})

/** The number of bookings behind each figure. */
const counted = ({ bookings, outcomes: ended, accepted }: OperationsView['total']) => ({
  bookings,
  completion: ended.completed,
  acceptance: accepted,
  cancelled: bookings - ended.completed - ended.no_driver,
  no_driver: ended.no_driver,
})

test('operations: each figure -> its filters list exactly the bookings counted', async () => {
  const { total } = await read('admin')
  const { rows } = await world.app.database.pool.query<{ accept: number; pickup: number }>(
    'select count(accept_ms)::int as accept, count(pickup_ms)::int as pickup from report_operations',
  )
  const expected: Record<FigureName, number> = { ...counted(total), ...(rows[0] as (typeof rows)[number]) }
  for (const name of figureNames)
    expect([name, await listed(figureFilters[name])]).toEqual([name, expected[name]])
})

test('operations: each hour, area, car type and reason -> the table lists exactly the bookings counted', async () => {
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
  // The drivers of other fleets were asked as well.
  const requests = { offers: 0, offered: 0, accepted: 0, acceptances: 0 }
  for (const figures of [fleet.total, ...fleet.hours, ...fleet.areas]) expect(figures).toMatchObject(requests)
  await world.app.services.reports.rebuild()
  expect(await read('admin')).toEqual(all)
})

test('operations: pickups in other cells, east, north and on an edge -> the area of the domain', async () => {
  const { pool } = world.app.database
  const places = [
    [0, 0],
    [-0.001, 0.001],
    [51.5, -0.12],
    [35.68, 139.69],
    [-33.87, 151.21],
    [-34.9, -56.17],
  ].map(([lat = 0, lng = 0]) => ({ lat, lng, add: 'x' }))
  const { rows } = await pool.query<{ id: string }>(
    `select booking_id as id from report_operations where outcome is not null limit ${places.length}`,
  )
  const ids = rows.map(({ id }) => id)
  await pool.query(
    `update bookings b set pickup = p.place from unnest($1::uuid[], $2::jsonb[]) p(id, place) where b.id = p.id`,
    [ids, places.map((place) => JSON.stringify(place))],
  )
  await pool.query('delete from report_operations where booking_id = any($1)', [ids])
  await world.app.services.reports.rebuild()
  const found = await pool.query<{ area: number }>(
    `select area from report_operations where booking_id = any($1) order by array_position($1, booking_id)`,
    [ids],
  )
  expect(found.rows.map(({ area }) => area)).toEqual(places.map(areaOf))
})

test('operations: period over 92 days or reversed, or a rider -> refused', async () => {
  await expect(read('admin', { to: '2027-02-03' })).rejects.toThrow('400')
  await expect(read('admin', { to: '2026-11-01' })).rejects.toThrow('400')
  await expect(read('rider1')).rejects.toThrow('404')
})
