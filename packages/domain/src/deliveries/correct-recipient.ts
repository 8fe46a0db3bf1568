import type { BookingStatus } from '../bookings/status.ts'
import { isOneOf } from '../bookings/status.ts'
import { Refusal } from '../error-keys.ts'
import { type DeliveryStop } from './delivery.ts'
import { recipientProblems } from './delivery-request.ts'

/** Who receives a parcel and how to find them. Without `instructions`, those of the stop stay. */
export interface Recipient {
  person: string
  phone: string
  email: string | null
  instructions?: string | null | undefined
}

/** True while the sender and admins may correct the recipient of a stop: until its outcome. */
export function mayCorrectRecipient(
  status: BookingStatus,
  { kind, outcome }: Pick<DeliveryStop, 'kind' | 'outcome'>,
): boolean {
  const isOpen = isOneOf(['PAYMENT_PENDING', 'NEW', 'ACCEPTED', 'ARRIVED', 'STARTED'], status)
  return kind === 'drop' && outcome === null && isOpen
}

type Corrected = Required<Recipient> &
  Pick<DeliveryStop, 'code' | 'code_tries' | 'code_blocked_until' | 'sender_instructions'>

/** What a correction takes from outside: a new code, and a phone number in one spelling. */
interface CorrectionTools {
  drawCode(): string
  phoneOf(text: string): string
}

/**
 * The stop's new fields. With another phone number or email address, not only another spelling, the old contact may be a
 * stranger: `isOther`, and the stop gets another code if it needs one. Refused with too_late after the outcome.
 */
export function correctRecipient(
  status: BookingStatus,
  stop: DeliveryStop,
  recipient: Recipient,
  { drawCode, phoneOf }: CorrectionTools,
): { fields: Corrected; isOther: boolean } | Refusal {
  if (!mayCorrectRecipient(status, stop)) return new Refusal('too_late')
  const errors = recipientProblems({
    ...recipient,
    email: recipient.email ?? '',
    instructions: recipient.instructions ?? '',
    place: stop.place,
  })
  if (errors.length > 0) return new Refusal('invalid_input', { fields: errors })
  const isOther =
    phoneOf(recipient.phone) !== phoneOf(stop.phone) ||
    recipient.email?.toLowerCase() !== stop.email?.toLowerCase()
  const { code_tries, code_blocked_until, sender_instructions } = stop
  const { instructions = stop.instructions } = recipient
  return {
    isOther,
    fields: {
      ...recipient,
      instructions,
      ...(isOther && stop.code !== null
        ? { code: codeOtherThan(stop.code, drawCode), code_tries: 0, code_blocked_until: null }
        : { code: stop.code, code_tries, code_blocked_until }),
      // A new text of the sender replaces the recipient's.
      sender_instructions: instructions === stop.instructions ? sender_instructions : null,
    },
  }
}

/** A code that those who know the old one do not have. */
function codeOtherThan(old: string, draw: () => string): string {
  let code = draw()
  while (code === old) code = draw()
  return code
}
