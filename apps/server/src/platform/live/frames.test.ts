import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { Channel, channelName, topicOf } from './channels.ts'
import { readFrame } from './connection.ts'
import { textFrame } from './frame-queue.ts'
import { defaultLiveLimits } from './live-limits.ts'
import { bookingTopic, LiveTestServer } from './test-live.ts'

describe('readFrame', () => {
  it('valid frame -> parsed; binary -> null', () => {
    const frame = { t: 'sub', topic: 'bookings', seen: { epoch: 'a', seq: 3 } }
    expect(readFrame(Buffer.from(JSON.stringify(frame)), false)).toEqual(frame)
    expect(readFrame(Buffer.from(JSON.stringify(frame)), true)).toBeNull()
  })

  it('anything else -> null, never throws', () => {
    const kind = fc.constantFrom('sub', 'unsub', 'pos', 'ping', 'ev', 1, null)
    const almost = fc.record({ t: kind, topic: fc.anything(), seen: fc.anything(), position: fc.anything() })
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.json(), almost.map(toText))
    fc.assert(
      fc.property(text, (given) => {
        const frame = readFrame(Buffer.from(given), false)
        if (frame !== null) expect(JSON.parse(given)).toMatchObject({ t: frame.t })
      }),
      { numRuns: 2_000 },
    )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void readFrame(Buffer.from(bytes), false)),
    )
  })
})

describe('invalid frames', () => {
  let bench: LiveTestServer
  beforeEach(async () => {
    bench = await LiveTestServer.start()
  })
  afterEach(() => bench.stop())

  it.each([
    'not json',
    '',
    '[]',
    'null',
    '42',
    '{"t":"sub"}',
    '{"t":"sub","topic":5}',
    '{"t":"ev"}',
    '{"t":"sub","topic":"bookings","more":1}',
    '{"t":"sub","topic":"bookings","seen":{"epoch":"e","seq":-1}}',
    '{"t":"pos","position":{"lat":91,"lng":0,"at":1}}',
    '{"t":"pos","position":{"lat":1e999,"lng":0,"at":1}}',
    `{"t":"unsub","topic":"${'x'.repeat(81)}"}`,
  ])('%s -> invalid_input, closed', async (text) => {
    const client = await bench.connect()
    client.send(text)
    expect(await client.closed).toBe(1008)
    expect(client.frames.at(-1)).toEqual({ t: 'err', error: 'invalid_input' })
  })

  it('binary, too large, or not a WebSocket frame -> closed', async () => {
    const bytes = await bench.connect()
    bytes.ws.send(Buffer.from('{"t":"ping"}'), { binary: true })
    expect(await bytes.closed).toBe(1008)
    const large = await bench.connect()
    large.send(`{"t":"ping","ref":${'1'.repeat(9_000)}}`)
    expect(await large.closed).toBe(1009)
    const broken = await bench.connect()
    const { _socket: rawSocket } = broken.ws as WebSocket & { _socket: NodeJS.WritableStream }
    rawSocket.write(Buffer.from([0xff, 0xff, 0xff, 0xff]))
    expect(await broken.closed).toBe(1002)
    await (await bench.connect()).follow('bookings')
  })

  it('random messages -> server keeps running', async () => {
    const rubbish = fc.oneof(fc.json(), fc.string({ unit: 'binary' }), fc.constant('{"t":"ping"}'))
    const messages = fc.array(fc.oneof(rubbish, fc.uint8Array()), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(messages, async (given) => {
        const client = await bench.connect()
        for (const message of given) client.ws.send(message)
        client.ws.close()
        await client.closed
      }),
      { numRuns: 60 },
    )
    await (await bench.connect()).follow(bookingTopic)
  })
})

describe('textFrame', () => {
  it('every header length -> received intact', async () => {
    const bench = await LiveTestServer.start()
    const client = await bench.connect()
    await client.follow('bookings')
    for (const length of [0, 10, 125, 126, 127, 65_500, 65_535, 65_536, 70_000]) {
      const text = 'é'.repeat(length / 2)
      bench.hub.publish(channelName('bookings', 'rider'), text)
      await client.frame('ev', (frame) => frame.data === text)
    }
    await bench.stop()
  })

  it.each([0, 125, 126, 65_535, 65_536])('%d bytes -> shortest header', (length) => {
    const frame = textFrame('x'.repeat(length))
    expect(frame.length - length).toBe(length < 126 ? 2 : length < 65_536 ? 4 : 10)
    expect(frame[0]).toBe(0x81)
  })
})

describe('channel', () => {
  it('limits on number, bytes and age -> old events dropped', () => {
    const limits = { ...defaultLiveLimits, rememberedEvents: 3, rememberedBytes: 400, rememberMs: 100 }
    const channel = new Channel('bookings', 'e', 0, limits)
    for (let number = 1; number <= 5; number++) channel.append('1', number)
    expect([1, 2, 5, 6].map((seq) => channel.remembersAfter(seq))).toEqual([false, true, true, false])
    expect(channel.after(3)).toHaveLength(2)
    expect(channel.after(5)).toHaveLength(0)
    channel.append(JSON.stringify('x'.repeat(300)), 6)
    expect(channel.remembersAfter(5)).toBe(true)
    expect(channel.remembersAfter(4)).toBe(false)
    channel.forget(107)
    expect(channel.remembersAfter(5)).toBe(false)
    expect(channel.remembersAfter(6)).toBe(true)
  })

  it('channel name -> its topic; invalid name -> RangeError', () => {
    expect(topicOf(channelName('booking:1', 'rider'))).toBe('booking:1')
    expect(() => topicOf('booking:1')).toThrow(RangeError)
  })
})

function toText(value: unknown): string {
  return JSON.stringify(value) ?? ''
}
