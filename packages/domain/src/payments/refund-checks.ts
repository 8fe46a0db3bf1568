const day = 24 * 3_600_000

/**
 * When to ask the provider next whether a payment begun at `openedAt` was refunded: daily for a month, then weekly for
 * half a year; then null. Epoch ms.
 */
export function nextRefundCheckAt(openedAt: number, now: number): number | null {
  const age = Math.max(0, now - openedAt)
  const step = age < 30 * day ? day : 7 * day
  const next = openedAt + (Math.floor(age / step) + 1) * step
  return next <= openedAt + 180 * day ? next : null
}
