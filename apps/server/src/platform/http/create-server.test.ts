import { expect, test } from 'vitest'
import { silentLog } from '../log/log.ts'
import { createServer } from './create-server.ts'

test('only a proxy that is named, or on this machine, says on whose behalf it asks', async () => {
  const server = await createServer({
    log: silentLog(),
    limits: { all: 100, person: 100, assets: 100 },
    personOf: async () => null,
    publicUrl: undefined,
    trustedProxies: ['10.9.0.0/16'],
  })
  server.get('/who', (request) => ({ ip: request.ip }))
  const ipSeen = async (remoteAddress: string) => {
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    return (await server.inject({ url: '/who', remoteAddress, headers })).json().ip
  }
  expect(await ipSeen('10.9.4.2')).toBe('203.0.113.7')
  expect(await ipSeen('127.0.0.1')).toBe('203.0.113.7')
  expect(await ipSeen('10.8.0.1')).toBe('10.8.0.1')
  await server.close()
})

test('nobody keeps a connection for ever by sending a request that never ends', async () => {
  const server = await createServer({
    log: silentLog(),
    limits: { all: 100, person: 100, assets: 100 },
    personOf: async () => null,
    publicUrl: undefined,
    trustedProxies: [],
  })
  expect(server.server.requestTimeout).toBeGreaterThan(0)
  expect(server.server.headersTimeout).toBeGreaterThan(0)
  await server.close()
})
