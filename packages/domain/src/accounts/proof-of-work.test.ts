import { expect, test } from 'vitest'
import { beginsWithZeros } from './attempts.ts'

test.each([
  [[0, 15, 255], 12, true],
  [[0, 16, 255], 12, false],
  [[1, 0, 0], 12, false],
  [[0, 0, 255], 16, true],
  [[0, 1, 255], 16, false],
  [[255], 0, true],
  [[], 8, false],
])('proof of work: %j with %d bits of zeros -> %s', (bytes, bits, begins) => {
  expect(beginsWithZeros(Uint8Array.from(bytes), bits)).toBe(begins)
})
