import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { clientIp, rateLimitKey, trustedProxyMatcher } from './client-ip.ts'

const from = (remoteAddress: string, forwarded?: string, proxies: string[] = []) =>
  clientIp(
    { socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } } as unknown as IncomingMessage,
    trustedProxyMatcher(proxies),
  )

test.each([
  ['203.0.113.9', undefined, [], '203.0.113.9'],
  // The header of a client that is not a trusted proxy is ignored.
  ['203.0.113.9', '198.51.100.1', [], '203.0.113.9'],
  ['203.0.113.9', '198.51.100.1', ['10.0.0.0/8'], '203.0.113.9'],
  ['127.0.0.1', '198.51.100.1', [], '198.51.100.1'],
  ['::1', '2001:db8::7', [], '2001:db8::7'],
  ['::ffff:127.0.0.1', '198.51.100.1', [], '198.51.100.1'],
  ['10.1.2.3', '198.51.100.1', ['10.0.0.0/8'], '198.51.100.1'],
  ['::ffff:10.1.2.3', '198.51.100.1', ['10.0.0.0/8'], '198.51.100.1'],
  ['fd00::5', '198.51.100.1', ['fd00::/8'], '198.51.100.1'],
  // Behind several proxies: entries the visitor wrote are not trusted.
  ['127.0.0.1', '1.1.1.1, 198.51.100.1, 10.0.0.5', ['10.0.0.5'], '198.51.100.1'],
  ['127.0.0.1', 'nonsense', [], '127.0.0.1'],
  ['127.0.0.1', '', [], '127.0.0.1'],
])('clientAddress: from %s, forwarded %s, proxies %j -> %s', (remote, forwarded, proxies, client) => {
  expect(from(remote, forwarded, proxies)).toBe(client)
})

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
