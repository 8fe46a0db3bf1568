import { isDriverLate } from '../fare/cancellation-fee.ts'
import type { Amount } from '../money/amount.ts'
import type { Booking } from './booking.ts'
import { feeForRider } from './cancel.ts'

/** What cancelling costs the rider, and why it does or does not. */
export interface CancellationQuote {
  fee: Amount
  free: boolean
  why: 'not_accepted' | 'driver_late' | 'free' | 'slab'
}

/** What a rider is told before cancelling at `now`; the same rule charges it. */
export function cancellationQuote(booking: Booking, now: number): CancellationQuote {
  const fee = feeForRider(booking, now)
  if (fee > 0) return { fee, free: false, why: 'slab' }
  if (booking.accepted_at === null) return { fee, free: true, why: 'not_accepted' }
  return { fee, free: true, why: isDriverLate({ ...booking, now }) ? 'driver_late' : 'free' }
}
