import { afterEach, describe, expect, test, vi } from 'vitest'
import { scaledClock } from './clock.ts'
import { manualClock } from './manual-clock.ts'

afterEach(() => vi.useRealTimers())

describe('a scaled clock', () => {
  test('runs as many times faster', () => {
    vi.useFakeTimers({ now: 1_000_000 })
    const clock = scaledClock(10)
    vi.advanceTimersByTime(500)
    expect(clock.now()).toBe(1_005_000)
  })

  test('never starts before the time it is given, nor before now', () => {
    vi.useFakeTimers({ now: 1_000_000 })
    expect(scaledClock(2, 3_000_000).now()).toBe(3_000_000)
    expect(scaledClock(2, 5).now()).toBe(1_000_000)
  })

  test('refuses to stand or run backwards', () => {
    expect(() => scaledClock(0)).toThrow(RangeError)
    expect(() => scaledClock(-1)).toThrow(RangeError)
  })
})

describe('a manual clock', () => {
  test('wakes those whose moment has come, in order', async () => {
    const clock = manualClock(0)
    const woken: string[] = []
    void clock.delay(20).then(() => woken.push('second'))
    void clock.delay(10).then(() => woken.push('first'))
    void clock.delay(30).then(() => woken.push('third'))
    await clock.advance(20)
    expect(woken).toEqual(['first', 'second'])
    expect(clock.now()).toBe(20)
  })

  test('lets a waiting one go when it is aborted', async () => {
    const clock = manualClock(0)
    const stop = new AbortController()
    const waiting = clock.delay(10, stop.signal)
    stop.abort()
    await expect(waiting).rejects.toThrow('aborted')
  })
})
