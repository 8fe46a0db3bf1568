import { expect, test } from 'vitest'
import { rateLimitKey } from './rate-limit-key.ts'

test.each([
  ['10.0.0.1', '10.0.0.1'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['2001:db8:0:1::5', '2001:db8:0:1'],
  ['2001:0DB8:0000:0001:aaaa:bbbb:cccc:dddd', '2001:db8:0:1'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['2001:db8::', '2001:db8:0:0'],
])('addressKey: %s -> %s', (address, key) => {
  expect(rateLimitKey(address)).toBe(key)
})
