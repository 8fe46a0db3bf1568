/** Letters and digits that are not confused when read aloud or copied. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'

/** The six characters of a booking_id. Each random number is from 0 up to (not including) 1; six are needed. */
export function bookingCode(randoms: readonly number[]): string {
  if (randoms.length < 6) throw new RangeError('six random numbers are required')
  return randoms
    .slice(0, 6)
    .map((random) => alphabet[Math.min(alphabet.length - 1, Math.floor(random * alphabet.length))])
    .join('')
}

/** The trip code, 10000 to 99999, from a random number from 0 up to (not including) 1. */
export function tripOtp(random: number): string {
  return String(10_000 + Math.min(89_999, Math.floor(random * 90_000)))
}
