import { isDriverLate } from '../fare/cancellation-fee.ts'
import type { Amount } from '../money/amount.ts'
import type { Actor } from '../users/roles.ts'
import type { Booking } from './booking.ts'
import { feeForRider } from './cancel.ts'

/** What cancelling costs who asks, and why it does or does not. */
export interface CancellationQuote {
  fee: Amount
  free: boolean
  why: 'not_accepted' | 'driver_late' | 'free' | 'slab'
}

/** What somebody is told before cancelling at `now`; the same rule charges it. Only a rider pays. */
export function cancellationQuote(booking: Booking, actor: Actor, now: number): CancellationQuote {
  if (booking.driver === null) return { fee: 0, free: true, why: 'not_accepted' }
  if (actor !== 'rider') return { fee: 0, free: true, why: 'free' }
  const fee = feeForRider(booking, now)
  if (fee > 0) return { fee, free: false, why: 'slab' }
  return { fee, free: true, why: isDriverLate({ ...booking, now }) ? 'driver_late' : 'free' }
}
