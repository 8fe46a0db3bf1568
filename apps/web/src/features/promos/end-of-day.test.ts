import { expect, test } from 'vitest'
import { endOfDay } from './promo-fields.tsx'

test('a day ends one moment before the next begins, also when clocks are turned', () => {
  const at = Date.parse('2026-11-21T12:00:00-03:00')
  expect(new Date(endOfDay(at, 'America/Montevideo')).toISOString()).toBe('2026-11-22T02:59:59.999Z')
  expect(endOfDay(endOfDay(at, 'America/Montevideo'), 'America/Montevideo')).toBe(
    endOfDay(at, 'America/Montevideo'),
  )
  const turned = Date.parse('2026-03-29T00:30:00Z')
  expect(new Date(endOfDay(turned, 'Europe/Berlin')).toISOString()).toBe('2026-03-29T21:59:59.999Z')
})
