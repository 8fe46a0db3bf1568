import type { ServerFrame } from '@hansom/contract/live'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { LiveClient, type TopicListener } from './live-client.ts'

/** A socket controlled by the test. */
class FakeSocket {
  readyState = 1
  sent: Record<string, unknown>[] = []
  onmessage: ((event: { data: string }) => void) | null = null
  onclose: ((event: { code: number }) => void) | null = null
  send(text: string) {
    this.sent.push(JSON.parse(text) as Record<string, unknown>)
  }
  close() {
    this.readyState = 3
  }
  say(...frames: ServerFrame[]) {
    for (const frame of frames) this.onmessage?.({ data: JSON.stringify(frame) })
  }
  drop(code = 1006) {
    this.readyState = 3
    this.onclose?.({ code })
  }
  subscriptions() {
    return this.sent.filter(({ t }) => t === 'sub')
  }
}

const hello: ServerFrame = { t: 'hello', uid: null, now: 0, speed: 1, pingMs: 10_000 }
const topic = 'bookings'
const snap = (seq: number, data: unknown = seq, epoch = 'a'): ServerFrame => ({
  t: 'snap',
  topic,
  epoch,
  seq,
  data,
})
const event = (seq: number, data: unknown = seq, epoch = 'a'): ServerFrame => ({
  t: 'ev',
  topic,
  epoch,
  seq,
  data,
})
const upTo = (seq: number, epoch = 'a'): ServerFrame => ({ t: 'live', topic, epoch, seq })

let sockets: FakeSocket[] = []
const socket = () => sockets.at(-1) as FakeSocket

