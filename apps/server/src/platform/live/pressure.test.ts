import { connect } from 'node:net'
import type { Position } from '@hansom/contract/tracking'
import { Refusal } from '@hansom/domain/error-keys'
import { afterEach, expect, it } from 'vitest'
import { channelName } from './channels.ts'
import type { LiveLimits } from './live-limits.ts'
import { bearer, bookingTopic, LiveTestServer, ownOrigin } from './test-live.ts'

let bench: LiveTestServer
const start = async (limits: Partial<LiveLimits> = {}) => {
  bench = await LiveTestServer.start(limits)
  return bench
}
afterEach(() => bench.stop())

const channel = channelName(bookingTopic, 'rider')
const place: Position = { lat: -34.9, lng: -56.2, at: 1_700_000_000_000 }
const turn = () => new Promise((resolve) => setImmediate(resolve))

it('slow client: volatile events -> gets the newest, not the queue', async () => {
  await start()
  const slow = await bench.connect()
  const quick = await bench.connect()
  await Promise.all([slow.follow(bookingTopic), quick.follow(bookingTopic)])
  slow.ws.pause()
  const filling = 'x'.repeat(60_000)
  const last = 300
  for (let number = 1; number <= last; number++) {
    bench.hub.publishVolatile(channel, { number, filling })
    await quick.frame('vol', (frame) => (frame.data as { number: number }).number === number)
  }
  slow.ws.resume()
  await slow.frame('vol', (frame) => (frame.data as { number: number }).number === last)
  const numbers = slow.frames.flatMap((frame) =>
    frame.t === 'vol' ? [(frame.data as { number: number }).number] : [],
  )
  expect(numbers.length).toBeLessThan(last)
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
  expect(bench.hub.stats().cutOff).toBe(0)
})

it('slow client: numbered events over the limit -> cut off, resumes without a gap', async () => {
  await start({ waitingBytes: 100_000, rememberedBytes: 100_000_000 })
  const slow = await bench.connect()
  const { epoch } = await slow.follow(bookingTopic)
  slow.ws.pause()
  const filling = 'x'.repeat(60_000)
  let published = 0
  while (bench.hub.stats().cutOff === 0 && published < 1_000) {
    bench.hub.publish(channel, filling)
    published++
    await turn()
  }
  expect(bench.hub.stats().cutOff).toBe(1)
  slow.ws.resume()
  await slow.closed
  const seqs = slow.frames.flatMap((frame) => (frame.t === 'ev' ? [frame.seq] : []))
  expect(seqs).toEqual(seqs.map((_, place) => place + 1))
  const again = await bench.connect()
  const { seq } = await again.follow(bookingTopic, { epoch, seq: published - 3 })
  expect(seq).toBe(published)
  expect(again.frames.filter((frame) => frame.t === 'ev')).toHaveLength(3)
})

it('rate limit: too many frames -> closed with too_many_requests', async () => {
  await start({ framesPerSecond: 1, frameBurst: 5 })
  const client = await bench.connect()
  for (let ref = 0; ref < 8; ref++) client.send({ t: 'ping', ref })
  expect(await client.closed).toBe(4429)
  expect(client.frames.filter((frame) => frame.t === 'pong')).toHaveLength(5)
  expect(client.frames.at(-1)).toEqual({ t: 'err', error: 'too_many_requests' })
})

it('rate limit: too many topics on a socket -> too_many_requests', async () => {
  await start({ topicsPerSocket: 1 })
  const client = await bench.connect()
  await client.follow('bookings')
  client.send({ t: 'sub', topic: bookingTopic })
  expect(await client.frame('err')).toMatchObject({ topic: bookingTopic, error: 'too_many_requests' })
  client.send({ t: 'unsub', topic: 'bookings' })
  await expect
    .poll(async () => {
      client.send({ t: 'sub', topic: bookingTopic })
      return client.frames.some((frame) => frame.t === 'live' && frame.topic === bookingTopic)
    })
    .toBe(true)
})

