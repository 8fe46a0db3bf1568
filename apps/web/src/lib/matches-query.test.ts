import { expect, it } from 'vitest'
import { matchesQuery } from './matches-query.ts'

it.each([
  ['', 'Driver earning', true],
  ['dri ea', 'Driver earning', true],
  ['EARN', 'Driver earning', true],
  ['arning', 'Driver earning', false],
  ['driver x', 'Driver earning', false],
  ['apariencia', 'Apariéncia', true],
  ['السائق', 'أرباح السائقين', true],
  ['ارباح', 'أرباح السائقين', true],
])('query %j, text %j -> %s', (typed, text, fits) => {
  expect(matchesQuery(typed, text)).toBe(fits)
})
