import { expect, test } from 'vitest'
import { nextRefundCheckAt } from './payment.ts'

const day = 24 * 3_600_000
const begun = 1_700_000_000_000

test('lookBackAt: payment age -> daily for 30 days, weekly until 180, then never', () => {
  const looks: number[] = []
  for (let at: number | null = begun; at !== null; at = nextRefundCheckAt(begun, at))
    looks.push((at - begun) / day)
  expect(looks.slice(0, 4)).toEqual([0, 1, 2, 3])
  expect(looks.slice(29, 33)).toEqual([29, 30, 35, 42])
  expect(looks.at(-1)).toBe(175)
  expect(looks.length).toBe(52)
})

test('lookBackAt: late check -> the next one is in the future', () => {
  expect(nextRefundCheckAt(begun, begun + 10.5 * day)).toBe(begun + 11 * day)
  expect(nextRefundCheckAt(begun, begun + 179 * day)).toBe(null)
  expect(nextRefundCheckAt(begun, begun - day)).toBe(begun + day)
})
