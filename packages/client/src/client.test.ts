import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ClientFrame, ServerFrame } from '@hansom/contract/live'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { ApiError } from './api-error.ts'
import { type Client, createClient } from './client.ts'
import { Session } from './session.ts'

const topic = 'bookings'
let http: Server
let wss: WebSocketServer
let client: Client
let requests: [authorization: string | undefined, key: unknown, body: string][]
let sockets: WebSocket[]
let tokens: string[]
let asked: ClientFrame[]
let received: unknown[]
/** Tokens that the server accepts. */
let known: Set<string>
let signIns: number
let pingMs: number

beforeEach(async () => {
  sockets = []
  tokens = []
  asked = []
  received = []
  known = new Set(['first', 'second'])
  signIns = 0
  pingMs = 60_000
  requests = []
  http = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const { authorization } = request.headers
    requests.push([authorization, request.headers['idempotency-key'], body])
    const token = authorization?.replace('Bearer ', '') ?? ''
    const isKnown = known.has(token)
    if (request.url === '/api/auth/sign-out') known.delete(token)
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isKnown ? { accepted: 1 } : { error: 'must_login', requestId: 'r' }))
  })
  wss = new WebSocketServer({ noServer: true })
  http.on('upgrade', (request, socket, head) => {
    const token = (request.headers.authorization ?? '').replace('Bearer ', '')
    tokens.push(token)
    if (!known.has(token)) return socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n')
    wss.handleUpgrade(request, socket, head, (ws) => {
      sockets.push(ws)
      ws.on('message', (data) => asked.push(JSON.parse(String(data)) as ClientFrame))
      serve({ t: 'hello', uid: 'd', now: 0, speed: 1, pingMs })
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const session = new Session('first', async () => {
    signIns++
    return 'second'
  })
  client = createClient({ url: httpUrl(), session, webSocket: WebSocket })
  follow()
})
afterEach(async () => {
  client.close()
  for (const socket of sockets) socket.terminate()
  await new Promise((resolve) => http.close(resolve))
})

function httpUrl(): string {
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`
}

function createUnrenewable(token: string): Client {
  return createClient({ url: httpUrl(), session: new Session(token), webSocket: WebSocket })
}

function follow(): void {
  client.live.subscribe(topic, {
    snapshot: (data) => received.push(data),
    event: (data) => received.push(data),
  })
}

function serve(...frames: ServerFrame[]): void {
  for (const frame of frames) sockets.at(-1)?.send(JSON.stringify(frame))
}
const event = (seq: number): ServerFrame => ({ t: 'ev', topic, epoch: 'a', seq, data: seq })
const upTo = (seq: number): ServerFrame => ({ t: 'live', topic, epoch: 'a', seq })
const snap = (seq: number): ServerFrame => ({ t: 'snap', topic, epoch: 'a', seq, data: seq })
const until = (check: () => boolean) => expect.poll(check, { timeout: 15_000 }).toBe(true)
const subscriptions = () => asked.filter(({ t }) => t === 'sub')

it('gap: more events follow -> subscribes again once', async () => {
  await until(() => subscriptions().length === 1)
  serve(snap(1), upTo(1), event(3), event(4), event(5))
  await until(() => subscriptions().length === 2)
  expect(subscriptions()[1]).toMatchObject({ seen: { epoch: 'a', seq: 1 } })
  serve(event(2), event(3), event(4), event(5), upTo(5))
  await until(() => received.length === 5)
  expect(received).toEqual([1, 2, 3, 4, 5])
  expect(subscriptions()).toHaveLength(2)
})

it('topic error: temporary -> subscribes again; refused -> does not', async () => {
  await until(() => subscriptions().length === 1)
  serve({ t: 'err', topic, error: 'server_error' })
  await until(() => subscriptions().length === 2)
  serve({ t: 'err', topic, error: 'not_found' }, { t: 'err', topic: 'requests', error: 'unavailable' })
  serve(snap(1), upTo(1))
  await until(() => received.length === 1)
  expect(subscriptions()).toHaveLength(2)
})

it('silence: no frame or ping -> reconnects', async () => {
  await until(() => subscriptions().length === 1)
  pingMs = 40
  sockets[0]?.terminate()
  await until(() => sockets.length === 2)
  pingMs = 60_000
  await until(() => sockets.length === 3)
  expect(signIns).toBe(0)
})

it('session ended: socket closed with 4401 -> signs in again', async () => {
  await until(() => subscriptions().length === 1)
  known.delete('first')
  sockets[0]?.close(4401)
  await until(() => sockets.length === 2)
  expect(tokens).toEqual(['first', 'second'])
  expect(signIns).toBe(1)
})

it('session ended: new socket refused -> signs in again', async () => {
  await until(() => subscriptions().length === 1)
  known.delete('first')
  sockets[0]?.terminate()
  await until(() => sockets.length === 2)
  expect(tokens).toEqual(['first', 'first', 'second'])
  expect(signIns).toBe(1)
})

it('session cannot be renewed: socket closed with 4401 -> ended, follower gets not_logged_in', async () => {
  client.close()
  client = createUnrenewable('first')
  const followed = client.followBooking('b', () => {})
  followed.catch(() => {})
  await until(() => subscriptions().some((frame) => 'topic' in frame && frame.topic === 'booking:b'))
  known.delete('first')
  sockets.at(-1)?.close(4401)
  await expect(followed).rejects.toMatchObject({ key: 'not_logged_in', status: 401 })
  expect(client.live.status).toBe('ended')
})

it('REST call: session ended and cannot be renewed -> the error of the server', async () => {
  const call = createUnrenewable('dead').api.tracking.report({ positions: [] })
  await expect(call).rejects.toMatchObject({ key: 'must_login', status: 401, requestId: 'r' })
})

it('signOut: session ended by the server -> the client is a visitor', async () => {
  const ended = createUnrenewable('dead')
  await ended.signOut()
  await ended.api.tracking.report({ positions: [] }).catch(() => {})
  expect(requests.map(([authorization]) => authorization)).toEqual(['Bearer dead', undefined])
})

it('signOut: renewable session ended by the server -> does not sign in again', async () => {
  known.delete('first')
  await client.signOut()
  expect(signIns).toBe(0)
  expect(requests.map(([authorization]) => authorization)).toEqual(['Bearer first'])
})

it.each([
  ['login_error', 401],
  ['require_approval', 403],
  ['too_many_requests', 429],
  ['Fetch Call Error', 0],
] as const)('signOut: renewal in progress fails with %s -> the client is a visitor', async (key, status) => {
  known.clear()
  let refuse: (() => void) | undefined
  const signIn = () =>
    new Promise<string>((_resolve, reject) => {
      refuse = () => reject(new ApiError(key, status))
    })
  const renewed = createClient({ url: httpUrl(), session: new Session('first', signIn) })
  const call = renewed.api.tracking.report({ positions: [] }).catch((error: unknown) => error)
  await until(() => refuse !== undefined)
  const signedOut = renewed.signOut()
  refuse?.()
  await signedOut
  expect(await call).toMatchObject({ key })
  await renewed.api.tracking.report({ positions: [] }).catch(() => {})
  expect(requests.at(-1)?.[0]).toBeUndefined()
})

it('signOut: renewal in progress succeeds -> ends the new session and repeats no call', async () => {
  known.delete('first')
  let accept: (() => void) | undefined
  const signIn = () =>
    new Promise<string>((resolve) => {
      accept = () => resolve('second')
    })
  const renewed = createClient({ url: httpUrl(), session: new Session('first', signIn) })
  const call = renewed.api.tracking.report({ positions: [] }).catch((error: unknown) => error)
  await until(() => accept !== undefined)
  const signedOut = renewed.signOut()
  accept?.()
  await signedOut
  expect(await call).toMatchObject({ key: 'must_login', status: 401 })
  const calls = requests.map(([authorization, , body]) => [authorization, body])
  expect(calls).toEqual([
    ['Bearer first', JSON.stringify({ positions: [] })],
    ['Bearer second', '{}'],
  ])
  expect(known.has('second')).toBe(false)
})

it('signOut: a call in progress gets 401 -> does not sign in again', async () => {
  const call = client.api.tracking.report({ positions: [] }).catch((error: unknown) => error)
  const signedOut = client.signOut()
  known.clear()
  await signedOut
  expect(await call).toMatchObject({ key: 'must_login', status: 401 })
  expect(signIns).toBe(0)
})

it('signOut: server does not respond -> throws, and the client is a visitor until a retry ends the session', async () => {
  let isOffline = true
  const offline = createClient({
    url: httpUrl(),
    session: new Session('first'),
    fetch: (...call) => (isOffline ? Promise.reject(new TypeError('no connection')) : fetch(...call)),
  })
  const failure = { key: 'Fetch Call Error', status: 0 }
  await expect(offline.signOut()).rejects.toMatchObject(failure)
  await expect(offline.signOut()).rejects.toMatchObject(failure)
  isOffline = false
  await offline.api.tracking.report({ positions: [] }).catch(() => {})
  await offline.signOut()
  // The session has ended, so there is nothing left to send.
  await offline.signOut()
  expect(requests.map(([authorization]) => authorization)).toEqual([undefined, 'Bearer first'])
})

it('REST call: session ended -> signs in and repeats the complete call', async () => {
  known.delete('first')
  const positions = [{ lat: 1, lng: 2, at: 3 }]
  const answer = await client.api.tracking.report({ positions }, { context: { idempotencyKey: 'k' } })
  expect(answer).toEqual({ accepted: 1 })
  const body = JSON.stringify({ positions })
  expect(requests).toEqual([
    ['Bearer first', 'k', body],
    ['Bearer second', 'k', body],
  ])
})

it('followBooking: versions out of order -> each newer one once, until the end', async () => {
  const seen: string[] = []
  const followed = client.followBooking('b', ({ status }) => void seen.push(status))
  await until(() => subscriptions().some((frame) => 'topic' in frame && frame.topic === 'booking:b'))
  const at = (seq: number, t: 'snap' | 'ev', version: number, status: string) =>
    ({ t, topic: 'booking:b', epoch: 'a', seq, data: { id: 'b', version, status } }) as const
  serve(
    at(1, 'snap', 2, 'NEW'),
    at(2, 'ev', 1, 'NEW'),
    at(3, 'ev', 3, 'ACCEPTED'),
    at(4, 'ev', 4, 'CANCELLED'),
  )
  expect(await followed).toMatchObject({ version: 4 })
  expect(seen).toEqual(['NEW', 'ACCEPTED', 'CANCELLED'])
  await until(() => asked.some(({ t }) => t === 'unsub'))
})

it('followBooking: refused, aborted or the callback throws -> rejects', async () => {
  const topics = () => subscriptions().map((frame) => ('topic' in frame ? frame.topic : ''))
  const refused = client.followBooking('refused', () => {})
  refused.catch(() => {})
  const wrong = client.followBooking('wrong', () => {
    throw new Error('mine')
  })
  wrong.catch(() => {})
  const stop = new AbortController()
  const aborted = client.followBooking('aborted', () => {}, stop)
  aborted.catch(() => {})
  await until(() => topics().includes('booking:aborted'))
  serve({ t: 'err', topic: 'booking:refused', error: 'not_found' })
  serve({
    t: 'snap',
    topic: 'booking:wrong',
    epoch: 'a',
    seq: 1,
    data: { id: 'wrong', version: 1, status: 'NEW' },
  })
  stop.abort(new Error('enough'))
  await expect(refused).rejects.toMatchObject({ key: 'not_found' })
  await expect(wrong).rejects.toThrow('mine')
  await expect(aborted).rejects.toThrow('enough')
})

it('followBooking: client closed -> rejects with an AbortError', async () => {
  const followed = client.followBooking('b', () => {})
  const rejected = expect(followed).rejects.toMatchObject({ name: 'AbortError' })
  client.close()
  await rejected
  expect(client.live.isSubscribed('booking:b')).toBe(false)
})

it('no WebSocket class: subscribe -> throws, followBooking -> rejects', async () => {
  vi.stubGlobal('WebSocket', undefined)
  const visitor = createClient({ url: 'http://127.0.0.1:1' })
  const message = 'no global WebSocket'
  expect(() => visitor.live.subscribe(topic, {})).toThrow(message)
  await expect(visitor.followBooking('b', () => {})).rejects.toThrow(message)
  expect(visitor.live.status).toBe('idle')
  expect(visitor.live.isSubscribed(topic)).toBe(false)
  vi.unstubAllGlobals()
})
