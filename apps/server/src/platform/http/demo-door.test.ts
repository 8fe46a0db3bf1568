import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { silentLog } from '../log/log.ts'
import { createServer } from './create-server.ts'
import { isFromElsewhere } from './demo-door.ts'

const asked = (headers: Record<string, string>, httpVersion = '1.1') =>
  isFromElsewhere({ headers, httpVersion } as unknown as IncomingMessage)

test.each(['localhost', 'localhost:8080', '127.0.0.1:8080', '127.8.0.1', '[::1]:8080', 'rides.localhost:80'])(
  'a demo: asked as %s -> is from this machine',
  (host) => {
    expect(asked({ host })).toBe(false)
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
])('a demo: asked as "%s" -> is from elsewhere', (host) => {
  expect(asked({ host })).toBe(true)
})

test.each(['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded', 'via', 'x-real-ip'])(
  'a demo: a proxy has added %s -> is from elsewhere',
  (name) => {
    expect(asked({ host: 'localhost', [name]: '127.0.0.1' })).toBe(true)
  },
)

test('a demo: a proxy that adds nothing, by HTTP/1.0 -> is from elsewhere', () => {
  expect(asked({ host: 'localhost' }, '1.0')).toBe(true)
})

test('a demo behind a proxy: every request is refused, people by a page that says why', async () => {
  const start = (demo: boolean) =>
    createServer({
      log: silentLog(),
      limits: { all: 100, person: 100, assets: 100 },
      personOf: async () => null,
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
  const inEarnest = await start(false)
  inEarnest.get('/any', async () => ({ ok: true }))
  expect((await inEarnest.inject({ url: '/any', headers })).statusCode).toBe(200)
  await inEarnest.close()
})
