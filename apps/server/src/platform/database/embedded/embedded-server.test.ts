import { expect, test } from 'vitest'
import { sharedBuffers } from './embedded-server.ts'

const gibibyte = 1024 ** 3

test.each([
  [gibibyte / 2, undefined, '128MB'],
  [2 * gibibyte, undefined, '256MB'],
  [64 * gibibyte, undefined, '512MB'],
  [64 * gibibyte, 0, '512MB'],
  [64 * gibibyte, 2 * gibibyte, '256MB'],
  // "No limit" is reported as more than the machine has.
  [2 * gibibyte, 2 ** 63, '256MB'],
])('shared buffers: %d bytes, limit %s -> %s', (total, constrained, setting) => {
  expect(sharedBuffers(total, constrained)).toBe(setting)
})
