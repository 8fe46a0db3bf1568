import { isDriverLate, nextCancellationFee } from '../fare/cancellation-fee.ts'
import type { Amount } from '../money/amount.ts'
import type { Actor } from '../users/roles.ts'
import type { Booking } from './booking.ts'
import { feeForRider } from './cancel.ts'

/** What cancelling costs who asks, and why it does or does not. */
export interface CancellationQuote {
  fee: Amount
  free: boolean
  why: 'not_accepted' | 'driver_late' | 'free' | 'slab'
  /** From when on it costs more, epoch ms, and how much then; null while it does not rise. */
  next: { fee: Amount; from: number } | null
}

/** What somebody is told before cancelling at `now`; the same rule charges it. Only a rider pays. */
export function cancellationQuote(booking: Booking, actor: Actor, now: number): CancellationQuote {
  if (booking.driver === null) return { fee: 0, free: true, why: 'not_accepted', next: null }
  if (actor !== 'rider') return { fee: 0, free: true, why: 'free', next: null }
  const fee = feeForRider(booking, now)
  const next = nextCancellationFee(booking.cancel_slab, { ...booking, now })
  if (fee > 0) return { fee, free: false, why: 'slab', next }
  return { fee, free: true, why: isDriverLate({ ...booking, now }) ? 'driver_late' : 'free', next }
}
