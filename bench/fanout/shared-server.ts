import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Redis } from 'ioredis'
import { WebSocket, WebSocketServer } from 'ws'
import { RedisBus } from '../../apps/server/src/adapters/server-bus/redis.ts'
import { systemClock } from '../../apps/server/src/platform/clock/clock.ts'
import { channelName } from '../../apps/server/src/platform/live/channels.ts'
import { LiveHub } from '../../apps/server/src/platform/live/hub.ts'
import { TopicRegistry } from '../../apps/server/src/platform/live/topics.ts'
import { silentLog } from '../../apps/server/src/platform/log/log.ts'
import { eventNow, type FromServer, microseconds, type ToServer, topicOf } from './protocol.ts'

/**
 * One of several servers that tell each other events through Redis: `hub` with the complete live protocol and bus, `bare`
 * with the publish command and plain `ws`. Both send the same text. Arguments: side, address of Redis, number of trips.
 */
const [side, url = '', trips = '1'] = process.argv.slice(2)
const server = createServer()
const publish = side === 'hub' ? await serveHub(server) : await serveBare(server)
server.listen(0, '127.0.0.1', () => send({ kind: 'listening', port: (server.address() as AddressInfo).port }))

process.on('message', (message: ToServer) => {
  if (message.kind === 'pace') pace(message.perSecond, message.seconds)
  else if (message.kind === 'cpu')
    send({ kind: 'cpu', ms: (process.cpuUsage().user + process.cpuUsage().system) / 1000 })
})
process.on('disconnect', () => process.exit(0))

async function serveHub(http: Server): Promise<(trip: number, at: number) => void> {
  const topics = new TopicRegistry()
  topics.register('tracking', {
    authorize: async (viewer, id) => viewer && { channel: channelName(`tracking:${id}`, 'watchers') },
    snapshot: async () => null,
  })
  const hub = new LiveHub({
    bus: await RedisBus.open({ url, prefix: 'bench', log: silentLog() }),
    topics,
    clock: systemClock,
    log: silentLog(),
    authenticate: async (by) => ({ id: String(by), role: 'rider', approved: true, sessionId: String(by) }),
    originAllowed: () => false,
    trustedProxies: [],
    limits: { pingMs: 600_000 },
  })
  hub.attach(http)
  return (trip, at) => hub.publish(channelName(topicOf(trip), 'watchers'), eventNow(at))
}

async function serveBare(http: Server): Promise<(trip: number, at: number) => void> {
  const [publisher, subscriber] = [new Redis(url, { protocol: 2 }), new Redis(url, { protocol: 2 })]
  const followers = new Map<string, Set<WebSocket>>()
  const wss = new WebSocketServer({ server: http, perMessageDeflate: false })
  wss.on('connection', (ws) => {
    ws.on('message', (data) => {
      const { topic } = JSON.parse(String(data)) as { topic: string }
      const others = followers.get(topic)
      if (others) others.add(ws)
      else followers.set(topic, new Set([ws]))
      ws.send(JSON.stringify({ t: 'live', topic, epoch: 'a', seq: 0 }))
    })
  })
  await subscriber.subscribe('events')
  subscriber.on('message', (_channel, line) => {
    const end = line.indexOf('\t')
    const text = line.slice(end + 1)
    for (const ws of followers.get(line.slice(0, end)) ?? [])
      if (ws.readyState === WebSocket.OPEN) ws.send(text)
  })
  let seq = 0
  return (trip, at) => {
    const topic = topicOf(trip)
    const text = JSON.stringify({ t: 'ev', topic, epoch: '0123456789ab-1', seq: ++seq, data: eventNow(at) })
    void publisher.publish('events', `${topic}\t${text}`)
  }
}

/** Publishes on a fixed schedule, of each trip in turn. An event counts from its planned time, even if it is sent later. */
function pace(perSecond: number, seconds: number): void {
  const startedAt = microseconds()
  const total = Math.round(perSecond * seconds)
  let sent = 0
  const timer = setInterval(() => {
    const due = Math.min(total, Math.floor(((microseconds() - startedAt) / 1e6) * perSecond))
    for (; sent < due; sent++) {
      const plannedAt = startedAt + Math.floor(((sent + 1) / perSecond) * 1e6)
      publish(1 + (sent % Number(trips)), plannedAt)
    }
    if (sent < total) return
    clearInterval(timer)
    send({ kind: 'paced' })
  }, 1)
}

function send(message: FromServer): void {
  process.send?.(message)
}
