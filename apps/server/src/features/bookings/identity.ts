import { randomBytes } from 'node:crypto'
import { bookingCode, tripOtp } from '@hansom/domain/bookings/codes'
import type { BookingIdentity } from '@hansom/domain/bookings/facts'
import { uuidv7 } from 'uuidv7'

/** What a new booking is called, and its code: nothing of it can be guessed from another booking. */
export function newIdentity(): BookingIdentity {
  const randoms = Array.from({ length: 7 }, () => randomBytes(4).readUInt32BE() / 2 ** 32)
  return { id: uuidv7(), booking_id: bookingCode(randoms), otp: tripOtp(randoms[6] as number) }
}
