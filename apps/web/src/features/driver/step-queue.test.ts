import { describe, expect, it, vi } from 'vitest'
import { ApiError } from '../../lib/api-error.ts'

vi.mock('../../lib/booking-cache.ts', () => ({ storeBooking: () => undefined }))
vi.mock('../../lib/api.ts', () => ({ api: {} }))
const { StepQueue } = await import('./step-queue.ts')

function memory(text: string | null = null) {
  let kept = text
  return {
    getItem: () => kept,
    setItem: (_key: string, value: string) => (kept = value) as unknown as void,
    text: () => kept,
  }
}
const step = (name: 'arrive' | 'start' | 'reach', booking = 'b') => ({ booking, step: name })

describe('steps tapped without a line', () => {
  it('keeps them in order and sends them when the line is back', async () => {
    let online = false
    const sent: string[] = []
    const queue = new StepQueue(vi.fn(), memory(), async (tapped) => {
      if (!online) throw new ApiError('unreachable', 0)
      sent.push(tapped.step)
      return {} as never
    })
    await queue.add(step('arrive'))
    await queue.add(step('start'))
    expect(queue.list().map((tapped) => tapped.step)).toEqual(['arrive', 'start'])
    online = true
    await queue.flush()
    expect(sent).toEqual(['arrive', 'start'])
    expect(queue.list()).toEqual([])
    queue.stop()
  })

  it('finds them again after a reload', () => {
    const storage = memory(JSON.stringify([step('arrive')]))
    expect(new StepQueue(vi.fn(), storage, vi.fn()).list()).toEqual([step('arrive')])
  })

  it('starts empty from a broken store', () => {
    expect(new StepQueue(vi.fn(), memory('{nonsense'), vi.fn()).list()).toEqual([])
  })

  it('drops the later steps of a trip whose step was refused, and tells why', async () => {
    const refused = vi.fn()
    const sent: string[] = []
    let online = false
    const queue = new StepQueue(refused, memory(), async (tapped) => {
      if (!online) throw new ApiError('unreachable', 0)
      if (tapped.booking === 'b') throw new ApiError('wrong_status', 409)
      sent.push(tapped.booking)
      return {} as never
    })
    await queue.add(step('arrive'))
    await queue.add(step('start'))
    await queue.add(step('arrive', 'other'))
    online = true
    await queue.flush()
    expect(refused).toHaveBeenCalledTimes(1)
    expect(sent).toEqual(['other'])
    expect(queue.list()).toEqual([])
    queue.stop()
  })
})
