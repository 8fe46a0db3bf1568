import { setTimeout as wait } from 'node:timers/promises'
import { openProxy, type Proxy } from '@hansom/doubles/proxy'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { localBus, type ServerBus } from './port.ts'
import { RedisBus } from './redis.ts'
import { hasRedis, startTestRedis, type TestRedis } from './test-redis.ts'

const quiet = { warn: (_facts: object, _text: string) => {}, info: (_facts: object, _text: string) => {} }

/** A server on the bus, and what it got. */
interface Member {
  bus: ServerBus
  got: [subject: string, data: unknown][]
  lost: number
}

function listen(bus: ServerBus): Member {
  const member: Member = { bus, got: [], lost: 0 }
  bus.on('event', (subject, data) => member.got.push([subject, data.value()]))
  bus.whenLost(() => member.lost++)
  return member
}

const soon = { timeout: 8_000, interval: 20 }

it('local bus: message -> its handler is called before send returns', () => {
  const { bus, got } = listen(localBus())
  bus.send('event', 'a', { n: 1 })
  bus.send('other', 'a', { n: 2 })
  expect(got).toEqual([['a', { n: 1 }]])
})

describe.skipIf(!hasRedis)('Redis bus', () => {
  let redis: TestRedis
  let proxy: Proxy
  let here: Member
  let there: Member
  const opened: ServerBus[] = []

  const open = async (port: number, prefix = `test ${process.pid}`, log = quiet) => {
    const bus = await RedisBus.open({
      url: `redis://127.0.0.1:${port}`,
      prefix,
      log,
      beatMs: 50,
      silentMs: 1_500,
    })
    opened.push(bus)
    return listen(bus)
  }

  beforeAll(async () => {
    redis = await startTestRedis()
  })
  afterAll(() => redis.close())
  beforeEach(async () => {
    proxy = await openProxy({ port: redis.port, host: '127.0.0.1' })
    here = await open(redis.port)
    there = await open(proxy.port)
    // Each has heard the other once: from here on, nothing unknown is left.
    await wait(150)
    here.lost = 0
    there.lost = 0
  })
  afterEach(async () => {
    proxy.release()
    await Promise.all(opened.splice(0).map((bus) => bus.close()))
    proxy.close()
  })

  it('closed -> the log says nothing of a Redis that does not answer', async () => {
    const said: string[] = []
    const note = (_facts: object, text: string) => void said.push(text)
    const { bus } = await open(redis.port, `closing ${process.pid}`, { warn: note, info: note })
    await expect.poll(() => said, soon).toHaveLength(1)
    await bus.close()
    await wait(200)
    expect(said).toEqual(['connected to the other servers through Redis'])
  })

  it('messages of two servers -> both get all, their own included, in one order', async () => {
    for (let n = 0; n < 200; n++) {
      here.bus.send('event', 'here', n)
      there.bus.send('event', 'there', { text: `tab\t line\n ${n}` })
      if (n % 20 === 0) await wait(1)
    }
    await expect.poll(() => [here.got.length, there.got.length], soon).toEqual([400, 400])
    expect(here.got).toEqual(there.got)
    expect(here.got.filter(([subject]) => subject === 'here').map(([, n]) => n)).toEqual(
      Array.from({ length: 200 }, (_, n) => n),
    )
    expect([here.lost, there.lost]).toEqual([0, 0])
  })

  it('flush -> all that was sent before is on its way', async () => {
    here.bus.send('event', 'a', 1)
    await here.bus.flush()
    there.bus.send('event', 'b', 2)
    await expect
      .poll(() => here.got, soon)
      .toEqual([
        ['a', 1],
        ['b', 2],
      ])
  })

  it('other installation on the same Redis -> hears nothing', async () => {
    const stranger = await open(redis.port, 'other')
    here.bus.send('event', 'a', 1)
    await expect.poll(() => there.got.length, soon).toBe(1)
    expect(stranger.got).toEqual([])
  })

  it('connection breaks -> that server is told that messages may be lost, and gets new ones', async () => {
    proxy.cut()
    here.bus.send('event', 'missed', 1)
    await wait(30)
    await proxy.restore()
    await expect.poll(() => there.lost, soon).toBeGreaterThan(0)
    await expect.poll(() => there.bus.isUp(), soon).toBe(true)
    here.bus.send('event', 'seen', 2)
    await expect.poll(() => there.got, soon).toEqual([['seen', 2]])
  })

  it('message that could not be handed over -> every server is told, once it can say so', async () => {
    proxy.cut()
    there.bus.send('event', 'lost', 1)
    await there.bus.flush()
    await proxy.restore()
    await expect.poll(() => here.lost, soon).toBeGreaterThan(0)
    await expect.poll(() => there.bus.isUp(), soon).toBe(true)
    expect(here.got).toEqual([])
  })

  it('connection goes silent -> down within silentMs, flush gives up; awake -> up, and told of the loss', async () => {
    expect(there.bus.isUp()).toBe(true)
    proxy.hold()
    await expect.poll(() => there.bus.isUp(), soon).toBe(false)
    there.bus.send('event', 'late', 1)
    await there.bus.flush()
    // The other server does not know whether it died with a message.
    await expect.poll(() => here.lost, soon).toBeGreaterThan(0)
    proxy.release()
    await expect.poll(() => there.bus.isUp(), soon).toBe(true)
    await expect.poll(() => there.lost, soon).toBeGreaterThan(0)
  })

  it('server stops properly -> the others lose nothing; without a farewell -> they read again', async () => {
    const leaver = await open(redis.port)
    await wait(150)
    here.lost = 0
    await leaver.bus.close()
    await wait(1_900)
    expect(here.lost).toBe(0)
    proxy.cut()
    await expect.poll(() => here.lost, soon).toBe(1)
  })

  it('Redis is killed and comes back -> both are down, then up, and know of the loss', async () => {
    await redis.kill()
    await expect.poll(() => [here.bus.isUp(), there.bus.isUp()], soon).toEqual([false, false])
    await redis.start()
    await expect.poll(() => [here.bus.isUp(), there.bus.isUp()], soon).toEqual([true, true])
    expect([here.lost > 0, there.lost > 0]).toEqual([true, true])
    here.bus.send('event', 'again', 1)
    await expect.poll(() => there.got, soon).toEqual([['again', 1]])
  })

  it('no Redis at the start -> opened and down; then up, and told that messages may be lost', async () => {
    await redis.kill()
    const early = await open(redis.port)
    expect(early.bus.isUp()).toBe(false)
    await redis.start()
    await expect.poll(() => early.bus.isUp(), soon).toBe(true)
    expect(early.lost).toBeGreaterThan(0)
  })
})
