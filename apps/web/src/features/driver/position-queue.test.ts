import { describe, expect, it } from 'vitest'
import { PositionQueue } from './position-queue.ts'

const at = (time: number) => ({ lat: -34.9, lng: -56.1, at: time })

describe('positions on their way', () => {
  it('keeps what could not be sent and sends it later in order', async () => {
    let online = false
    const sent: number[] = []
    const queue = new PositionQueue(async (positions) => {
      if (!online) throw new Error('no line')
      sent.push(...positions.map((position) => position.at))
    })
    queue.add(at(1))
    queue.add(at(2))
    await queue.flush(() => false)
    queue.add(at(3))
    online = true
    await queue.flush(() => false)
    expect(sent).toEqual([1, 2, 3])
    expect(queue.size).toBe(0)
  })

  it('drops what is refused for good', async () => {
    const queue = new PositionQueue(() => Promise.reject(new Error('invalid')))
    queue.add(at(1))
    await queue.flush(() => true)
    expect(queue.size).toBe(0)
  })

  it('never goes back in time and never grows without end', () => {
    const queue = new PositionQueue(() => Promise.resolve())
    queue.add(at(5))
    queue.add(at(5))
    queue.add(at(4))
    expect(queue.size).toBe(1)
    for (let time = 6; time < 2000; time++) queue.add(at(time))
    expect(queue.size).toBeLessThanOrEqual(500)
  })
})
