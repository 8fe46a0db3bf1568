import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { createApi } from './api.ts'
import { Session } from './session.ts'

const seen: unknown[] = []
const http = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  const { authorization } = request.headers
  seen.push([authorization, request.headers['idempotency-key'], body])
  const ended = authorization === 'Bearer old'
  response.writeHead(ended ? 401 : 200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(ended ? { error: 'not_logged_in' } : { accepted: 1 }))
})
afterEach(() => void http.close())

it('api: session ended -> signs in and repeats the complete call', async () => {
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const session = new Session('old', async () => 'new')
  const api = createApi(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, session)
  const positions = [{ lat: 1, lng: 2, at: 3 }]
  const answer = await api.tracking.report({ positions }, { context: { idempotencyKey: 'k' } })
  expect(answer).toEqual({ accepted: 1 })
  const body = JSON.stringify({ positions })
  expect(seen).toEqual([
    ['Bearer old', 'k', body],
    ['Bearer new', 'k', body],
  ])
})
