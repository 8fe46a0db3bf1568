import { expect, it } from 'vitest'
import { presetDays } from './date-presets.ts'

it.each([
  ['today', '2026-11-23', '2026-11-23..2026-11-23'],
  ['yesterday', '2026-03-01', '2026-02-28..2026-02-28'],
  ['this_week', '2026-11-23', '2026-11-23..2026-11-29'],
  ['this_week', '2026-11-29', '2026-11-23..2026-11-29'],
  ['last_week', '2026-11-25', '2026-11-16..2026-11-22'],
  ['this_month', '2028-02-10', '2028-02-01..2028-02-29'],
  ['last_month', '2026-01-31', '2025-12-01..2025-12-31'],
] as const)('presetDays: %s on %s -> %s', (preset, today, days) => {
  expect(presetDays(preset, today)).toBe(days)
})
