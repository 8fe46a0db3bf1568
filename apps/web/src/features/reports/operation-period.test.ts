import { expect, test } from 'vitest'
import { moveEnd, readPeriod } from './operation-period.ts'

const today = '2026-11-24'

test.each([
  [{}, '7', '2026-11-18', today],
  [{ period: '1' }, '1', today, today],
  [{ period: '30' }, '30', '2026-10-26', today],
  [{ period: 'custom', from: '2026-11-01', to: '2026-11-03' }, 'custom', '2026-11-01', '2026-11-03'],
  [{ period: 'custom', from: '2026-11-03', to: '2026-11-01' }, 'custom', '2026-11-18', today],
  [{ period: 'custom', from: '2026-02-30', to: '2026-03-01' }, 'custom', '2026-11-18', today],
  [{ period: 'custom', from: '2026-01-01', to: '2026-11-01' }, 'custom', '2026-11-18', today],
  [{ period: 'year' }, '7', '2026-11-18', today],
])('readPeriod: %j -> %s, %s to %s', (params, period, from, to) => {
  expect(readPeriod(params, today)).toEqual({ period, from, to })
})

test.each([
  ['from', '2026-11-05', '2026-11-05', '2026-11-20'],
  ['to', '2026-11-12', '2026-11-10', '2026-11-12'],
  ['from', '2026-11-22', '2026-11-22', '2026-11-22'],
  ['to', '2026-11-08', '2026-11-08', '2026-11-08'],
  ['from', '2026-06-01', '2026-06-01', '2026-08-31'],
  ['to', '2027-06-30', '2027-03-31', '2027-06-30'],
] as const)('moveEnd: %s to %s -> %s to %s, at most 92 days', (end, day, from, to) => {
  expect(moveEnd({ from: '2026-11-10', to: '2026-11-20' }, end, day)).toEqual({ from, to })
})
