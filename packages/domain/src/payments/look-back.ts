const day = 24 * 3_600_000

/**
 * When a provider is asked next whether money of a payment went back, for one begun at `openedAt`: daily for a month, then
 * weekly until half a year is over; null: not any more. Epoch ms.
 */
export function lookBackAt(openedAt: number, now: number): number | null {
  const age = Math.max(0, now - openedAt)
  const step = age < 30 * day ? day : 7 * day
  const next = openedAt + (Math.floor(age / step) + 1) * step
  return next <= openedAt + 180 * day ? next : null
}
