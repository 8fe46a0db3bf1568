import { expect, test } from 'vitest'
import { allPages, cachedFor } from './pages.ts'

const listOf = (count: number, perPage: number) => async (next: number | null) => {
  const start = next ?? 0
  const items = Array.from({ length: Math.min(perPage, count - start) }, (_, index) => start + index)
  return { items, next: start + perPage < count ? start + perPage : null }
}

test('allPages: several pages -> all items', async () => {
  expect((await allPages(listOf(250, 100)))?.length).toBe(250)
  expect(await allPages(listOf(0, 100))).toEqual([])
})

test('allPages: endless list or unreadable page -> null after a bounded number of requests', async () => {
  let requests = 0
  const endless = async () => {
    requests += 1
    return { items: [1], next: 1 }
  }
  expect(await allPages(endless)).toBe(null)
  expect(requests).toBe(20)
  expect(await allPages(async () => null)).toBe(null)
})

test('keptFor: success -> cached; failure -> requested again', async () => {
  let requests = 0
  const read = cachedFor(60_000, async () => {
    requests += 1
    if (requests === 1) throw new Error('down')
    return requests
  })
  await expect(read()).rejects.toThrow('down')
  expect(await Promise.all([read(), read(), read()])).toEqual([2, 2, 2])
})
