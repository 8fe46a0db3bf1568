import type { BookingEvent } from '../bookings/decision.ts'

/** Messages to a recipient: the parcel is coming, how their stop ended, and that the parcel does not come. */
export const recipientMessages = ['coming', 'outcome', 'cancelled'] as const
export type RecipientMessage = (typeof recipientMessages)[number]

/**
 * Most messages of a day of the city: emails and text messages of one sender, and those to one email address or phone
 * number. A file has up to 2,000 deliveries, each with two emails, or with a text message and for some a second one.
 */
export const recipientMessageLimits = { mails: 5_000, texts: 3_000, recipient: 20 } as const

/** A message to the recipients of `stops`, or of every drop. */
interface DueMessage {
  message: RecipientMessage
  stops: readonly number[] | 'all'
}

/** The message that an event of a booking causes; null for none. `stops` are those that it changed. */
export function recipientMessageOf({
  command,
  from,
  to,
  stops,
}: Pick<BookingEvent, 'command' | 'from' | 'to'> & { stops: readonly number[] }): DueMessage | null {
  if (to === 'CANCELLED' && from !== 'CANCELLED') return { message: 'cancelled', stops: 'all' }
  if (command === 'accept') return { message: 'coming', stops: 'all' }
  // Their stop has a new recipient, who is informed if a courier has the parcel.
  if (command === 'correct_recipient') return { message: 'coming', stops }
  // An admin has ended the delivery with these stops open: their parcels do not come.
  if (command === 'reach') return stops.length > 0 ? { message: 'cancelled', stops } : null
  return command === 'deliver' || command === 'fail_drop' ? { message: 'outcome', stops } : null
}
