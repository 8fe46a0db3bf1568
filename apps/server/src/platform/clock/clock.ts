import { setTimeout as wait } from 'node:timers/promises'

/** The application's time; no other code reads the machine's clock. */
export type Clock = {
  /** Epoch milliseconds. */
  now(): number
  /** Milliseconds since an arbitrary start. Unlike `now`, it never jumps: use it to measure durations. */
  elapsed(): number
  /** Clock milliseconds per real millisecond. */
  readonly speed: number
  /** Waits `ms` of this clock; rejects with an AbortError when aborted. */
  delay(ms: number, signal?: AbortSignal): Promise<void>
}

/** Relative change in speed while the clock catches up with the machine's. */
const catchUpRate = 0.2
/** Larger differences are applied immediately. */
export const jumpThresholdMs = 10 * 60_000

/**
 * The machine's clock without its steps. After a step (a resumed virtual machine, the first reply of a time server)
 * this clock runs a fifth faster or slower until both agree, so deadlines, leases and durations that span the step stay
 * right. It goes backwards only for a step of more than ten minutes.
 */
export function smoothedClock(wall: () => number, monotonic: () => number): Clock {
  let readAt = monotonic()
  let time = wall()
  return {
    now: () => {
      const at = monotonic()
      const passed = Math.max(0, at - readAt)
      const difference = wall() - (time + passed)
      const most = passed * catchUpRate
      const correction =
        Math.abs(difference) > jumpThresholdMs ? difference : Math.min(most, Math.max(-most, difference))
      readAt = at
      time += passed + correction
      return Math.floor(time)
    },
    elapsed: monotonic,
    speed: 1,
    delay: (ms, signal) => wait(ms, undefined, { signal }),
  }
}

export const systemClock: Clock = smoothedClock(
  () => Date.now(),
  () => performance.now(),
)

/**
 * A clock that runs `speed` times as fast, starting at the later of `startAt` and the machine's time: a demo that was
 * ahead when it stopped resumes there and never goes back.
 */
export function scaledClock(speed: number, startAt = 0): Clock {
  if (!(speed > 0)) throw new RangeError(`a clock cannot run at ${speed}`)
  const startedAt = performance.now()
  const origin = Math.max(Date.now(), startAt)
  const elapsed = () => (performance.now() - startedAt) * speed
  return {
    now: () => Math.floor(origin + elapsed()),
    elapsed,
    speed,
    delay: (ms, signal) => wait(ms / speed, undefined, { signal }),
  }
}
