import { expect, test } from 'vitest'
import { type CommonCounts, countTogether } from './window-counts.ts'

const minute = 60_000

/** Counts that several servers have in common, with a clock of their own. */
function common() {
  const windows = new Map<string, { count: number; until: number }>()
  const state = { now: 0, calls: 0, isUp: true }
  const counts: CommonCounts = {
    async add(key, windowMs, parts) {
      state.calls++
      if (!state.isUp) return null
      let window = windows.get(key)
      if (window === undefined || window.until <= state.now) {
        window = { count: 0, until: state.now + windowMs }
        windows.set(key, window)
      }
      window.count += parts
      return { count: window.count, leftMs: window.until - state.now }
    },
  }
  const server = () => countTogether('requests', 1_000, counts, () => state.now)
  return { state, server }
}

const allowed = async (
  counts: { add(key: string, ms: number, limit: number): Promise<{ count: number }> }[],
  limit: number,
  calls: number,
) => {
  const all = await Promise.all(
    Array.from({ length: calls }, async (_, call) => counts[call % counts.length]?.add('ann', minute, limit)),
  )
  return all.filter((answer) => answer !== undefined && answer.count <= limit).length
}

test.each([1, 7, 30, 150])('limit of %d, three servers at once -> exactly as many', async (limit) => {
  const { server } = common()
  expect(await allowed([server(), server(), server()], limit, 4 * limit + 9)).toBe(limit)
})

test('a large limit -> never more, reserved in parts, at most two of a hundred are left over', async () => {
  const { state, server } = common()
  const through = await allowed([server(), server(), server()], 6_000, 30_000)
  expect(through).toBeLessThanOrEqual(6_000)
  expect(through).toBeGreaterThanOrEqual(5_880)
  expect(state.calls).toBeLessThan(110)
})

test('a server restarts -> goes on where all were; numbers that it had reserved are lost, not given twice', async () => {
  const { server } = common()
  const [first, second] = [server(), server()]
  const before = (await allowed([first, second], 300, 100)) + (await allowed([server(), second], 300, 1_000))
  expect(before).toBeLessThanOrEqual(300)
  expect(before).toBeGreaterThan(290)
})

test('over the limit -> the others are not asked again before the window ends', async () => {
  const { state, server } = common()
  const one = server()
  await allowed([one], 2, 50)
  expect(state.calls).toBe(2)
  const { leftMs } = await one.add('ann', minute, 2)
  expect(leftMs).toBe(minute)
  state.now = minute
  expect(await one.add('ann', minute, 2)).toEqual({ count: 1, leftMs: minute })
})

test('two limits with one key -> each compares the same count', async () => {
  const { server } = common()
  const one = server()
  for (let call = 0; call < 60; call++) await one.add('ann', minute, 600)
  expect((await one.add('ann', minute, 60)).count).toBeGreaterThan(60)
  expect((await one.add('ann', minute, 600)).count).toBeLessThanOrEqual(600)
})

test('the others cannot be reached -> each counts for itself, what went before included', async () => {
  const { state, server } = common()
  const servers = [server(), server()]
  expect(await allowed(servers, 10, 6)).toBe(6)
  state.isUp = false
  expect(await allowed(servers, 10, 100)).toBe(14)
})

test('many keys -> bounded memory', async () => {
  const { server } = common()
  const one = server()
  for (let key = 0; key < 3_000; key++) await one.add(`key ${key}`, minute, 1)
  // The first was dropped here, but not where all count.
  expect((await one.add('key 0', minute, 1)).count).toBe(2)
})
