import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { clientAddress, proxyCheck } from './client-address.ts'

const from = (remoteAddress: string, forwarded?: string, named: string[] = []) =>
  clientAddress(
    { socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } } as unknown as IncomingMessage,
    proxyCheck(named),
  )

test.each([
  ['203.0.113.9', undefined, [], '203.0.113.9'],
  // Who is no proxy speaks for nobody else.
  ['203.0.113.9', '198.51.100.1', [], '203.0.113.9'],
  ['203.0.113.9', '198.51.100.1', ['10.0.0.0/8'], '203.0.113.9'],
  ['127.0.0.1', '198.51.100.1', [], '198.51.100.1'],
  ['::1', '2001:db8::7', [], '2001:db8::7'],
  ['::ffff:127.0.0.1', '198.51.100.1', [], '198.51.100.1'],
  ['10.1.2.3', '198.51.100.1', ['10.0.0.0/8'], '198.51.100.1'],
  ['::ffff:10.1.2.3', '198.51.100.1', ['10.0.0.0/8'], '198.51.100.1'],
  ['fd00::5', '198.51.100.1', ['fd00::/8'], '198.51.100.1'],
  // A network in front of a proxy here: what the visitor wrote himself is not believed.
  ['127.0.0.1', '1.1.1.1, 198.51.100.1, 10.0.0.5', ['10.0.0.5'], '198.51.100.1'],
  ['127.0.0.1', 'nonsense', [], '127.0.0.1'],
  ['127.0.0.1', '', [], '127.0.0.1'],
])('from %s on behalf of %s, behind %j: %s', (remote, forwarded, named, client) => {
  expect(from(remote, forwarded, named)).toBe(client)
})
