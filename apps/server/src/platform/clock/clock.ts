import { setTimeout as wait } from 'node:timers/promises'

/** The time the application lives in; nothing else reads the machine's clock. */
export type Clock = {
  /** Epoch milliseconds. */
  now(): number
  /** Milliseconds since an arbitrary start. Unlike `now`, it never jumps: measures how long ago something happened. */
  elapsed(): number
  /** How many of its milliseconds pass in one of the machine's. */
  readonly speed: number
  /** Waits that many of its own milliseconds; rejects with an AbortError when aborted. */
  delay(ms: number, signal?: AbortSignal): Promise<void>
}

/** How much faster or slower than real time a clock runs while it catches up with the machine's. */
const catchUpRate = 0.2
/** A larger difference is followed at once. */
export const followAtOnceMs = 10 * 60_000

/**
 * The machine's clock, without its steps. When it is set forward or back (a resumed virtual machine, the first answer of
 * a time server), this one runs a fifth faster or slower until both agree, so deadlines, leases and durations that were
 * measured across the step stay right. It goes back only to follow a step of more than ten minutes.
 */
export function followingClock(wall: () => number, monotonic: () => number): Clock {
  let heardAt = monotonic()
  let time = wall()
  return {
    now: () => {
      const at = monotonic()
      const passed = Math.max(0, at - heardAt)
      const difference = wall() - (time + passed)
      const most = passed * catchUpRate
      const correction =
        Math.abs(difference) > followAtOnceMs ? difference : Math.min(most, Math.max(-most, difference))
      heardAt = at
      time += passed + correction
      return Math.floor(time)
    },
    elapsed: monotonic,
    speed: 1,
    delay: (ms, signal) => wait(ms, undefined, { signal }),
  }
}

export const systemClock: Clock = followingClock(
  () => Date.now(),
  () => performance.now(),
)

/**
 * A clock that runs `speed` times as fast, from `startAt` or the machine's time, whichever is later: a
 * demo that was ahead when it stopped goes on from there and never back.
 */
export function scaledClock(speed: number, startAt = 0): Clock {
  if (!(speed > 0)) throw new RangeError(`a clock cannot run at ${speed}`)
  const begun = performance.now()
  const origin = Math.max(Date.now(), startAt)
  const elapsed = () => (performance.now() - begun) * speed
  return {
    now: () => Math.floor(origin + elapsed()),
    elapsed,
    speed,
    delay: (ms, signal) => wait(ms / speed, undefined, { signal }),
  }
}
