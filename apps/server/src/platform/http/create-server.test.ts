import { expect, test } from 'vitest'
import { createLog, silentLog } from '../log/log.ts'
import { createServer, handleUnknownPaths } from './create-server.ts'

test('x-forwarded-for: from a trusted proxy or this machine -> used; from others -> ignored', async () => {
  const server = await createServer({
    log: silentLog(),
    limits: { all: 100, user: 100, assets: 100 },
    userOf: async () => null,
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

test('timeouts: request that never ends -> limited', async () => {
  const server = await createServer({
    log: silentLog(),
    limits: { all: 100, user: 100, assets: 100 },
    userOf: async () => null,
    publicUrl: undefined,
    trustedProxies: [],
  })
  expect(server.server.requestTimeout).toBeGreaterThan(0)
  expect(server.server.headersTimeout).toBeGreaterThan(0)
  await server.close()
})

test('log: URL of a shared trip or unknown path -> only the route, no token', async () => {
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  const server = await createServer({
    log: createLog({ level: 'debug', readable: false, destination }),
    limits: { all: 100, user: 100, assets: 100 },
    userOf: async () => null,
    publicUrl: undefined,
    trustedProxies: [],
  })
  server.get('/api/v1/track/:token', () => 'a trip')
  handleUnknownPaths(server, 100, async (_request, reply) => reply.send('a page'))
  for (const url of ['/api/v1/track/secret?a=1', '/track/secret', '/track/secret/more']) {
    await server.inject({ url })
  }
  await server.close()
  const routes = lines.map((line) => JSON.parse(line).route)
  expect(routes).toEqual(['/api/v1/track/:token', '/track/$token', 'unknown'])
  expect(lines.join('')).not.toContain('secret')
})

test('content security policy: map from another server -> only its origins, for data and pictures', async () => {
  const policyWith = async (mapOrigins: string[]) => {
    const server = await createServer({
      log: silentLog(),
      limits: { all: 100, user: 100, assets: 100 },
      userOf: async () => null,
      publicUrl: 'https://rides.example',
      trustedProxies: [],
      mapOrigins,
    })
    server.get('/page', () => 'a page')
    const { headers } = await server.inject({ url: '/page' })
    await server.close()
    return String(headers['content-security-policy']).split(';')
  }
  const own = await policyWith([])
  const outside = await policyWith(['https://maps.example'])
  expect(outside.filter((part) => !own.includes(part)).sort()).toEqual([
    "connect-src 'self' wss://rides.example https://maps.example",
    "img-src 'self' data: blob: https://maps.example",
  ])
  expect(own.join(';')).not.toContain('maps.example')
})
