import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { checkUrl, openDemo } from './demo-city.ts'

test.each([
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['http://127.0.0.2:8080/', 'http://127.0.0.2:8080'],
  ['http://localhost:8080', 'http://localhost:8080'],
  ['http://[::1]:8080', 'http://[::1]:8080'],
])('load: %s -> this machine', (url, origin) => {
  expect(checkUrl(url)).toBe(origin)
})

test.each(['http://192.168.1.4:8080', 'http://127.example.test', 'http://localhost.example.test'])(
  'load: %s -> refused as another machine',
  (url) => {
    expect(() => checkUrl(url)).toThrow('another machine')
  },
)

test.each(['', '127.0.0.1:8080', 'https://127.0.0.1', 'http://127.0.0.1/path'])(
  'load: %j -> refused as no address',
  (url) => {
    expect(() => checkUrl(url)).toThrow('Not the address')
  },
)

test.each([
  [{ demo: false, category: 'taxi' }, 'not in demo mode'],
  [{ demo: true, category: 'delivery' }, 'sends parcels'],
])('load: settings %j -> refused before anyone signs in', async (settings, reason) => {
  const asked: (string | undefined)[] = []
  const server = createServer((request, response) => {
    asked.push(request.url)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(settings))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await expect(openDemo(url, { riders: 1, drivers: 1 })).rejects.toThrow(reason)
  expect(asked).toEqual(['/api/v1/settings'])
  server.closeAllConnections()
  server.close()
})

test('load: no server -> says how to start one', async () => {
  await expect(openDemo('http://127.0.0.1:1', { riders: 1, drivers: 1 })).rejects.toThrow('npm start')
})
