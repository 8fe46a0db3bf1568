import { setTimeout as wait } from 'node:timers/promises'
import { liveClose } from '@hansom/contract/live'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ServerBus } from '../../adapters/server-bus/port.ts'
import { TestNetwork } from '../../adapters/server-bus/test-network.ts'
import { systemClock } from '../clock/clock.ts'
import { channelName } from './channels.ts'
import { bookingTopic, LiveTestServer, type TestClient } from './test-live.ts'

const asRider = channelName(bookingTopic, 'rider')
let network: TestNetwork
let buses: [ServerBus, ServerBus]
let servers: [LiveTestServer, LiveTestServer]
const pollMs = 100

beforeEach(async () => {
  network = new TestNetwork()
  buses = [network.join(), network.join()]
  const start = (bus: ServerBus) => LiveTestServer.start({ pollMs, sharedStateMs: 0 }, systemClock, bus)
  servers = [await start(buses[0]), await start(buses[1])]
})
afterEach(() => Promise.all(servers.map((server) => server.stop())))

/** The booking's versions that a client knows, one after the other, and the streams they came in. */
const versions = ({ frames }: TestClient) =>
  frames.flatMap((frame) => {
    const isState = (frame.t === 'snap' || frame.t === 'ev') && frame.topic === bookingTopic
    return isState ? [(frame.data as { version: number }).version] : []
  })
const epochs = ({ frames }: TestClient) =>
  new Set(frames.flatMap((frame) => ('epoch' in frame ? [frame.epoch] : [])))

it('event published on one server -> clients of both get it, once and in order', async () => {
  const [one, other] = servers
  const clients = [await one.connect(), await other.connect()]
  await Promise.all(clients.map((client) => client.follow(bookingTopic)))
  for (let version = 1; version <= 5; version++) one.hub.publish(asRider, { version })
  for (const client of clients) await expect.poll(() => versions(client)).toEqual([0, 1, 2, 3, 4, 5])
})

it('messages lost -> every client gets the state in a new stream, and the events after it', async () => {
  const [one, other] = servers
  const client = await other.connect()
  const before = await client.follow(bookingTopic)
  network.cut(buses[1])
  one.hub.publish(asRider, { version: 1 })
  other.state = { version: 1 }
  network.restore(buses[1])
  await expect.poll(() => versions(client)).toEqual([0, 1])
  one.hub.publish(asRider, { version: 2 })
  await expect.poll(() => versions(client)).toEqual([0, 1, 2])
  expect(epochs(client).size).toBe(2)
  // What a client has seen of the old stream counts for nothing.
  const late = await other.connect()
  expect((await late.follow(bookingTopic, before)).epoch).not.toBe(before.epoch)
})

it('messages lost while a topic is being opened -> it is opened in the new stream', async () => {
  const [one, other] = servers
  const client = await other.connect()
  let open = () => {}
  other.gate = new Promise((resolve) => {
    open = resolve
  })
  client.send({ t: 'sub', topic: bookingTopic })
  await expect.poll(() => other.snapshots).toBe(1)
  other.state = { version: 1 }
  network.tellLost(buses[1])
  open()
  await expect.poll(() => versions(client).at(-1)).toBe(1)
  one.hub.publish(asRider, { version: 2 })
  await expect.poll(() => versions(client).at(-1)).toBe(2)
})

it('no bus -> the state is read again and again; back -> events come, and reading ends', async () => {
  const [one, other] = servers
  const client = await other.connect()
  await client.follow(bookingTopic)
  network.cut(buses[1])
  for (let version = 1; version <= 3; version++) {
    other.state = { version }
    one.hub.publish(asRider, { version })
    await expect.poll(() => versions(client).at(-1)).toBe(version)
  }
  network.restore(buses[1])
  await wait(2 * pollMs)
  const { snapshots } = other
  one.hub.publish(asRider, { version: 4 })
  await expect.poll(() => versions(client).at(-1)).toBe(4)
  await wait(3 * pollMs)
  expect(other.snapshots).toBe(snapshots)
})

it('topic left while all are opened again -> it stays left', async () => {
  const [one, other] = servers
  const client = await other.connect()
  await client.follow(bookingTopic)
  network.tellLost(buses[1])
  client.send({ t: 'unsub', topic: bookingTopic })
  await wait(50)
  const known = versions(client).length
  one.hub.publish(asRider, { version: 1 })
  await wait(50)
  expect(versions(client).length).toBe(known)
})

it('user’s rights changed on one server -> sockets on the other are checked', async () => {
  const [one, other] = servers
  const client = await other.connect()
  other.sessions.delete('token-rider')
  one.hub.reauthorize('rider', 'signed out')
  expect(await client.closed).toBe(4401)
})

it('session ended on one server -> its socket on the other one closes', async () => {
  const [one, other] = servers
  const client = await other.connect()
  other.sessions.delete('token-rider')
  one.hub.reauthorize('rider', 'signed out elsewhere')
  expect(await client.closed).toBe(liveClose.sessionEnded)
})

it.each(['messages are lost', 'the servers do not reach each other'])(
  'session ended while %s -> its socket closes, others stay',
  async (fault) => {
    const [one, other] = servers
    const [client, stays] = [await other.connect(), await other.connect('token-driver')]
    network.cut(buses[1])
    other.sessions.delete('token-rider')
    one.hub.reauthorize('rider')
    if (fault === 'messages are lost') network.restore(buses[1])
    expect(await client.closed).toBe(liveClose.sessionEnded)
    expect(stays.ws.readyState).toBe(stays.ws.OPEN)
  },
)
