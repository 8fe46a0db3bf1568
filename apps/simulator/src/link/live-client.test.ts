import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ClientFrame, ServerFrame } from '@hansom/contract/live'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { LiveClient } from './live-client.ts'
import { Session } from './session.ts'

const topic = 'bookings'
let http: Server
let wss: WebSocketServer
let link: LiveClient
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
  http = createServer()
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
  link = new LiveClient(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, session)
  link.follow(topic, { snapshot: (data) => received.push(data), event: (data) => received.push(data) })
  link.open()
})
afterEach(async () => {
  link.close()
  for (const socket of sockets) socket.terminate()
  await new Promise((resolve) => http.close(resolve))
})

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
