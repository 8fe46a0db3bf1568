import { expect, it } from 'vitest'
import { neededAt, nextStop, proofPath, settlesAll, stopsAfter } from './stop-steps.ts'
import { deliveryOf } from './trip.fixture.ts'
import type { TakenStep } from './trip-commands.ts'

const taken = (step: TakenStep['step'], stop?: number, more: Partial<TakenStep> = {}): TakenStep => ({
  booking: 'b',
  step,
  ...(stop === undefined ? {} : { stop }),
  ...more,
})
const outcomes = (steps: TakenStep[]) =>
  stopsAfter(deliveryOf(2), steps).map(({ kind, outcome }) => [kind, outcome])

it('stopsAfter: pending steps -> their outcomes; a failed drop opens one return stop', () => {
  expect(outcomes([taken('start'), taken('deliver', 2)])).toEqual([
    ['pickup', 'collected'],
    ['drop', null],
    ['drop', 'delivered'],
  ])
  const failed = [
    taken('start'),
    taken('fail_drop', 1, { reason: 'refused' }),
    taken('fail_drop', 2, { reason: 'wrong_address' }),
  ]
  expect(outcomes(failed)).toEqual([
    ['pickup', 'collected'],
    ['drop', 'failed'],
    ['drop', 'failed'],
    ['return', null],
  ])
  expect(outcomes([...failed, taken('deliver', 3)]).at(-1)).toEqual(['return', 'returned'])
})

it('stopsAfter: a held step -> its stop is still open', () => {
  expect(outcomes([taken('start'), taken('deliver', 1, { held: true })])[1]).toEqual(['drop', null])
})

it('settlesAll: the last stop, unless it fails -> true', () => {
  const steps = [taken('start'), taken('deliver', 1)]
  expect(settlesAll(deliveryOf(2), steps)).toBe(false)
  expect(settlesAll(deliveryOf(2), [...steps, taken('deliver', 2)])).toBe(true)
  expect(settlesAll(deliveryOf(2), [...steps, taken('fail_drop', 2, { reason: 'refused' })])).toBe(false)
})

it('nextStop: in visiting order, the return stop last', () => {
  const steps = [taken('start'), taken('fail_drop', 1, { reason: 'refused' })]
  expect(nextStop(stopsAfter(deliveryOf(2), steps))?.n).toBe(2)
  expect(nextStop(stopsAfter(deliveryOf(2), [...steps, taken('deliver', 2)]))?.kind).toBe('return')
})

it('neededAt: by kind of stop, with a code where the stop has one', () => {
  const settings = {
    AllowDeliveryPickupImageCapture: true,
    AllowFinalDeliveryImageCapture: false,
    deliveryCode: true,
    deliveryName: true,
    deliverySignature: false,
    deliveryScan: false,
  }
  const [pickup, first] = deliveryOf(1).stops
  expect(pickup && neededAt(pickup, settings)).toEqual(['photo'])
  expect(first && neededAt(first, settings)).toEqual(['name'])
  expect(first && neededAt({ ...first, code_needed: true }, settings)).toEqual(['name', 'code'])
})

it('proofPath: pickup, drop, signature -> their routes', () => {
  expect(proofPath('b', 0, 'photo')).toBe('/api/v1/bookings/b/pickup_image')
  expect(proofPath('b', 2, 'photo')).toBe('/api/v1/bookings/b/stops/2/deliver_image')
  expect(proofPath('b', 2, 'signature')).toBe('/api/v1/bookings/b/stops/2/signature')
})
