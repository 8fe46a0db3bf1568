import { expect, it } from 'vitest'
import { Refusal } from '../error-keys.ts'
import type { LatLng } from '../geo/point.ts'
import { bookingIn, factsFor, inputFor, minute, start } from './booking.fixture.ts'
import { decide } from './decide.ts'
import type { CommandInput, Facts } from './facts.ts'

const { pickup, drop } = bookingIn('ACCEPTED')
/** A point the given number of metres north of another. */
const north = ({ lat, lng }: LatLng, metres: number) => ({ lat: lat + metres / 111_195, lng })

function notices(facts: Facts, input: CommandInput) {
  const decision = decide(facts, input, start + 30 * minute)
  if (decision instanceof Refusal) throw decision
  return decision.effects.flatMap((effect) =>
    effect.kind === 'notify' ? [[effect.title, effect.params.distance ?? null]] : [],
  )
}

it.each([
  ['at the pickup', north(pickup, 0), [['notify.driver_near.title', null]]],
  ['290 m away', north(pickup, 290), [['notify.driver_near.title', null]]],
  ['430 m away', north(pickup, 430), [['notify.arrived_far.title', '\u2066430\u00a0m\u2069']]],
  ['unknown location', null, [['notify.driver_near.title', null]]],
])('arrive: %s -> the rider is told the distance if it is far', (_case, location, expected) => {
  expect(notices(factsFor(bookingIn('ACCEPTED'), 'driver'), inputFor('arrive', { location }))).toEqual(
    expected,
  )
})

it.each([
  ['near the drop', 'driver', 100, []],
  ['1.2 km from the drop', 'driver', 1200, [['notify.ended_far.title', '\u20661.2\u00a0km\u2069']]],
  ['ended by an admin', 'admin', 1200, []],
] as const)('reach: %s -> the rider is told if it is far', (_case, actor, metres, expected) => {
  const input = inputFor('reach', { location: north(drop, metres), reason: 'the driver is gone' })
  expect(notices(factsFor(bookingIn('STARTED'), actor), input)).toEqual(expected)
})
