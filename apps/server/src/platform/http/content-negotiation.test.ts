import { expect, test } from 'vitest'
import { acceptedEncoding } from './content-negotiation.ts'

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['GZIP', 'gzip'],
  ['*', 'br'],
  ['*;q=0', null],
  ['identity', null],
  ['', null],
  [undefined, null],
] as const)('encoding: %s -> %s', (header, expected) => {
  expect(acceptedEncoding(header)).toBe(expected)
})
