import { expect, test } from 'vitest'
import { firstCharacters, shortened } from './shortened.ts'

test.each([
  ['short', 5, 'short'],
  ['longer', 5, 'long…'],
  ['ab🚕🚕🚕', 4, 'ab🚕…'],
  ['🚕🚕', 2, '🚕🚕'],
])('shortened: %s after %i characters -> %s', (text, most, expected) => {
  const cut = shortened(text, most)
  expect(cut).toBe(expected)
  // Throws when a surrogate pair was cut in two.
  expect(() => encodeURIComponent(cut)).not.toThrow()
})

test('firstCharacters: emoji at the end -> kept or left out, never half of it', () => {
  expect(firstCharacters('ab🚕cd', 3)).toBe('ab🚕')
  expect(firstCharacters('ab🚕cd', 2)).toBe('ab')
  expect(firstCharacters('ab', 5)).toBe('ab')
})
