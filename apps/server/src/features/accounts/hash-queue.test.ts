import { expect, test } from 'vitest'
import { HashQueue } from './hash-queue.ts'

/** Jobs that finish when the test says so. */
function bench(limits: ConstructorParameters<typeof HashQueue>[0]) {
  const queue = new HashQueue(limits)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const ask = (asker: string) =>
    queue.run(asker, () => {
      begun.push(asker)
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  const endAll = async () => {
    while (ends.length > 0) {
      ends.shift()?.()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return { queue, begun, ends, ask, endAll }
}

test('hash queue: one caller queues many, another one -> the other is next', async () => {
  const { ask, begun, endAll } = bench({ maxRunning: 1 })
  const all = [ask('much'), ask('much'), ask('much'), ask('much'), ask('little')]
  await endAll()
  await Promise.all(all)
  expect(begun).toEqual(['much', 'much', 'little', 'much', 'much'])
})

test('hash queue: full -> refused without work, and accepted later', async () => {
  const { ask, begun, endAll } = bench({ maxRunning: 1, maxWaitingPerCaller: 2, maxWaiting: 3 })
  const all = [ask('a'), ask('a'), ask('a')]
  const refused = { key: 'too_many_requests', data: { retryAfterS: expect.any(Number) } }
  await expect(ask('a')).rejects.toMatchObject(refused)
  all.push(ask('b'))
  await expect(ask('c')).rejects.toMatchObject(refused)
  await endAll()
  await Promise.all(all)
  expect(begun).toHaveLength(4)
  const later = ask('c')
  await endAll()
  await later
})

test('hash queue: job fails -> its slot is free again', async () => {
  const queue = new HashQueue({ maxRunning: 1 })
  await expect(queue.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await queue.run('a', async () => 'done')).toBe('done')
})