it('ping: no response -> closed; response -> stays open', async () => {
  await start({ pingMs: 300 })
  const alive = await bench.connect()
  const silent = connect(bench.port, '127.0.0.1')
  const received: Buffer[] = []
  silent.on('data', (data: Buffer) => received.push(data))
  silent.write(
    'GET /live HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer token-rider\r\n' +
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
  await expect.poll(() => Buffer.concat(received).includes('no sign of life'), { timeout: 5_000 }).toBe(true)
  const goodbye = Buffer.concat(received)
  expect(goodbye.readUInt16BE(goodbye.indexOf('no sign of life') - 2)).toBe(4408)
  await new Promise((resolve) => silent.on('close', resolve))
  await expect.poll(() => bench.hub.stats().connections).toBe(1)
  await alive.follow('bookings')
})

it('close: connected clients -> receive pending events, then closed; new ones -> 503', async () => {
  await start()
  const client = await bench.connect()
  await client.follow(bookingTopic)
  bench.hub.publish(channel, 'last event')
  const stopped = bench.hub.close(1_000)
  expect(await client.closed).toBe(1001)
  expect(await client.frame('ev')).toMatchObject({ data: 'last event' })
  await stopped
  expect(await bench.dial('/live', bearer('token-rider')).closed).toBe(503)
})

it('close: client does not disconnect -> terminated after the limit', async () => {
  await start()
  const client = await bench.connect()
  client.ws.pause()
  await bench.hub.close(50)
  expect(bench.hub.stats().connections).toBe(0)
})

it('positions: several -> handled in order, acknowledged; errors returned', async () => {
  await start()
  const taken: number[] = []
  bench.hub.onPosition(async (actor, position) => {
    if (actor.role !== 'driver') throw new Refusal('forbidden')
    if (position.bearing === 13) throw new Error('out of order')
    for (let turns = position.at % 7; turns > 0; turns--) await turn()
    taken.push(position.at)
  })
  const driver = await bench.connect('token-driver')
  for (let at = 20; at > 0; at--) driver.send({ t: 'pos', position: { ...place, at }, ref: at })
  await driver.frame('ack', (frame) => frame.ref === 1)
  expect(taken).toEqual(Array.from({ length: 20 }, (_, number) => 20 - number))
  driver.send({ t: 'pos', position: { ...place, bearing: 13 }, ref: 99 })
  expect(await driver.frame('err')).toEqual({ t: 'err', ref: 99, error: 'server_error' })
  const rider = await bench.connect('token-rider')
  rider.send({ t: 'pos', position: place, ref: 5 })
  expect(await rider.frame('err')).toEqual({ t: 'err', ref: 5, error: 'forbidden' })
})

it('visitor: sends requests without reading -> cut off at the lower limit', async () => {
  await start({ waitingBytesOfVisitor: 20_000, framesPerSecond: 1e6, frameBurst: 1e6 })
  const visitor = bench.dial('/live', { origin: ownOrigin })
  await visitor.frame('hello')
  visitor.ws.pause()
  // Replies that need no snapshot count as well.
  await expect
    .poll(
      () => {
        for (let number = 0; number < 2_000; number++) visitor.send({ t: 'ping', ref: number })
        return bench.hub.stats().cutOff
      },
      { timeout: 15_000 },
    )
    .toBe(1)
})

it('slow client: subscribes without reading -> no further snapshot read', async () => {
  await start({
    waitingBytes: 50_000,
    subscriptionsPerSecond: 1e6,
    subscriptionBurst: 1e6,
    framesPerSecond: 1e6,
  })
  bench.state = 'x'.repeat(60_000)
  const client = await bench.connect()
  client.ws.pause()
  let requests = 0
  while (bench.hub.stats().cutOff === 0) {
    requests++
    client.send({ t: 'sub', topic: bookingTopic })
    const isAnswered = () => bench.snapshots === requests || bench.hub.stats().cutOff === 1
    await expect.poll(isAnswered, { timeout: 15_000, interval: 1 }).toBe(true)
    // The snapshot was sent, or the client was cut off.
    await turn()
  }
  // The last request found unread replies, so it closed the connection without reading a snapshot.
  expect(bench.snapshots).toBe(requests - 1)
})

it('subscribe: many times in a row -> opened once', async () => {
  await start()
  let open = () => {}
  bench.gate = new Promise((resolve) => {
    open = resolve
  })
  const client = await bench.connect()
  for (let number = 0; number < 50; number++) client.send({ t: 'sub', topic: bookingTopic })
  client.send({ t: 'ping', ref: 1 })
  await client.frame('pong')
  expect(bench.snapshots).toBe(1)
  open()
  client.send({ t: 'unsub', topic: bookingTopic })
  client.send({ t: 'sub', topic: bookingTopic })
  await expect.poll(() => client.frames.at(-1)?.t).toBe('live')
  expect(bench.snapshots).toBeLessThanOrEqual(3)
})

it('rate limit: topics opened too often -> too_many_requests', async () => {
  await start({ subscriptionsPerSecond: 0.001, subscriptionBurst: 2 })
  const client = await bench.connect()
  await client.follow('bookings')
  await client.follow(bookingTopic)
  client.send({ t: 'sub', topic: bookingTopic })
  expect(await client.frame('err')).toMatchObject({ topic: bookingTopic, error: 'too_many_requests' })
  expect(bench.snapshots).toBe(2)
})

it('snapshot: larger than the queue limit -> sent to a client that reads', async () => {
  await start({ waitingBytes: 10_000 })
  bench.state = 'x'.repeat(5_000_000)
  const client = await bench.connect()
  await client.follow(bookingTopic)
  bench.hub.publish(channel, 'after it')
  await client.frame('ev')
  expect(bench.hub.stats().cutOff).toBe(0)
})

it('shared snapshot: many subscribers -> read once, and again after a change', async () => {
  await start()
  const clients = await Promise.all(Array.from({ length: 20 }, () => bench.connect()))
  await Promise.all(clients.map((client) => client.follow('settings')))
  expect(bench.snapshots).toBe(1)
  bench.state = { version: 1 }
  bench.hub.publish(channelName('settings', 'everybody'), { version: 1 })
  const late = await bench.connect()
  await late.follow('settings')
  expect(await late.frame('snap')).toMatchObject({ data: { version: 1 }, seq: 1 })
  expect(bench.snapshots).toBe(2)
})

it('slow client: keeps sending without reading -> cut off', async () => {
  await start({ pingMs: 200, waitingBytes: 1e9, rememberedBytes: 1e9 })
  const client = await bench.connect()
  await client.follow(bookingTopic)
  client.ws.pause()
  const filling = 'x'.repeat(60_000)
  for (let number = 0; number < 500; number++) bench.hub.publish(channel, filling)
  await expect
    .poll(
      () => {
        client.send({ t: 'ping' })
        return bench.hub.stats().cutOff
      },
      { timeout: 10_000 },
    )
    .toBe(1)
})
