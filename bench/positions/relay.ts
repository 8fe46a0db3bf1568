import { once } from 'node:events'
import { Redis } from 'ioredis'
import { WebSocket, WebSocketServer } from 'ws'

/**
 * One of several servers that only pass positions on: a driver's frame goes to all servers through Redis, and from there to the
 * sockets that follow this driver. Nothing is checked, kept or stored. Argument: address of Redis.
 */
const [url = ''] = process.argv.slice(2)
const [publisher, subscriber] = [new Redis(url, { protocol: 2 }), new Redis(url, { protocol: 2 })]
const followers = new Map<string, Set<WebSocket>>()
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
server.on('connection', (socket) => {
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data)) as { follow?: string; driver?: string; ref?: number }
    if (frame.follow !== undefined) {
      const others = followers.get(frame.follow)
      if (others) others.add(socket)
      else followers.set(frame.follow, new Set([socket]))
    } else {
      void publisher.publish('positions', `${frame.driver}\t${String(data)}`)
    }
    socket.send(JSON.stringify({ ref: frame.ref }))
  })
})
// It may listen before Redis has answered.
const listening = once(server, 'listening')
await subscriber.subscribe('positions')
subscriber.on('message', (_channel, line) => {
  const end = line.indexOf('\t')
  for (const socket of followers.get(line.slice(0, end)) ?? [])
    if (socket.readyState === WebSocket.OPEN) socket.send(line.slice(end + 1))
})
await listening
process.send?.({ port: (server.address() as { port: number }).port })
process.on('disconnect', () => process.exit(0))
