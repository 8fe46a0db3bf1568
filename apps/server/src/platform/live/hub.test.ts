import { Refusal } from '@hansom/domain/error-keys'
import { afterEach, expect, it, vi } from 'vitest'
import { manualClock } from '../clock/manual-clock.ts'
import { channelName } from './channels.ts'
import type { LiveLimits } from './live-limits.ts'
import { bearer, bookingTopic, LiveTestServer, ownOrigin } from './test-live.ts'

let bench: LiveTestServer
const start = async (limits: Partial<LiveLimits> = {}) => {
  bench = await LiveTestServer.start(limits)
  return bench
}
afterEach(() => bench.stop())

const asRider = channelName(bookingTopic, 'rider')
const asDriver = channelName(bookingTopic, 'driver')

it('upgrade: own origin with a cookie or a bearer token -> accepted; others -> refused', async () => {
  await start()
  const cookie = 'session=token-rider'
  const own = bench.dial('/live', { origin: ownOrigin, cookie })
  expect(await own.frame('hello')).toMatchObject({ uid: 'rider', speed: 1 })
  const signedOut = bench.dial('/live', { origin: ownOrigin })
  expect(await signedOut.frame('hello')).toMatchObject({ uid: null })
  expect(await bench.dial('/live', { origin: 'https://evil.example', cookie }).closed).toBe(403)
  expect(await bench.dial('/live', { ...bearer('token-rider'), origin: 'https://evil.example' }).closed).toBe(
    403,
  )
  expect(await bench.dial('/live', { cookie }).closed).toBe(403)
  expect(await bench.dial('/live', bearer('forged')).closed).toBe(401)
  expect(await bench.dial('/elsewhere', bearer('token-rider')).closed).toBe(404)
  // Proxies log URLs: a token in the URL is ignored.
  expect(await bench.dial('/live?token=token-rider').closed).toBe(403)
  const signedIn = bench.dial('/live', bearer('token-driver'))
  expect(await signedIn.frame('hello')).toMatchObject({ uid: 'driver' })
})

it('sockets: too many of one user, on any IP address -> refused until one closes', async () => {
  await start({ socketsPerPerson: 2 })
  const from = (address: string, token = 'token-rider') =>
    bench.dial('/live', { ...bearer(token), 'x-forwarded-for': address })
  const first = from('203.0.113.9')
  const second = from('203.0.113.10')
  await Promise.all([first.frame('hello'), second.frame('hello')])
  expect(await from('203.0.113.11').closed).toBe(429)
  await from('203.0.113.9', 'token-driver').frame('hello')
  first.ws.close()
  await first.closed
  await expect.poll(() => bench.hub.stats().connections).toBe(2)
  await from('203.0.113.9').frame('hello')
})

it('sockets: too many visitors on one IP address or IPv6 network -> refused; signed-in users accepted', async () => {
  await start({ socketsPerAddress: 1 })
  const visitor = (address: string) =>
    bench.dial('/live', { origin: ownOrigin, 'x-forwarded-for': `${address}, 192.0.2.7` })
  await visitor('203.0.113.9').frame('hello')
  expect(await visitor('203.0.113.9').closed).toBe(429)
  await visitor('203.0.113.10').frame('hello')
  await visitor('2001:db8:1:2::1').frame('hello')
  expect(await visitor('2001:db8:1:2:ffff::9').closed).toBe(429)
  await visitor('2001:db8:1:3::1').frame('hello')
  for (const token of ['token-rider', 'token-driver']) {
    await bench.dial('/live', { ...bearer(token), 'x-forwarded-for': '203.0.113.9' }).frame('hello')
  }
})

it('sockets: visitor limit reached -> signed-in users still accepted', async () => {
  await start({ socketsOfVisitors: 1 })
  await bench.dial('/live', { origin: ownOrigin }).frame('hello')
  expect(await bench.dial('/live', { origin: ownOrigin }).closed).toBe(503)
  await bench.connect()
})

