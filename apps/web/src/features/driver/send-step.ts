import type { BookingView } from '@hansom/contract/bookings'
import { api } from '../../lib/api.ts'
import type { TappedStep } from './trip-commands.ts'

/** On a line that died without a word nobody waits longer than this, ms. */
export const answerMs = 15_000

/** Gives a step to the server. Throws an ApiError. */
export function sendStep({
  booking: id,
  step,
  otp,
  at,
  key,
  collected,
  amount,
}: TappedStep): Promise<BookingView> {
  const options = { context: { idempotencyKey: key }, signal: AbortSignal.timeout(answerMs) }
  if (step === 'confirm_cash') return api.bookings.confirm_cash({ id }, options)
  if (step === 'start') return api.bookings.start(otp ? { id, otp, at } : { id, at }, options)
  if (step === 'close' && collected) return api.bookings.close({ id, at, collected, amount }, options)
  return api.bookings[step]({ id, at }, options)
}
