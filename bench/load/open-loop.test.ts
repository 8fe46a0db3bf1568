import { expect, test } from 'vitest'
import { closedLoop, openLoop, quantile } from './open-loop.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('open loop: no call is answered -> all begin all the same', async () => {
  const waiting: (() => void)[] = []
  const numbers: number[] = []
  const run = openLoop({ rate: 1_000, seconds: 0.02 }, (number) => {
    numbers.push(number)
    return new Promise<void>((resolve) => waiting.push(resolve))
  })
  while (waiting.length < 20) await turn()
  for (const answer of waiting) answer()
  expect((await run).waits).toHaveLength(20)
  expect(numbers).toEqual(Array.from({ length: 20 }, (_, number) => number))
})

test('open loop: a call is begun late -> its latency counts from the planned time', async () => {
  const outcome = await openLoop({ rate: 100, seconds: 0.02 }, async (number) => {
    // The process is busy when the second call is due.
    if (number === 0) for (const end = performance.now() + 60; performance.now() < end; );
  })
  expect(outcome.waits).toHaveLength(2)
  expect(Math.min(...outcome.waits)).toBeGreaterThanOrEqual(49)
})

test('open loop: calls fail -> counted apart and handed over', async () => {
  const errors: unknown[] = []
  const fail = async (number: number) => {
    if (number % 2 === 0) throw new Error(`call ${number}`)
  }
  const outcome = await openLoop({ rate: 1_000, seconds: 0.004 }, fail, (error) => errors.push(error))
  expect([outcome.waits.length, outcome.failed]).toEqual([2, 2])
  expect(errors).toEqual([new Error('call 0'), new Error('call 2')])
})

test('closed loop: callers -> numbers of their own, and each waits for its answer', async () => {
  const numbers: number[] = []
  let open = 0
  let most = 0
  await closedLoop({ callers: 4, seconds: 0.02 }, async (number) => {
    numbers.push(number)
    most = Math.max(most, ++open)
    await turn()
    open--
  })
  expect(most).toBe(4)
  expect(new Set(numbers).size).toBe(numbers.length)
})

test('quantile: unordered values -> the value below which that share lies', () => {
  expect([quantile([3, 1, 2, 4], 0.5), quantile([3, 1, 2, 4], 0.99), quantile([], 0.5)]).toEqual([3, 4, 0])
})
