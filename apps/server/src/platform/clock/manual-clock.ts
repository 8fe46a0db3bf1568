import type { Clock } from './clock.ts'

/** A clock for tests: time passes only in `advance`, which wakes the delays that are due. */
export type ManualClock = Clock & {
  /** Advances the time and wakes the delays that are due. */
  advance(ms: number): Promise<void>
  /** Sets the clock forward or back without any time passing. */
  step(ms: number): void
}

type Sleeper = { until: number; wake(): void }

export function manualClock(startAt = Date.UTC(2026, 0, 5, 12)): ManualClock {
  let elapsed = 0
  let origin = startAt
  let sleepers: Sleeper[] = []
  return {
    speed: 1,
    now: () => origin + elapsed,
    elapsed: () => elapsed,
    step: (ms) => {
      origin += ms
    },
    delay: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const sleeper = { until: elapsed + ms, wake: resolve }
        sleepers.push(sleeper)
        signal?.addEventListener('abort', () => {
          sleepers = sleepers.filter((other) => other !== sleeper)
          reject(signal.reason)
        })
      }),
    advance: async (ms) => {
      elapsed += ms
      const due = sleepers.filter((sleeper) => sleeper.until <= elapsed).sort((a, b) => a.until - b.until)
      sleepers = sleepers.filter((sleeper) => sleeper.until > elapsed)
      for (const sleeper of due) sleeper.wake()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}
