import { describe, expect, it } from 'vitest'
import { ApiError } from '../../lib/api-error.ts'
import { PositionQueue } from './position-queue.ts'

const at = (time: number) => ({ lat: -34.9, lng: -56.1, at: time })

describe('positions on their way', () => {
  it.each([0, 401, 429, 500, 503])('keeps what met a %s and sends it later in order', async (status) => {
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

  it('drops what is refused for good', async () => {
    const queue = new PositionQueue(() => Promise.reject(new ApiError('forbidden', 403)))
    queue.add(at(1))
    await queue.flush()
    expect(queue.list).toEqual([])
  })

  it('sends up to a time and keeps the rest', async () => {
    const sent: number[] = []
    const queue = new PositionQueue(async (positions) => sent.push(...positions.map((one) => one.at)))
    for (const time of [1, 2, 3]) queue.add(at(time))
    await queue.flush(2)
    expect(sent).toEqual([1, 2])
    expect(queue.list).toEqual([at(3)])
  })

  it('sends as many at once as are taken at once', async () => {
    const sizes: number[] = []
    const queue = new PositionQueue(async (positions) => sizes.push(positions.length))
    for (let time = 1; time <= 1200; time++) queue.add(at(time))
    await queue.flush()
    expect(sizes).toEqual([500, 500, 200])
  })

  it('never goes back in time, never grows without end, and always has the newest', () => {
    const queue = new PositionQueue(() => Promise.resolve())
    queue.add(at(5))
    queue.add(at(5))
    queue.add(at(4))
    expect(queue.list).toHaveLength(1)
    for (let time = 6; time < 9000; time++) {
      queue.add(at(time))
      expect(queue.list.at(-1)).toEqual(at(time))
    }
    expect(queue.list.length).toBeLessThanOrEqual(2000)
  })
})
