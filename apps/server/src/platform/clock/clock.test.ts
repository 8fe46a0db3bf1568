import { afterEach, describe, expect, test, vi } from 'vitest'
import { followAtOnceMs, followingClock, scaledClock } from './clock.ts'
import { manualClock } from './manual-clock.ts'

afterEach(() => vi.useRealTimers())

describe('following clock', () => {
  /** A machine whose clock can be set; asked every `everyMs` while it goes on. */
  function machine() {
    let monotonic = 5_000
    let wall = 1_800_000_000_000
    const clock = followingClock(
      () => wall,
      () => monotonic,
    )
    const go = (ms: number, everyMs = 100) => {
      for (let left = ms; left > 0; left -= everyMs) {
        const before = clock.now()
        monotonic += everyMs
        wall += everyMs
        expect(clock.now()).toBeGreaterThanOrEqual(before)
      }
    }
    const set = (ms: number) => {
      wall += ms
    }
    return { clock, go, set, wall: () => wall }
  }

  test.each([-60_000, 300_000])(
    'set by %d ms -> a minute is nearly a minute, and both agree in the end',
    (step) => {
      const { clock, go, set, wall } = machine()
      go(1_000)
      expect(clock.now()).toBe(wall())
      const before = clock.now()
      set(step)
      expect(clock.now()).toBe(before)
      go(60_000)
      expect(Math.abs(clock.now() - before - 60_000)).toBeLessThanOrEqual(12_000)
      go(Math.abs(step) * 5)
      expect(Math.abs(clock.now() - wall())).toBeLessThanOrEqual(1)
    },
  )

  test.each([-1, 1])('set by more than ten minutes -> followed at once, elapsed goes on (%d)', (sign) => {
    const { clock, go, set, wall } = machine()
    go(1_000)
    const elapsed = clock.elapsed()
    set(sign * (followAtOnceMs + 1))
    expect(clock.now()).toBe(wall())
    expect(clock.elapsed()).toBe(elapsed)
  })
})

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
