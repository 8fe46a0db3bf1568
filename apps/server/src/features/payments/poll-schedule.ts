const minute = 60_000

/** When the provider is polled about an attempt, ms after it was created; after that, hourly. */
const pollTimes = [1, 5, 15, 60].map((minutes) => minutes * minute)
/** Age at which an undecided attempt lapses, ms. */
export const lapseMs = 24 * 60 * minute
/** Age at which it lapses even if the provider has not answered, ms. */
export const silenceMs = 72 * 60 * minute
/** Delay until the next poll if the attempt is undecided when the payer returns, ms. */
export const afterReturnMs = 10_000

/**
 * When the provider is polled about an attempt that ended unpaid, ms after it was created: its page may still be open.
 */
const latePollTimes = [1, 24, 72, 168].map((hours) => hours * 60 * minute)

/** When to poll about an ended attempt that was created at `openedAt`, or null for no more. Both in world time. */
export function nextLatePoll(openedAt: number, now: number): number | null {
  const next = latePollTimes.find((time) => time > now - openedAt)
  return next === undefined ? null : openedAt + next
}

/** When to poll next about an attempt that was created at `openedAt`. Both in world time. */
export function nextPoll(openedAt: number, now: number): number {
  const age = now - openedAt
  const next = pollTimes.find((time) => time > age)
  if (next !== undefined) return openedAt + next
  return Math.min(now + 60 * minute, Math.max(openedAt + lapseMs, now + minute))
}
