import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ClientFrame, ServerFrame } from '@hansom/contract/live'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { LiveLink } from './live-link.ts'
import { Session } from './session.ts'

const topic = 'bookings'
let http: Server
let wss: WebSocketServer
let link: LiveLink
let sockets: WebSocket[]
let tokens: string[]
let asked: ClientFrame[]
let heard: unknown[]
/** Tokens that the server knows. */
let known: Set<string>
let signIns: number
let pingMs: number

beforeEach(async () => {
  sockets = []
  tokens = []
  asked = []
  heard = []
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
      say({ t: 'hello', uid: 'd', now: 0, speed: 1, pingMs })
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const session = new Session('first', async () => {
    signIns++
    return 'second'
  })
  link = new LiveLink(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, session)
  link.follow(topic, { snapshot: (data) => heard.push(data), event: (data) => heard.push(data) })
  link.open()
})
afterEach(async () => {
  link.close()
  for (const socket of sockets) socket.terminate()
  await new Promise((resolve) => http.close(resolve))
})

function say(...frames: ServerFrame[]): void {
  for (const frame of frames) sockets.at(-1)?.send(JSON.stringify(frame))
}
const event = (seq: number): ServerFrame => ({ t: 'ev', topic, epoch: 'a', seq, data: seq })
const upTo = (seq: number): ServerFrame => ({ t: 'live', topic, epoch: 'a', seq })
const snap = (seq: number): ServerFrame => ({ t: 'snap', topic, epoch: 'a', seq, data: seq })
const until = (check: () => boolean) => expect.poll(check, { timeout: 15_000 }).toBe(true)
const subscriptions = () => asked.filter(({ t }) => t === 'sub')

it('asks once at a gap, however many events follow it', async () => {
  await until(() => subscriptions().length === 1)
  say(snap(1), upTo(1), event(3), event(4), event(5))
  await until(() => subscriptions().length === 2)
  expect(subscriptions()[1]).toMatchObject({ seen: { epoch: 'a', seq: 1 } })
  say(event(2), event(3), event(4), event(5), upTo(5))
  await until(() => heard.length === 5)
  expect(heard).toEqual([1, 2, 3, 4, 5])
  expect(subscriptions()).toHaveLength(2)
})

it('asks again for a topic that met trouble, not for one that was refused', async () => {
  await until(() => subscriptions().length === 1)
  say({ t: 'err', topic, error: 'server_error' })
  await until(() => subscriptions().length === 2)
  say({ t: 'err', topic, error: 'not_found' }, { t: 'err', topic: 'requests', error: 'unavailable' })
  say(snap(1), upTo(1))
  await until(() => heard.length === 1)
  expect(subscriptions()).toHaveLength(2)
})

it('leaves a line on which nothing is heard', async () => {
  await until(() => subscriptions().length === 1)
  pingMs = 40
  sockets[0]?.terminate()
  await until(() => sockets.length === 2)
  pingMs = 60_000
  await until(() => sockets.length === 3)
  expect(signIns).toBe(0)
})

it('signs in again when the session has ended, told or found', async () => {
  await until(() => subscriptions().length === 1)
  known.delete('first')
  sockets[0]?.close(4401)
  await until(() => sockets.length === 2)
  expect(tokens).toEqual(['first', 'second'])
  expect(signIns).toBe(1)
})

it('signs in again when a new line is refused to the old session', async () => {
  await until(() => subscriptions().length === 1)
  known.delete('first')
  sockets[0]?.terminate()
  await until(() => sockets.length === 2)
  expect(tokens).toEqual(['first', 'first', 'second'])
  expect(signIns).toBe(1)
})
