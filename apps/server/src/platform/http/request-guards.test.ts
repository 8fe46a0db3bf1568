import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { silentLog } from '../log/log.ts'
import { createServer } from './create-server.ts'
import { mayBeRemote } from './request-guards.ts'

const fromElsewhere = (headers: Record<string, string>, httpVersion = '1.1') =>
  mayBeRemote({ headers, httpVersion } as unknown as IncomingMessage)

test.each(['localhost', 'localhost:8080', '127.0.0.1:8080', '127.8.0.1', '[::1]:8080', 'rides.localhost:80'])(
  'isFromElsewhere: host %s -> false',
  (host) => {
    expect(fromElsewhere({ host })).toBe(false)
  },
)

test.each([
  'rides.example',
  'rides.example:8080',
  '192.168.1.4:8080',
  'localhost.rides.example',
  '127.0.0.1.rides.example',
  '127.rides.example',
  '[::2]:8080',
  'user@rides.example',
  '',
  'a b',
])('isFromElsewhere: host "%s" -> true', (host) => {
  expect(fromElsewhere({ host })).toBe(true)
})

test.each(['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded', 'via', 'x-real-ip'])(
  'isFromElsewhere: proxy header %s -> true',
  (name) => {
    expect(fromElsewhere({ host: 'localhost', [name]: '127.0.0.1' })).toBe(true)
  },
)

test('isFromElsewhere: HTTP/1.0 without proxy headers -> true', () => {
  expect(fromElsewhere({ host: 'localhost' }, '1.0')).toBe(true)
})

test('demo behind a proxy: any request -> 403, browsers get a page with the reason', async () => {
  const start = (demo: boolean) =>
    createServer({
      log: silentLog(),
      limits: { all: 100, user: 100, assets: 100 },
      userOf: async () => null,
      publicUrl: undefined,
      trustedProxies: [],
      demo,
    })
  const server = await start(true)
  server.get('/any', async () => ({ ok: true }))
  const headers = { host: 'rides.example' }
  for (const url of ['/any', '/nothing', '/healthz']) {
    const answer = await server.inject({ url, headers })
    expect([answer.statusCode, answer.json().error]).toEqual([403, 'demo_elsewhere'])
  }
  const page = await server.inject({ url: '/any', headers: { ...headers, accept: 'text/html' } })
  expect(page.headers['content-type']).toContain('text/html')
  expect(page.body).toContain('NODE_ENV=production')
  expect(page.body).not.toContain('demo_elsewhere')
  expect((await server.inject('/any')).statusCode).toBe(200)
  await server.close()
  const production = await start(false)
  production.get('/any', async () => ({ ok: true }))
  expect((await production.inject({ url: '/any', headers })).statusCode).toBe(200)
  await production.close()
})