it('topics: two audiences -> access checked per topic, each gets its own view', async () => {
  await start()
  bench.audiences.delete('driver')
  const rider = await bench.connect('token-rider')
  const driver = await bench.connect('token-driver')
  await rider.follow(bookingTopic)
  driver.send({ t: 'sub', topic: bookingTopic })
  expect(await driver.frame('err')).toEqual({ t: 'err', topic: bookingTopic, error: 'not_found' })
  await driver.follow('bookings')
  bench.audiences.set('driver', 'driver')
  await driver.follow(bookingTopic)
  bench.hub.publish(asRider, { otp: '1234' })
  bench.hub.publish(asDriver, { otp: null })
  expect(await rider.frame('ev')).toMatchObject({ data: { otp: '1234' }, seq: 1 })
  expect(await driver.frame('ev')).toMatchObject({ data: { otp: null }, seq: 1 })
  expect(driver.frames.filter((frame) => frame.t === 'ev')).toHaveLength(1)
})

it.each(['nothing', 'booking', 'bookings:1', 'booking:not-an-id', 'constructor', '__proto__', 'user', ''])(
  'topic "%s": unknown -> not_found, connection stays usable',
  async (topic) => {
    await start()
    const client = await bench.connect()
    client.send({ t: 'sub', topic })
    expect(await client.frame('err')).toEqual({ t: 'err', topic, error: 'not_found' })
    await client.follow('bookings')
  },
)

it('subscribe: events before and after -> snapshot first, then later events', async () => {
  await start()
  const early = await bench.connect()
  await early.follow(bookingTopic)
  bench.hub.publish(asRider, 1)
  bench.hub.publish(asRider, 2)
  await early.frame('ev', (frame) => frame.seq === 2)
  bench.state = { version: 2 }
  const late = await bench.connect()
  await late.follow(bookingTopic)
  expect(await late.frame('snap')).toMatchObject({ seq: 2, data: { version: 2 } })
  bench.hub.publish(asRider, 3)
  await late.frame('ev')
  expect(late.framesOf(bookingTopic)).toEqual(['snap 2', 'live 2', 'ev 3'])
  await early.frame('ev', (frame) => frame.seq === 3)
  expect(early.framesOf(bookingTopic)).toEqual(['snap 0', 'live 0', 'ev 1', 'ev 2', 'ev 3'])
})

it('subscribe: events while the snapshot is read -> none lost or repeated', async () => {
  await start()
  let open = () => {}
  bench.gate = new Promise((resolve) => {
    open = resolve
  })
  const client = await bench.connect()
  client.send({ t: 'sub', topic: bookingTopic })
  await expect.poll(() => bench.snapshots).toBe(1)
  for (let number = 1; number <= 5; number++) bench.hub.publish(asRider, number)
  bench.hub.publishVolatile(asRider, 'old')
  bench.hub.publishVolatile(asRider, 'new')
  open()
  await client.frame('live')
  bench.hub.publish(asRider, 6)
  await client.frame('ev', (frame) => frame.seq === 6)
  expect(client.framesOf(bookingTopic)).toEqual([
    'snap 0',
    'ev 1',
    'ev 2',
    'ev 3',
    'ev 4',
    'ev 5',
    'vol',
    'live 5',
    'ev 6',
  ])
  expect(await client.frame('vol')).toMatchObject({ data: 'new' })
})

it('subscribe: too many events while the snapshot is read -> snapshot read again', async () => {
  await start({ rememberedEvents: 3 })
  let open = () => {}
  bench.gate = new Promise((resolve) => {
    open = resolve
  })
  const client = await bench.connect()
  client.send({ t: 'sub', topic: bookingTopic })
  await expect.poll(() => bench.snapshots).toBe(1)
  for (let number = 1; number <= 5; number++) bench.hub.publish(asRider, number)
  open()
  await client.frame('live')
  expect(client.framesOf(bookingTopic)).toEqual(['snap 5', 'live 5'])
})

