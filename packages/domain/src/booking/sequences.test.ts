import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Refusal } from '../error-keys.ts'
import { dueOf, escrowOf } from './amounts.ts'
import { minute } from './booking.fixture.ts'
import type { Booking } from './booking.ts'
import { decide } from './decide.ts'
import { type Step, World } from './sequences.fixture.ts'
import { type BookingStatus, bookingStatuses, drivingStatuses, endedStatuses, isOneOf } from './status.ts'

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    legal: fc.boolean(),
    pick: fc.nat(10_000),
    variant: fc.nat(1000),
    minutes: fc.constantFrom(0, 1, 3, 7),
  }),
  { minLength: 10, maxLength: 60 },
)
const options = fc.record({
  autoDispatch: fc.boolean(),
  negativeBalance: fc.boolean(),
  delivery: fc.boolean(),
  balance: fc.constantFrom(0, 300_000, 5_000_000),
})

/** Which fields are set from which status on. */
const setFrom: [keyof Booking, BookingStatus][] = [
  ['driver', 'ACCEPTED'],
  ['driver_name', 'ACCEPTED'],
  ['accepted_at', 'ACCEPTED'],
  ['promised_arrival', 'ACCEPTED'],
  ['driver_arrive_time', 'ARRIVED'],
  ['trip_start_time', 'STARTED'],
  ['trip_end_time', 'REACHED'],
  ['total_trip_time', 'REACHED'],
  ['distance', 'REACHED'],
  ['distance_filled', 'REACHED'],
  ['closed_at', 'PENDING'],
]

function checkBooking(booking: Booking, fields: string[]): void {
  const at = bookingStatuses.indexOf(booking.status)
  expect(at).toBeGreaterThanOrEqual(0)
  expect(Object.keys(booking).sort()).toEqual(fields)
  expect(Object.values(booking)).not.toContain(undefined)
  const isCancelled = booking.status === 'CANCELLED'
  for (const [field, status] of setFrom) {
    if (!isCancelled)
      expect([field, booking[field] !== null]).toEqual([field, at >= bookingStatuses.indexOf(status)])
  }
  expect(booking.cancelledBy !== null).toBe(isCancelled)
  if (isCancelled) expect(booking.reason).toBeTruthy()
  if (booking.status !== 'COMPLETE') expect(booking.rating).toBeNull()
  if (booking.rebooked_as !== null)
    expect([booking.status, booking.cancelledBy]).toEqual(['CANCELLED', 'driver'])
  expect(booking.trip_cost).toBe(booking.driver_share + booking.convenience_fees)
  expect(booking.discount_amount).toBeGreaterThanOrEqual(0)
  expect(booking.discount_amount).toBeLessThanOrEqual(booking.trip_cost)
  const isOpen = !isOneOf(['PAID', 'COMPLETE', 'CANCELLED'], booking.status)
  expect(booking.payableAmount).toBe(isOpen ? Math.max(0, dueOf(booking)) : 0)
}

function checkWorld(world: World): void {
  for (const booking of world.bookings) {
    const { paid, promo } = escrowOf(booking)
    expect(world.balanceOf(`trip:${booking.id}`)).toBe(paid + promo)
    if (isOneOf(['PAID', ...endedStatuses], booking.status)) expect(paid + promo).toBe(0)
  }
  const keys = world.entries.map((entry) => entry.key)
  expect(new Set(keys).size).toBe(keys.length)
  for (const { legs } of world.entries) expect(legs.reduce((sum, leg) => sum + leg.amount, 0)).toBe(0)
  const driving = world.bookings.filter((booking) => isOneOf(drivingStatuses, booking.status))
  expect([...world.busy]).toEqual(driving.map((booking) => booking.driver))
  if (world.booking.status !== 'NEW') expect(world.requested).toEqual([])
  for (const promo of ['p', 'q']) {
    const holders = world.bookings.filter(
      (booking) => booking.promo_id === promo && booking.status !== 'CANCELLED',
    )
    expect(world.promoUses.get(promo) ?? 0).toBe(holders.length)
  }
}

/** Freezes what a decision is made from: writing to it throws. */
function frozen<T>(value: T): T {
  if (value !== null && typeof value === 'object' && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) frozen(inner)
  }
  return value
}

const seen = new Set<BookingStatus>()

it('keeps every booking, the drivers and the money whole, whoever commands whatever', () => {
  fc.assert(
    fc.property(options, steps, (option, list) => {
      const world = new World(option)
      const fields = Object.keys(world.booking).sort()
      for (const step of list) {
        world.now += step.minutes * minute
        const { by, command } = world.choose(step)
        const facts = frozen(world.factsOf(by))
        const input = frozen(world.inputOf(command, step))
        const answer = decide(facts, input, world.now)
        if (answer instanceof Refusal) continue
        world.apply(answer)
        for (const booking of world.bookings) {
          seen.add(booking.status)
          checkBooking(booking, fields)
        }
        checkWorld(world)
      }
    }),
    { numRuns: 600 },
  )
  expect([...seen].sort()).toEqual([...bookingStatuses].sort())
})
