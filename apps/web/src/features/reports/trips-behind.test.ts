import { expect, test } from 'vitest'
import { tripsBehind } from './trips-behind.ts'

test.each([
  [{ year: 2026, month: 2 }, '2026-02-01..2026-02-28'],
  [{ year: 2028, month: 2 }, '2028-02-01..2028-02-29'],
  [{ year: 2026, month: null }, '2026-01-01..2026-12-31'],
  [{ year: null, month: null }, undefined],
])('the days of %j are %s', (row, tripdate) => {
  expect(tripsBehind(row).tripdate).toBe(tripdate)
})

test('they are paid, and of the driver', () => {
  expect(tripsBehind({ year: null, month: null, driver: 'ana' })).toEqual({
    status: 'PAID,COMPLETE',
    driver: 'ana',
  })
})
