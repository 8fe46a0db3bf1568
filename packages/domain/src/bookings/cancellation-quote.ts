import { isDriverLate, nextCancellationFee } from '../fare/cancellation-fee.ts'
import type { Amount } from '../money/amount.ts'
import type { Actor } from '../users/roles.ts'
import type { Booking } from './booking.ts'
import { feeForRider } from './cancel.ts'

/** The viewer's fee for cancelling, and its reason. */
export interface CancellationQuote {
  fee: Amount
  free: boolean
  why: 'not_accepted' | 'driver_late' | 'free' | 'slab'
  /** The next higher fee and its start, epoch ms; null while the fee does not rise. */
  next: { fee: Amount; from: number } | null
}

/** The quote shown before cancelling at `now`; the same rule charges it. Only a rider pays. */
export function cancellationQuote(booking: Booking, actor: Actor, now: number): CancellationQuote {
  if (booking.driver === null) return { fee: 0, free: true, why: 'not_accepted', next: null }
  if (actor !== 'rider') return { fee: 0, free: true, why: 'free', next: null }
  const fee = feeForRider(booking, now)
  const next = nextCancellationFee(booking.cancel_slab, { ...booking, now })
  if (fee > 0) return { fee, free: false, why: 'slab', next }
  return { fee, free: true, why: isDriverLate({ ...booking, now }) ? 'driver_late' : 'free', next }
}
