import { expect, test } from 'vitest'
import { sharedBuffers } from './shared-buffers.ts'

const gibibyte = 1024 ** 3

test.each([
  [gibibyte / 2, undefined, '128MB'],
  [2 * gibibyte, undefined, '256MB'],
  [64 * gibibyte, undefined, '512MB'],
  [64 * gibibyte, 0, '512MB'],
  [64 * gibibyte, 2 * gibibyte, '256MB'],
  // No limit is told as more than there is.
  [2 * gibibyte, 2 ** 63, '256MB'],
])('of %d bytes, %s allowed: %s', (total, constrained, setting) => {
  expect(sharedBuffers(total, constrained)).toBe(setting)
})
