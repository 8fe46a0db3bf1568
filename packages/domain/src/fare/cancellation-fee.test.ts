import { expect, it } from 'vitest'
import { cancellationFee } from './cancellation-fee.ts'

const minute = 60_000
const slabs = [
  { minsDelayed: 10, amount: 80 },
  { minsDelayed: 2, amount: 30 },
  { minsDelayed: 5, amount: 50 },
]
const feeAfter = (minutes: number, promised = 60, arrive: number | null = null) =>
  cancellationFee(slabs, {
    accepted_at: 0,
    promised_arrival: promised * minute,
    driver_arrive_time: arrive === null ? null : arrive * minute,
    now: minutes * minute,
  })

it('cancellation fee: slabs in any order -> the highest one reached', () => {
  expect([0, 1.99, 2, 4.9, 5, 9.9, 10, 40].map((minutes) => feeAfter(minutes))).toEqual([
    0, 0, 30, 30, 50, 50, 80, 80,
  ])
})

it('cancellation fee: before acceptance -> 0', () => {
  expect(cancellationFee(slabs, { accepted_at: null, promised_arrival: null, now: 99 * minute })).toBe(0)
})

it('cancellation fee: driver more than five minutes late -> 0', () => {
  expect(feeAfter(15, 10)).toBe(80)
  expect(feeAfter(15.1, 10)).toBe(0)
})

it('lateness: driver has arrived -> measured by the arrival', () => {
  expect(feeAfter(40, 10, 12)).toBe(80)
  expect(feeAfter(40, 10, 16)).toBe(0)
})
