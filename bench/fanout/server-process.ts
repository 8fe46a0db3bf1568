import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'
import { localBus } from '../../apps/server/src/adapters/server-bus/port.ts'
import { systemClock } from '../../apps/server/src/platform/clock/clock.ts'
import { channelName } from '../../apps/server/src/platform/live/channels.ts'
import { LiveHub } from '../../apps/server/src/platform/live/hub.ts'
import { TopicRegistry } from '../../apps/server/src/platform/live/topics.ts'
import { silentLog } from '../../apps/server/src/platform/log/log.ts'
import { eventNow, type FromServer, type ToServer } from './protocol.ts'

/**
 * A server that sends the same event to all its sockets: `hub` with the complete live protocol, `bare` with plain `ws`.
 * Both send the same text.
 */
const server = createServer()
const publish = process.argv[2] === 'hub' ? serveHub(server) : serveBare(server)
server.listen(0, '127.0.0.1', () => send({ kind: 'listening', port: (server.address() as AddressInfo).port }))

process.on('message', (message: ToServer) => {
  if (message.kind === 'publish') publishRounds(message.rounds, message.together)
  else if (message.kind === 'pace') pace(message.perSecond, message.seconds)
  else send({ kind: 'cpu', ms: (process.cpuUsage().user + process.cpuUsage().system) / 1000 })
})
process.on('disconnect', () => process.exit(0))

function serveHub(http: Server): () => void {
  const topics = new TopicRegistry()
  const channel = channelName('tracking:01890000-0000-7000-8000-000000000001', 'watchers')
  topics.register('tracking', {
    authorize: async (viewer) => viewer && { channel },
    snapshot: async () => null,
  })
  const hub = new LiveHub({
    bus: localBus(),
    topics,
    clock: systemClock,
    log: silentLog(),
    authenticate: async (by) => ({ id: String(by), role: 'rider', approved: true, sessionId: String(by) }),
    originAllowed: () => false,
    trustedProxies: [],
    limits: { pingMs: 600_000 },
  })
  hub.attach(http)
  return () => hub.publish(channel, eventNow())
}

function serveBare(http: Server): () => void {
  const wss = new WebSocketServer({ server: http, perMessageDeflate: false })
  const topic = 'tracking:01890000-0000-7000-8000-000000000001'
  wss.on('connection', (ws) => {
    ws.on('message', () => ws.send(JSON.stringify({ t: 'live', topic, epoch: 'a', seq: 0 })))
  })
  let seq = 0
  return () => {
    const text = JSON.stringify({ t: 'ev', topic, epoch: '0123456789ab-1', seq: ++seq, data: eventNow() })
    for (const client of wss.clients) if (client.readyState === WebSocket.OPEN) client.send(text)
  }
}

let pending = 0

/** Publishes together in one turn of the event loop, or each in a separate turn. */
function publishRounds(rounds: number, together: boolean): void {
  if (together) {
    for (let round = 0; round < rounds; round++) publish()
    return
  }
  if (pending === 0) setImmediate(publishNext)
  pending += rounds
}

function publishNext(): void {
  publish()
  pending--
  // The hub writes at the end of a turn: the next event must come after that.
  if (pending > 0) setImmediate(() => setImmediate(publishNext))
}

/** Publishes on a fixed schedule; late events are sent immediately, so that pending shows in the latency. */
function pace(perSecond: number, seconds: number): void {
  const startedAt = performance.now()
  const total = Math.round(perSecond * seconds)
  let sent = 0
  const timer = setInterval(() => {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) / 1000) * perSecond))
    for (; sent < due; sent++) publish()
    if (sent < total) return
    clearInterval(timer)
    send({ kind: 'paced' })
  }, 1)
}

function send(message: FromServer): void {
  process.send?.(message)
}
