import type { Clock } from './clock.ts'

/** A clock for tests: it stands until it is moved, and whoever waits for that moment goes on. */
export type ManualClock = Clock & {
  /** Moves it on and lets those whose moment has come run. */
  advance(ms: number): Promise<void>
}

type Sleeper = { until: number; wake(): void }

export function manualClock(startAt = Date.UTC(2026, 0, 5, 12)): ManualClock {
  let now = startAt
  let sleepers: Sleeper[] = []
  return {
    speed: 1,
    now: () => now,
    delay: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const sleeper = { until: now + ms, wake: resolve }
        sleepers.push(sleeper)
        signal?.addEventListener('abort', () => {
          sleepers = sleepers.filter((other) => other !== sleeper)
          reject(signal.reason)
        })
      }),
    advance: async (ms) => {
      now += ms
      const due = sleepers.filter((sleeper) => sleeper.until <= now).sort((a, b) => a.until - b.until)
      sleepers = sleepers.filter((sleeper) => sleeper.until > now)
      for (const sleeper of due) sleeper.wake()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}
