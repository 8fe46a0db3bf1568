import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Refusal } from '../error-keys.ts'
import { dueOf, escrowOf } from './amounts.ts'
import { minute } from './booking.fixture.ts'
import { type Booking } from './booking.ts'
import { decide } from './decide.ts'
import { type Step, World } from './sequences.fixture.ts'
import {
  type BookingStatus,
  bookingStatuses,
  drivingStatuses,
  endedStatuses,
  isOneOf,
  paymentModes,
} from './status.ts'

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    aim: fc.constantFrom('any', 'allowed', 'onward', 'onward', 'onward'),
    pick: fc.nat(10_000),
    variant: fc.nat(1000),
    minutes: fc.constantFrom(0, 1, 3, 7),
  }),
  { minLength: 10, maxLength: 50, size: 'max' },
)
const options = fc.record({
  autoDispatch: fc.boolean(),
  negativeBalance: fc.boolean(),
  delivery: fc.boolean(),
  mode: fc.constantFrom(...paymentModes),
  inAdvance: fc.boolean(),
  promo: fc.boolean(),
  balance: fc.constantFrom(0, 300_000, 5_000_000),
})

/** The status from which each field is set. */
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
  ['distance_source', 'REACHED'],
  ['distance_unmatched', 'REACHED'],
  ['closed_at', 'PENDING'],
]

/** Violated invariants of a booking; empty if all hold. */
function flawsOf(booking: Booking, fields: string): string[] {
  const { status } = booking
  const at = bookingStatuses.indexOf(status)
  const isCancelled = status === 'CANCELLED'
  const isOpen = !isOneOf(['PAID', 'COMPLETE', 'CANCELLED'], status)
  const rules: [string, boolean][] = [
    ['status', at >= 0],
    ['fields', Object.keys(booking).sort().join() === fields],
    ['undefined field', !Object.values(booking).includes(undefined)],
    ['cancelledBy', (booking.cancelledBy !== null) === isCancelled],
    ['reason', !isCancelled || Boolean(booking.reason)],
    ['rating', status === 'COMPLETE' || booking.rating === null],
    ['rebooked_as', booking.rebooked_as === null || booking.cancelledBy === 'driver'],
    ['trip_cost', booking.trip_cost === booking.driver_share + booking.convenience_fees],
    ['discount', booking.discount_amount >= 0 && booking.discount_amount <= booking.trip_cost],
    ['payable', booking.payableAmount === (isOpen ? Math.max(0, dueOf(booking)) : 0)],
    ...setFrom.map(([field, from]): [string, boolean] => [
      field,
      isCancelled || (booking[field] !== null) === at >= bookingStatuses.indexOf(from),
    ]),
  ]
  return rules.filter(([, holds]) => !holds).map(([name]) => `${status}: ${name}`)
}

/** Violated invariants of a world's escrows, ledger, drivers and promos. */
function worldFlaws(world: World): string[] {
  const keys = world.entries.map((entry) => entry.key)
  const driving = world.bookings.filter((booking) => isOneOf(drivingStatuses, booking.status))
  const holdersOf = (promo: string) =>
    world.bookings.filter((booking) => booking.promo_id === promo && booking.status !== 'CANCELLED')
  const rules: [string, boolean][] = [
    ['a key twice', new Set(keys).size === keys.length],
    ['legs', world.entries.every(({ legs }) => legs.reduce((sum, leg) => sum + leg.amount, 0) === 0)],
    ['busy drivers', [...world.busy].join() === driving.map((booking) => booking.driver).join()],
    ['requests', world.booking.status === 'NEW' || world.requested.length === 0],
    ['promos', ['p', 'q'].every((id) => (world.promoUses.get(id) ?? 0) === holdersOf(id).length)],
    ...world.bookings.flatMap((booking): [string, boolean][] => {
      const { paid, promo } = escrowOf(booking)
      const isOver = isOneOf(['PAID', ...endedStatuses], booking.status)
      return [
        ['escrow', world.balanceOf(`trip:${booking.id}`) === paid + promo],
        ['escrow at the end', !isOver || world.balanceOf(`trip:${booking.id}`) === 0],
      ]
    }),
  ]
  return rules.filter(([, holds]) => !holds).map(([name]) => name)
}

/** Freezes the input of a decision: writing to it throws. */
function frozen<T>(value: T): T {
  if (value !== null && typeof value === 'object' && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) frozen(inner)
  }
  return value
}

const seen = new Set<BookingStatus>()

it('random commands by random people -> bookings, drivers and money stay consistent', () => {
  fc.assert(
    fc.property(options, steps, (option, list) => {
      const world = new World(option)
      seen.add(world.booking.status)
      const fields = Object.keys(world.booking).sort().join()
      for (const step of list) {
        world.now += step.minutes * minute
        const { by, command } = world.choose(step)
        const facts = frozen(world.factsOf(by))
        const input = frozen(world.inputOf(command, step))
        const answer = decide(facts, input, world.now)
        if (answer instanceof Refusal) continue
        world.apply(answer)
        seen.add(world.booking.status)
        expect([...world.bookings.flatMap((one) => flawsOf(one, fields)), ...worldFlaws(world)]).toEqual([])
      }
    }),
    { numRuns: 500 },
  )
  expect([...seen].sort()).toEqual([...bookingStatuses].sort())
}, 60_000)
