import { ApiError } from '@hansom/client/api-error'
import { describe, expect, it } from 'vitest'
import { PositionQueue } from './position-queue.ts'

const at = (time: number) => ({ lat: -34.9, lng: -56.1, at: time })

describe('position queue', () => {
  it.each([0, 401, 429, 500, 503])('status %s -> kept and sent later in order', async (status) => {
    let online = false
    const sent: number[] = []
    const queue = new PositionQueue(async (positions) => {
      if (!online) throw new ApiError('Fetch Call Error', status)
      sent.push(...positions.map((position) => position.at))
    })
    queue.add(at(1))
    queue.add(at(2))
    await expect(queue.flush()).rejects.toThrow()
    queue.add(at(3))
    online = true
    await queue.flush()
    expect(sent).toEqual([1, 2, 3])
    expect(queue.list).toEqual([])
  })

  it('refused for good -> dropped', async () => {
    const queue = new PositionQueue(() => Promise.reject(new ApiError('forbidden', 403)))
    queue.add(at(1))
    await queue.flush()
    expect(queue.list).toEqual([])
  })

  it('limit in time -> earlier ones sent, the rest kept', async () => {
    const sent: number[] = []
    const queue = new PositionQueue(async (positions) => sent.push(...positions.map((one) => one.at)))
    for (const time of [1, 2, 3]) queue.add(at(time))
    await queue.flush(2)
    expect(sent).toEqual([1, 2])
    expect(queue.list).toEqual([at(3)])
  })

  it('many positions -> sent in batches of the accepted size', async () => {
    const sizes: number[] = []
    const queue = new PositionQueue(async (positions) => sizes.push(positions.length))
    for (let time = 1; time <= 1200; time++) queue.add(at(time))
    await queue.flush()
    expect(sizes).toEqual([500, 500, 200])
  })

  it('long outage -> ordered, bounded, newest kept', () => {
    const queue = new PositionQueue(() => Promise.resolve())
    queue.add(at(5))
    queue.add(at(5))
    queue.add(at(4))
    expect(queue.list).toEqual([at(4), at(5)])
    for (let time = 6; time < 9000; time++) {
      queue.add(at(time))
      expect(queue.list.at(-1)).toEqual(at(time))
    }
    expect(queue.list.length).toBeLessThanOrEqual(2000)
  })

  it('page whose clock is behind that of another page -> its positions are kept, in order', () => {
    const queue = new PositionQueue(() => Promise.resolve())
    queue.merge([at(5), at(9)])
    queue.add(at(7))
    expect(queue.list).toEqual([at(5), at(7), at(9)])
  })

  it('merge: many from another page -> ordered, each once, bounded, newest kept', () => {
    const queue = new PositionQueue(() => Promise.resolve())
    queue.add(at(7))
    queue.merge([at(5), at(7), at(6)])
    expect(queue.list).toEqual([at(5), at(6), at(7)])
    queue.merge(Array.from({ length: 9000 }, (_, time) => at(time)))
    expect(queue.list.length).toBeLessThanOrEqual(2000)
    expect(queue.list.at(-1)).toEqual(at(8999))
  })
})
