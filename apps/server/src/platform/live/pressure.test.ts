import { connect } from 'node:net'
import type { Position } from '@hansom/contract/tracking'
import { Refusal } from '@hansom/domain/error-keys'
import { afterEach, expect, it } from 'vitest'
import type { LiveLimits } from './live-limits.ts'
import { bearer, bookingTopic, LiveBench, ownOrigin } from './test-live.ts'
import { channelName } from './topics.ts'

let bench: LiveBench
const start = async (limits: Partial<LiveLimits> = {}) => {
  bench = await LiveBench.start(limits)
  return bench
}
afterEach(() => bench.stop())

const channel = channelName(bookingTopic, 'rider')
const place: Position = { lat: -34.9, lng: -56.2, at: 1_700_000_000_000 }
const turn = () => new Promise((resolve) => setImmediate(resolve))

it('gives a client that was behind the newest position and not the queue', async () => {
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

it('cuts off a client that does not read its events; it resumes without a gap', async () => {
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

it('closes a client that sends too many frames', async () => {
  await start({ framesPerSecond: 1, frameBurst: 5 })
  const client = await bench.connect()
  for (let ref = 0; ref < 8; ref++) client.send({ t: 'ping', ref })
  expect(await client.closed).toBe(4429)
  expect(client.frames.filter((frame) => frame.t === 'pong')).toHaveLength(5)
  expect(client.frames.at(-1)).toEqual({ t: 'err', error: 'too_many_requests' })
})

it('limits the topics of a socket', async () => {
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

it('closes a client that gives no sign of life, and keeps one that does', async () => {
  await start({ pingMs: 300 })
  const alive = await bench.connect()
  const silent = connect(bench.port, '127.0.0.1')
  const heard: Buffer[] = []
  silent.on('data', (data: Buffer) => heard.push(data))
  silent.write(
    'GET /live HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer token-rider\r\n' +
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
  await expect.poll(() => Buffer.concat(heard).includes('no sign of life'), { timeout: 5_000 }).toBe(true)
  const goodbye = Buffer.concat(heard)
  expect(goodbye.readUInt16BE(goodbye.indexOf('no sign of life') - 2)).toBe(4408)
  await new Promise((resolve) => silent.on('close', resolve))
  await expect.poll(() => bench.hub.stats().connections).toBe(1)
  await alive.follow('bookings')
})

it('sends clients away when it stops, and takes no more', async () => {
  await start()
  const client = await bench.connect()
  await client.follow(bookingTopic)
  bench.hub.publish(channel, 'the last word')
  const stopped = bench.hub.close(1_000)
  expect(await client.closed).toBe(1001)
  expect(await client.frame('ev')).toMatchObject({ data: 'the last word' })
  await stopped
  expect(await bench.dial('/live', bearer('token-rider')).closed).toBe(503)
})

it('does not wait for ever for a client that does not go', async () => {
  await start()
  const client = await bench.connect()
  client.ws.pause()
  await bench.hub.close(50)
  expect(bench.hub.stats().connections).toBe(0)
})

it('hands on positions in order and acknowledges them once taken', async () => {
  await start()
  const taken: number[] = []
  bench.hub.onPosition(async (viewer, position) => {
    if (viewer.role !== 'driver') throw new Refusal('forbidden')
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

it('cuts off a visitor who asks and does not read, long before a person who is signed in', async () => {
  await start({ waitingBytesOfVisitor: 20_000, framesPerSecond: 1e6, frameBurst: 1e6 })
  const visitor = bench.dial('/live', { origin: ownOrigin })
  await visitor.frame('hello')
  visitor.ws.pause()
  // Answers that need no state count as well.
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

it('reads no state for a client that does not read', async () => {
  await start({ waitingBytes: 50_000, openingsPerSecond: 1e6, openingBurst: 1e6, framesPerSecond: 1e6 })
  bench.state = 'x'.repeat(60_000)
  const client = await bench.connect()
  client.ws.pause()
  let asked = 0
  while (bench.hub.stats().cutOff === 0) {
    asked++
    client.send({ t: 'sub', topic: bookingTopic })
    const isAnswered = () => bench.snapshots === asked || bench.hub.stats().cutOff === 1
    await expect.poll(isAnswered, { timeout: 15_000, interval: 1 }).toBe(true)
    // What was read is on its way, or has had the client cut.
    await turn()
  }
  // The last question found that the ones before were not read, and cost nothing but the connection.
  expect(bench.snapshots).toBe(asked - 1)
})

it('opens a topic once when it is asked for many times at once', async () => {
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

it('counts the topics a client opens, not only its frames', async () => {
  await start({ openingsPerSecond: 0.001, openingBurst: 2 })
  const client = await bench.connect()
  await client.follow('bookings')
  await client.follow(bookingTopic)
  client.send({ t: 'sub', topic: bookingTopic })
  expect(await client.frame('err')).toMatchObject({ topic: bookingTopic, error: 'too_many_requests' })
  expect(bench.snapshots).toBe(2)
})

it('sends a state larger than what may wait, to who reads it', async () => {
  await start({ waitingBytes: 10_000 })
  bench.state = 'x'.repeat(5_000_000)
  const client = await bench.connect()
  await client.follow(bookingTopic)
  bench.hub.publish(channel, 'after it')
  await client.frame('ev')
  expect(bench.hub.stats().cutOff).toBe(0)
})

it('reads a state that all see alike once for all of them, and again after a change', async () => {
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

it('cuts off who goes on sending and reads nothing', async () => {
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
