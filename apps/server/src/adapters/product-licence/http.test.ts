import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { httpLicence, noLicence } from './http.ts'

const input = { reqType: 'settings', license: 'L-1', createTime: 1_700_000_000_000 } as const
const closing: (() => unknown)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready))
  closing.push(
    () => server.close(),
    () => server.closeAllConnections(),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/check`
}

test('licence check: service answers true or false -> good or refused, with the documented request', async () => {
  const taken: unknown[] = []
  const url = await serve(async (request, response) => {
    const body = (await json(request)) as { license: string }
    taken.push([request.method, request.url, request.headers['content-type'], body])
    response.end(JSON.stringify({ success: body.license === 'L-1', more: 'words' }))
  })
  const licence = httpLicence({ url, project: 'rides' })
  expect(licence.isConfigured).toBe(true)
  expect(await licence.check(input)).toBe('good')
  expect(await licence.check({ ...input, reqType: 'auth', license: '' })).toBe('refused')
  expect(taken[0]).toEqual([
    'POST',
    '/check',
    'application/json',
    { projectId: 'rides', createTime: 1_700_000_000_000, reqType: 'settings', license: 'L-1' },
  ])
})

test.each([
  ['', 200],
  ['<html>', 200],
  ['null', 200],
  ['[]', 200],
  ['{}', 200],
  ['{"success":"true"}', 200],
  ['{"success":1}', 200],
  ['{"success":true}', 503],
  [`{"success":true,"x":"${'x'.repeat(200_000)}"}`, 200],
])('licence check: body %j with status %i -> no_answer', async (body, status) => {
  const url = await serve((_request, response) => void response.writeHead(status).end(body))
  expect(await httpLicence({ url, project: 'rides' }).check(input)).toBe('no_answer')
})

test('licence check: success in a 403 response -> refused', async () => {
  const url = await serve((_request, response) => void response.writeHead(403).end('{"success":true}'))
  expect(await httpLicence({ url, project: 'rides' }).check(input)).toBe('refused')
})

test('licence check: timeout, broken connection, refused connection or redirect -> no_answer', async () => {
  const silent = await serve(() => {})
  const broken = await serve((request) => request.socket.destroy())
  const elsewhere = await serve((_request, response) => void response.end('{"success":true}'))
  const moved = await serve((_request, response) => {
    response.writeHead(307, { location: elsewhere }).end()
  })
  for (const url of [silent, broken, moved, 'http://127.0.0.1:1/']) {
    expect(await httpLicence({ url, project: 'rides', timeoutMs: 100 }).check(input), url).toBe('no_answer')
  }
})

test('licence check: no service configured -> good, no request sent', async () => {
  expect([noLicence.isConfigured, await noLicence.check(input)]).toEqual([false, 'good'])
})
