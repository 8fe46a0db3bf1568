import type { BookingView } from '@hansom/contract/bookings'
import { api } from '../../lib/api.ts'
import type { TappedStep } from './trip-commands.ts'

/** Gives a step to the server. Throws an ApiError. */
export function sendStep({ booking, step, otp }: TappedStep): Promise<BookingView> {
  const id = booking
  return step === 'start' ? api.bookings.start(otp ? { id, otp } : { id }) : api.bookings[step]({ id })
}
