import { afterEach, describe, expect, test, vi } from 'vitest'
import { jumpThresholdMs, scaledClock, smoothedClock } from './clock.ts'
import { manualClock } from './manual-clock.ts'

afterEach(() => vi.useRealTimers())

describe('following clock', () => {
  /** A machine whose clock can be set; `go` reads the time every `everyMs`. */
  function machine() {
    let monotonic = 5_000
    let wall = 1_800_000_000_000
    const clock = smoothedClock(
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
    'set by %d ms -> a minute stays close to a minute, then both clocks agree',
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

  test.each([-1, 1])(
    'set by more than ten minutes -> follows immediately, elapsed is unaffected (%d)',
    (sign) => {
      const { clock, go, set, wall } = machine()
      go(1_000)
      const elapsed = clock.elapsed()
      set(sign * (jumpThresholdMs + 1))
      expect(clock.now()).toBe(wall())
      expect(clock.elapsed()).toBe(elapsed)
    },
  )
})

describe('scaled clock', () => {
  test('speed 10 -> runs ten times as fast', () => {
    vi.useFakeTimers({ now: 1_000_000 })
    const clock = scaledClock(10)
    vi.advanceTimersByTime(500)
    expect(clock.now()).toBe(1_005_000)
  })

  test('start time given -> starts at the later of it and now', () => {
    vi.useFakeTimers({ now: 1_000_000 })
    expect(scaledClock(2, 3_000_000).now()).toBe(3_000_000)
    expect(scaledClock(2, 5).now()).toBe(1_000_000)
  })

  test('speed zero or negative -> RangeError', () => {
    expect(() => scaledClock(0)).toThrow(RangeError)
    expect(() => scaledClock(-1)).toThrow(RangeError)
  })
})

describe('manual clock', () => {
  test('advance -> wakes due sleepers in order', async () => {
    const clock = manualClock(0)
    const woken: string[] = []
    void clock.delay(20).then(() => woken.push('second'))
    void clock.delay(10).then(() => woken.push('first'))
    void clock.delay(30).then(() => woken.push('third'))
    await clock.advance(20)
    expect(woken).toEqual(['first', 'second'])
    expect(clock.now()).toBe(20)
  })

  test('delay aborted -> rejects', async () => {
    const clock = manualClock(0)
    const stop = new AbortController()
    const waiting = clock.delay(10, stop.signal)
    stop.abort()
    await expect(waiting).rejects.toThrow('aborted')
  })
})
