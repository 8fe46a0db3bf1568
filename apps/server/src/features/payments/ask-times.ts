const minute = 60_000

/** When a provider is asked about an attempt by itself, ms after it was begun; then every hour. */
const times = [1, 5, 15, 60].map((minutes) => minutes * minute)
/** An attempt that nobody has decided by then has lapsed, ms. */
export const lapseMs = 24 * 60 * minute
/** And one whose provider has not answered for so long either. */
export const silenceMs = 72 * 60 * minute
/** When it is asked again after the payer has come back and nothing was decided, ms. */
export const afterReturnMs = 10_000

/** When a provider is asked about an attempt that has ended unpaid, ms after it was begun: its page may live on. */
const lateTimes = [1, 24, 72, 168].map((hours) => hours * 60 * minute)

/** When to ask about an ended attempt that was begun at `openedAt`; null: not any more. Both of the world's clock. */
export function askLate(openedAt: number, now: number): number | null {
  const next = lateTimes.find((time) => time > now - openedAt)
  return next === undefined ? null : openedAt + next
}

/** When to ask next about an attempt that was begun at `openedAt`; both of the world's clock. */
export function askAfter(openedAt: number, now: number): number {
  const age = now - openedAt
  const next = times.find((time) => time > age)
  if (next !== undefined) return openedAt + next
  return Math.min(now + 60 * minute, Math.max(openedAt + lapseMs, now + minute))
}