function start(
  options: { sessionEnded?: () => void; clock?: (time: { now: number; speed: number }) => void } = {},
) {
  sockets = []
  const client = new LiveClient({
    open: () => {
      sockets.push(new FakeSocket())
      return socket() as unknown as WebSocket
    },
    random: () => 1,
    ...options,
  })
  const calls: unknown[] = []
  const listener: TopicListener = {
    snapshot: (data) => calls.push(['snap', data]),
    event: (data) => calls.push(['ev', data]),
    volatile: (data) => calls.push(['vol', data]),
    current: (current) => calls.push(['current', current]),
    refused: (error) => calls.push(['refused', error]),
  }
  const stop = client.subscribe(topic, listener)
  return { client, calls, stop, listener }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('hello -> subscribes; listener gets snapshot, events and current', () => {
  const { client, calls } = start()
  expect(client.status).toBe('connecting')
  expect(socket().subscriptions()).toEqual([])
  socket().say(hello)
  expect(client.status).toBe('live')
  expect(socket().subscriptions()).toEqual([{ t: 'sub', topic }])
  socket().say(snap(4, 'all'), upTo(4), event(5, 'next'))
  expect(calls).toEqual([
    ['snap', 'all'],
    ['current', true],
    ['ev', 'next'],
  ])
})

it('gap -> resubscribes once from the last event seen, ignores early events', () => {
  const { calls } = start()
  socket().say(hello, snap(4), event(6), event(7))
  expect(socket().subscriptions().slice(1)).toEqual([{ t: 'sub', topic, seen: { epoch: 'a', seq: 4 } }])
  socket().say(event(5), event(6), event(7), upTo(7))
  expect(calls).toEqual([
    ['snap', 4],
    ['ev', 5],
    ['ev', 6],
    ['ev', 7],
    ['current', true],
  ])
})

it('repeated event -> ignored', () => {
  const { calls } = start()
  socket().say(hello, snap(4), event(5), event(5), event(4))
  expect(calls).toEqual([
    ['snap', 4],
    ['ev', 5],
  ])
})

it('new epoch -> takes the snapshot, not its events', () => {
  const { calls } = start()
  socket().say(hello, snap(4), event(1, 'stray', 'b'))
  expect(socket().subscriptions()).toHaveLength(2)
  socket().say(snap(1, 'new', 'b'), event(2, 'then', 'b'))
  expect(calls.slice(1)).toEqual([
    ['snap', 'new'],
    ['ev', 'then'],
  ])
})

it('behind although no event is missing -> requests a snapshot', () => {
  start()
  socket().say(hello, snap(4), upTo(6))
  expect(socket().subscriptions().at(-1)).toEqual({ t: 'sub', topic })
})

it('connection lost -> resumes from the last event seen', () => {
  const { client, calls } = start()
  socket().say(hello, snap(4), event(5))
  socket().drop()
  expect(client.status).toBe('reconnecting')
  expect(calls.at(-1)).toEqual(['current', false])
  vi.advanceTimersByTime(400)
  socket().say(hello)
  expect(sockets).toHaveLength(2)
  expect(socket().subscriptions()).toEqual([{ t: 'sub', topic, seen: { epoch: 'a', seq: 5 } }])
  expect(client.status).toBe('live')
})

it('connection fails -> delay doubles; resets after a success', () => {
  start()
  socket().drop()
  vi.advanceTimersByTime(399)
  expect(sockets).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(sockets).toHaveLength(2)
  socket().drop()
  vi.advanceTimersByTime(799)
  expect(sockets).toHaveLength(2)
  vi.advanceTimersByTime(1)
  expect(sockets).toHaveLength(3)
  socket().say(hello)
  socket().drop()
  vi.advanceTimersByTime(400)
  expect(sockets).toHaveLength(4)
})

it('steady connection breaks -> reconnects sooner than a new one, or after a close by the server', () => {
  const cases = [
    [1006, 10_000],
    [1006, 9_000],
    [1001, 10_000],
  ] as const
  const delays = cases.map(([code, liveMs]) => {
    const { client } = start()
    socket().say(hello)
    vi.setSystemTime(Date.now() + liveMs)
    const closedAt = Date.now()
    socket().drop(code)
    while (sockets.length < 2) vi.advanceTimersByTime(10)
    client.close()
    return Date.now() - closedAt
  })
  expect(delays).toEqual([100, 400, 400])
})

it('device back online -> reconnects immediately', () => {
  const { client } = start()
  socket().drop()
  client.retryNow()
  expect(sockets).toHaveLength(2)
  vi.advanceTimersByTime(9_000)
  expect(sockets).toHaveLength(2)
})

it('socket never opens, or seems open but does not answer -> abandoned', () => {
  const { client, calls } = start()
  vi.advanceTimersByTime(10_000)
  expect(client.status).toBe('reconnecting')
  vi.advanceTimersByTime(400)
  expect(sockets).toHaveLength(2)
  socket().say(hello, snap(4), upTo(4))
  client.retryNow()
  expect(socket().sent.at(-1)).toEqual({ t: 'ping' })
  socket().say({ t: 'pong', now: 0, speed: 1 })
  vi.advanceTimersByTime(5_000)
  expect(client.status).toBe('live')
  client.retryNow()
  vi.advanceTimersByTime(4_000)
  expect(client.status).toBe('reconnecting')
  expect(calls.at(-1)).toEqual(['current', false])
})

it('open socket goes silent -> abandoned', () => {
  const { client } = start()
  socket().say(hello)
  vi.advanceTimersByTime(10_000)
  expect(socket().sent.at(-1)).toEqual({ t: 'ping' })
  vi.advanceTimersByTime(20_000)
  expect(client.status).toBe('reconnecting')
})

it('session ended -> notifies, does not reconnect by itself', () => {
  const sessionEnded = vi.fn()
  const { client } = start({ sessionEnded })
  socket().say(hello)
  socket().drop(4401)
  expect(sessionEnded).toHaveBeenCalledOnce()
  expect(client.status).toBe('ended')
  vi.advanceTimersByTime(60_000)
  expect(sockets).toHaveLength(1)
  client.restart()
  expect(sockets).toHaveLength(2)
})

it('restart -> forgets what the former user has seen', () => {
  const { client } = start()
  socket().say(hello, snap(4))
  client.restart()
  socket().say(hello)
  expect(socket().subscriptions()).toEqual([{ t: 'sub', topic }])
})

it('last listener leaves -> unsubscribes, then closes the socket after a delay', () => {
  const { client, stop, listener } = start()
  const stopSecond = client.subscribe(topic, { ...listener })
  socket().say(hello)
  stop()
  expect(socket().sent.at(-1)).toEqual({ t: 'sub', topic })
  stopSecond()
  expect(socket().sent.at(-1)).toEqual({ t: 'unsub', topic })
  expect(client.status).toBe('live')
  vi.advanceTimersByTime(3_000)
  expect(client.status).toBe('idle')
})

it('volatile data and refusals -> passed on', () => {
  const { calls } = start()
  socket().say(hello, { t: 'vol', topic, data: 'here' }, { t: 'err', topic, error: 'forbidden' })
  expect(calls).toEqual([
    ['vol', 'here'],
    ['refused', 'forbidden'],
  ])
})

it.each(['server_error', 'unavailable', 'too_many_requests'])(
  'topic refused with %s -> not current, retries with growing delays',
  (error) => {
    const { calls } = start()
    socket().say(hello, snap(4), upTo(4), { t: 'err', topic, error })
    expect(calls.at(-1)).toEqual(['current', false])
    const asked = () => socket().subscriptions().length
    vi.advanceTimersByTime(400)
    expect(asked()).toBe(2)
    expect(socket().subscriptions().at(-1)).toEqual({ t: 'sub', topic, seen: { epoch: 'a', seq: 4 } })
    socket().say({ t: 'err', topic, error })
    vi.advanceTimersByTime(799)
    expect(asked()).toBe(2)
    vi.advanceTimersByTime(1)
    expect(asked()).toBe(3)
    socket().say(event(5), upTo(5))
    expect(calls.slice(-2)).toEqual([
      ['ev', 5],
      ['current', true],
    ])
    vi.advanceTimersByTime(9_000)
    expect(asked()).toBe(3)
  },
)

it('topic refused permanently or left -> no retry', () => {
  const { stop, client, listener } = start()
  client.subscribe('requests', listener)
  socket().say(
    hello,
    { t: 'err', topic: 'requests', error: 'not_found' },
    { t: 'err', topic, error: 'unavailable' },
  )
  stop()
  vi.advanceTimersByTime(9_000)
  expect(socket().subscriptions()).toHaveLength(2)
})

it('gap after a temporary refusal -> resubscribes', () => {
  start()
  socket().say(hello, snap(4), event(6), { t: 'err', topic, error: 'server_error' }, event(7))
  expect(socket().subscriptions()).toHaveLength(3)
})

it('reported position -> settled by its ack, its refusal or the loss of the connection', async () => {
  const { client } = start()
  const position = { lat: 0, lng: 0, at: 0 }
  socket().say(hello)
  const kept = client.report(position)
  const refused = client.report(position)
  const lost = client.report(position)
  const refs = socket()
    .sent.filter(({ t }) => t === 'pos')
    .map(({ ref }) => ref as number)
    .slice(-3)
  socket().say(
    { t: 'ack', ref: refs[0] as number },
    { t: 'err', ref: refs[1] as number, error: 'not_online' },
  )
  await expect(kept).resolves.toBeUndefined()
  await expect(refused).rejects.toThrow('not_online')
  socket().drop()
  await expect(lost).rejects.toThrow('unreachable')
})

it('clock: hello, pong or clock frame -> sets the time', () => {
  const times: number[] = []
  start({ clock: ({ now }) => times.push(now) })
  socket().say({ ...hello, now: 1_000 } as ServerFrame)
  vi.advanceTimersByTime(10_000)
  vi.advanceTimersByTime(400)
  socket().say({ t: 'pong', now: 11_000, speed: 1 }, { t: 'clock', now: 71_000, speed: 1 })
  expect(times).toEqual([1_000, 11_200, 71_000])
})

it('clock: slow pong -> ignored', () => {
  const times: number[] = []
  start({ clock: ({ now }) => times.push(now) })
  socket().say(hello)
  vi.advanceTimersByTime(13_000)
  socket().say({ t: 'pong', now: 10_000, speed: 1 })
  expect(times).toEqual([0])
})
