import { randomBytes } from 'node:crypto'
import { bookingCode, tripOtp } from '@hansom/domain/bookings/codes'
import type { BookingIdentity } from '@hansom/domain/bookings/facts'
import { uuidv7 } from 'uuidv7'

/** The IDs and trip code of a new booking. They cannot be derived from those of another booking. */
export function newBookingIds(): BookingIdentity {
  const randoms = Array.from({ length: 7 }, () => randomBytes(4).readUInt32BE() / 2 ** 32)
  return { id: uuidv7(), booking_id: bookingCode(randoms), otp: tripOtp(randoms[6] as number) }
}
