import { expect, test } from 'vitest'
import { shortened } from './shortened.ts'

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
