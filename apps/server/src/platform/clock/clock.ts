import { setTimeout as wait } from 'node:timers/promises'

/** The time the application lives in; nothing else reads the machine's clock. */
export type Clock = {
  /** Epoch milliseconds. */
  now(): number
  /** How many of its milliseconds pass in one of the machine's. */
  readonly speed: number
  /** Waits that many of its own milliseconds; rejects with an AbortError when aborted. */
  delay(ms: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  speed: 1,
  delay: (ms, signal) => wait(ms, undefined, { signal }),
}

/**
 * A clock that runs `speed` times as fast, from `startAt` or the machine's time, whichever is later: a
 * demo that was ahead when it stopped goes on from there and never back.
 */
export function scaledClock(speed: number, startAt = 0): Clock {
  if (!(speed > 0)) throw new RangeError(`a clock cannot run at ${speed}`)
  const begun = performance.now()
  const origin = Math.max(Date.now(), startAt)
  return {
    now: () => Math.floor(origin + (performance.now() - begun) * speed),
    speed,
    delay: (ms, signal) => wait(ms / speed, undefined, { signal }),
  }
}
