import { openProxy } from '@hansom/doubles/proxy'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { countTogether } from '../../platform/http/window-counts.ts'
import { hasRedis, startTestRedis, type TestRedis } from '../server-bus/test-redis.ts'
import type { SharedCounts } from './port.ts'
import { redisCounts } from './redis.ts'

describe.skipIf(!hasRedis)('counts of several servers', () => {
  let redis: TestRedis
  const servers: SharedCounts[] = []
  beforeAll(async () => {
    redis = await startTestRedis()
  })
  afterEach(() => {
    for (const server of servers.splice(0)) server.stop()
  })
  afterAll(() => redis.close())

  const prefix = () => `test:${Math.random()}`
  async function start(shared: string, port = redis.port): Promise<SharedCounts> {
    const log = { warn: () => {} }
    const server = await redisCounts({
      url: `redis://127.0.0.1:${port}`,
      prefix: shared,
      log,
      aliveMs: 400,
    })
    servers.push(server)
    return server
  }

  test('a limit of 30, 300 requests over three servers at once -> 30; the window ends -> 30 again', async () => {
    const shared = prefix()
    const counters = await Promise.all(
      [1, 2, 3].map(async () => countTogether('requests', 1_000, await start(shared))),
    )
    const burst = async () => {
      const all = await Promise.all(
        Array.from({ length: 300 }, async (_, call) => counters[call % 3]?.add('ann', 1_500, 30)),
      )
      return all.filter((one) => one !== undefined && one.count <= 30).length
    }
    expect(await burst()).toBe(30)
    const { leftMs = 0 } = (await counters[0]?.add('ann', 1_500, 30)) ?? {}
    expect(leftMs).toBeGreaterThan(0)
    expect(leftMs).toBeLessThanOrEqual(1_500)
    await expect
      .poll(async () => (await counters[1]?.add('ann', 1_500, 30))?.count, { timeout: 5_000 })
      .toBeLessThan(30)
    const rest = await burst()
    expect(rest).toBeGreaterThan(0)
    expect(rest).toBeLessThan(30)
  })

  test('a server restarts within a window -> the count goes on', async () => {
    const shared = prefix()
    const first = await start(shared)
    expect((await first.add('ann', 60_000, 20))?.count).toBe(20)
    first.stop()
    expect((await (await start(shared)).add('ann', 60_000, 1))?.count).toBe(21)
  })

  test('sockets of one owner on three servers -> the limit holds for all; a closed one makes room', async () => {
    const shared = prefix()
    const all = [await start(shared), await start(shared), await start(shared)]
    const opened = await Promise.all(
      Array.from({ length: 30 }, async (_, call) => {
        const server = all[call % 3] as SharedCounts
        return (await server.open('ann', 10)) ? server : null
      }),
    )
    const open = opened.filter((server) => server !== null)
    expect(open).toHaveLength(10)
    expect(await all[0]?.open('bob', 10)).toBe(true)
    open[0]?.close('ann')
    await expect.poll(() => all[1]?.open('ann', 10)).toBe(true)
    expect(await all[2]?.open('ann', 10)).toBe(false)
  })

  test('a server dies -> its sockets stop counting', async () => {
    const shared = prefix()
    const [first, second] = [await start(shared), await start(shared)]
    for (let n = 0; n < 5; n++) await first.open('ann', 5)
    expect(await second.open('ann', 5)).toBe(false)
    first.stop()
    await expect.poll(() => second.open('ann', 5), { timeout: 5_000 }).toBe(true)
  })

  test('sockets closed while one server is cut off from Redis -> they do not count afterwards, what is open does', async () => {
    const shared = prefix()
    const proxy = await openProxy({ port: redis.port })
    try {
      const [first, second] = [await start(shared, proxy.port), await start(shared)]
      for (let n = 0; n < 5; n++) await first.open('ann', 5)
      await first.open('bob', 1)
      proxy.cut()
      await expect.poll(() => first.add('ann', 60_000, 1)).toBeNull()
      for (let n = 0; n < 5; n++) first.close('ann')
      await proxy.restore()
      await expect.poll(() => first.add('ann', 60_000, 1), { timeout: 10_000 }).not.toBeNull()
      const opened = []
      for (let n = 0; n < 5; n++) opened.push(await second.open('ann', 5))
      expect(opened).toEqual([true, true, true, true, true])
      expect(await second.open('bob', 1)).toBe(false)
    } finally {
      proxy.close()
    }
  })

  test('Redis ends -> null at once; it is back without its memory -> sockets count as before', async () => {
    const shared = prefix()
    const [first, second] = [await start(shared), await start(shared)]
    for (let n = 0; n < 4; n++) await first.open('ann', 5)
    await redis.kill()
    await expect.poll(() => first.add('ann', 60_000, 1)).toBeNull()
    expect(await first.open('ann', 5)).toBeNull()
    await redis.start()
    await expect.poll(() => first.add('ann', 60_000, 1), { timeout: 10_000 }).not.toBeNull()
    await expect.poll(() => second.add('ann', 60_000, 1), { timeout: 10_000 }).not.toBeNull()
    expect(await second.open('ann', 5)).toBe(false)
  })
})
