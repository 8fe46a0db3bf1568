import { describe, expect, test } from 'vitest'
import { parseFilter, searchPatterns } from './where.ts'

const city = 'America/Montevideo'

describe('days filter: days of the city, inclusive', () => {
  const days = (text: string) => parseFilter('at', { kind: 'days' }, text, city)
  test('from and to -> both ends', () => {
    expect(days('2026-11-01..2026-11-30')).toEqual({
      from: Date.parse('2026-11-01T03:00:00Z'),
      to: Date.parse('2026-12-01T03:00:00Z') - 1,
    })
  })
  test('one end or both missing -> open', () => {
    expect(days('2026-11-01..')).toEqual({ from: Date.parse('2026-11-01T03:00:00Z'), to: null })
    expect(days('..2026-11-01')).toEqual({ from: null, to: Date.parse('2026-11-02T03:00:00Z') - 1 })
    expect(days('..')).toEqual({ from: null, to: null })
  })
  test.each(['2026-02-30..', '..2026-02-30', '2026-13-01..2026-13-02', '0000-00-00..'])(
    '%s -> invalid_input',
    (text) => {
      expect(() => days(text)).toThrow(
        expect.objectContaining({ key: 'invalid_input', fields: [{ field: 'at', error: 'wrong_type' }] }),
      )
    },
  )
})

test('numbers filter: one or both ends -> inclusive range', () => {
  const numbers = (text: string) => parseFilter('cost', { kind: 'numbers' }, text, city)
  expect(numbers('10..20')).toEqual({ from: 10, to: 20 })
  expect(numbers('-5..')).toEqual({ from: -5, to: null })
  expect(numbers('..0')).toEqual({ from: null, to: 0 })
})

test('choice and flag filters: duplicates -> removed; text -> boolean', () => {
  expect(parseFilter('kind', { kind: 'choice', values: ['a', 'b'] }, 'a,b,a', city)).toEqual(['a', 'b'])
  expect(parseFilter('ok', { kind: 'flag' }, 'false', city)).toBe(false)
})

test.each([
  ['', []],
  ['  ', []],
  ['ana', ['%ana%']],
  ['ana  rodó ana', ['%ana%', '%rodó%']],
  ['an', ['% an%']],
  ['7', ['% 7%']],
  ['100%', ['%100\\%%']],
  ['a_b\\', ['%a\\_b\\\\%']],
  ['😀😀', ['% 😀😀%']],
])('searchPatterns: %j -> %j', (text, patterns) => {
  expect(searchPatterns(text)).toEqual(patterns)
})

test('searchPatterns: a hundred words -> the first eight', () => {
  expect(searchPatterns(Array.from({ length: 100 }, (_, number) => `word${number}`).join(' '))).toHaveLength(
    8,
  )
})