it('resume: connection dropped -> exactly the missed events', async () => {
  await start()
  const before = await bench.connect()
  await before.follow(bookingTopic)
  for (let number = 1; number <= 3; number++) bench.hub.publish(asRider, number)
  const { epoch } = await before.frame('ev', (frame) => frame.seq === 3)
  before.ws.terminate()
  await before.closed
  for (let number = 4; number <= 6; number++) bench.hub.publish(asRider, number)
  const after = await bench.connect()
  await after.follow(bookingTopic, { epoch, seq: 3 })
  bench.hub.publish(asRider, 7)
  await after.frame('ev', (frame) => frame.seq === 7)
  expect(after.framesOf(bookingTopic)).toEqual(['ev 4', 'ev 5', 'ev 6', 'live 6', 'ev 7'])
  expect(await after.frame('ev', (frame) => frame.seq === 5)).toMatchObject({ data: 5, epoch })
  expect(bench.snapshots).toBe(1)
})

it('resume: position too old, in the future, or of another epoch or audience -> snapshot', async () => {
  await start({ rememberedEvents: 4 })
  const client = await bench.connect()
  const { epoch } = await client.follow(bookingTopic)
  for (let number = 1; number <= 9; number++) bench.hub.publish(asRider, number)
  await client.frame('ev', (frame) => frame.seq === 9)
  const resumed = async (seen: { epoch: string; seq: number }) => {
    const other = await bench.connect()
    await other.follow(bookingTopic, seen)
    return other.framesOf(bookingTopic)
  }
  expect(await resumed({ epoch, seq: 5 })).toEqual(['ev 6', 'ev 7', 'ev 8', 'ev 9', 'live 9'])
  expect(await resumed({ epoch, seq: 9 })).toEqual(['live 9'])
  for (const seen of [
    { epoch, seq: 4 },
    { epoch, seq: 10 },
    { epoch: 'another', seq: 9 },
  ]) {
    expect(await resumed(seen)).toEqual(['snap 9', 'live 9'])
  }
  bench.audiences.set('rider', 'admin')
  expect(await resumed({ epoch, seq: 9 })).toEqual(['snap 0', 'live 0'])
})

it('resume: same socket after a gap -> later events arrive once', async () => {
  await start()
  const client = await bench.connect()
  const { epoch } = await client.follow(bookingTopic)
  bench.hub.publish(asRider, 1)
  await client.frame('ev')
  client.send({ t: 'sub', topic: bookingTopic, seen: { epoch, seq: 0 } })
  await client.frame('live', (frame) => frame.seq === 1)
  bench.hub.publish(asRider, 2)
  await client.frame('ev', (frame) => frame.seq === 2)
  expect(client.framesOf(bookingTopic)).toEqual(['snap 0', 'live 0', 'ev 1', 'ev 1', 'live 1', 'ev 2'])
})

it('reauthorize: access revoked -> not_found, no further events', async () => {
  await start()
  const client = await bench.connect()
  await client.follow(bookingTopic)
  await client.follow('bookings')
  bench.audiences.delete('rider')
  bench.hub.reauthorize('rider')
  expect(await client.frame('err')).toEqual({ t: 'err', topic: bookingTopic, error: 'not_found' })
  bench.hub.publish(asRider, 'secret')
  bench.hub.publish(channelName('bookings', 'rider'), 'allowed')
  await client.frame('ev')
  expect(client.frames.filter((frame) => frame.t === 'ev').map((frame) => frame.data)).toEqual(['allowed'])
})

it('reauthorize: check fails -> topic kept, checked again automatically', async () => {
  await start({ pingMs: 300 })
  const client = await bench.connect()
  await client.follow(bookingTopic)
  bench.authorizeFailure = new Error('database unavailable')
  bench.hub.reauthorize('rider')
  await new Promise((resolve) => setImmediate(resolve))
  bench.hub.publish(asRider, 'still here')
  await client.frame('ev')
  bench.audiences.delete('rider')
  bench.authorizeFailure = null
  expect(await client.frame('err')).toEqual({ t: 'err', topic: bookingTopic, error: 'not_found' })
})

it('reauthorize: audience changed -> moved to the new view', async () => {
  await start()
  const client = await bench.connect()
  await client.follow(bookingTopic)
  bench.audiences.set('rider', 'admin')
  bench.state = { version: 'for admins' }
  bench.hub.reauthorize('rider')
  await client.frame('snap', (frame) => JSON.stringify(frame.data).includes('admins'))
  bench.hub.publish(asRider, 'old view')
  bench.hub.publish(channelName(bookingTopic, 'admin'), 'new view')
  await client.frame('ev')
  expect(client.frames.filter((frame) => frame.t === 'ev').map((frame) => frame.data)).toEqual(['new view'])
})

it('session ended: on reauthorize and on the regular check -> socket closed', async () => {
  await start({ pingMs: 300, sessionCheckMs: 1 })
  const rechecked = await bench.connect('token-rider')
  const regular = await bench.connect('token-driver')
  bench.sessions.delete('token-rider')
  bench.hub.reauthorize('rider')
  expect(await rechecked.closed).toBe(4401)
  bench.sessions.delete('token-driver')
  expect(await regular.closed).toBe(4401)
})

it('session ended: while the socket is being accepted -> closed', async () => {
  await start()
  let answer = () => {}
  bench.sessionGate = new Promise((resolve) => {
    answer = resolve
  })
  const client = bench.dial('/live', bearer('token-rider'))
  const reading = vi.spyOn(bench.sessions, 'get')
  await expect.poll(() => reading.mock.calls.length).toBe(1)
  bench.sessions.delete('token-rider')
  bench.hub.reauthorize('rider')
  answer()
  expect(await client.closed).toBe(4401)
})

it('snapshot: read fails -> error key or server_error; a later subscribe succeeds', async () => {
  await start()
  const client = await bench.connect()
  bench.failure = new Refusal('no_bookings')
  client.send({ t: 'sub', topic: 'bookings' })
  expect(await client.frame('err')).toEqual({ t: 'err', topic: 'bookings', error: 'no_bookings' })
  bench.failure = new Error('database gone')
  client.send({ t: 'sub', topic: 'bookings' })
  await client.frame('err', (frame) => frame.error === 'server_error')
  bench.failure = null
  await client.follow('bookings')
})

it('unsubscribe: last subscriber leaves -> no events, channel dropped', async () => {
  await start({ pingMs: 300, rememberMs: 1 })
  const client = await bench.connect()
  await client.follow(bookingTopic)
  bench.hub.publish(asRider, 1)
  await client.frame('ev')
  client.send({ t: 'unsub', topic: bookingTopic })
  client.send({ t: 'ping', ref: 1 })
  await client.frame('pong')
  bench.hub.publish(asRider, 2)
  await expect.poll(() => bench.hub.stats().channels).toBe(0)
  await client.follow(bookingTopic)
  expect(client.framesOf(bookingTopic)).toEqual(['snap 0', 'live 0', 'ev 1', 'snap 0', 'live 0'])
})

it.each([-60_000, 300_000])('clock: set by %d ms -> connected clients get the new time', async (step) => {
  const clock = manualClock()
  bench = await LiveTestServer.start({ clockCheckMs: 20 }, clock)
  const client = await bench.connect()
  clock.step(step)
  expect(await client.frame('clock')).toEqual({ t: 'clock', now: clock.now(), speed: 1 })
  client.send({ t: 'ping', ref: 7 })
  expect(await client.frame('pong')).toEqual({ t: 'pong', ref: 7, now: clock.now(), speed: 1 })
})
