import type { BookingStatus } from '../bookings/status.ts'
import { isOneOf } from '../bookings/status.ts'
import { type FieldError, Refusal } from '../error-keys.ts'
import { isEmail } from '../users/contact.ts'
import { type DeliveryStop, isDeliveryPhone, isPersonName } from './delivery.ts'

/** Who receives a parcel and how to find them. */
export interface Recipient {
  person: string
  phone: string
  email: string | null
  instructions: string | null
}

/** The fields of a recipient that are missing or wrong. */
export function recipientErrors({ person, phone, email }: Omit<Recipient, 'instructions'>): FieldError[] {
  return [
    ...(isPersonName(person) ? [] : [{ field: 'person', error: 'required' as const }]),
    ...(isDeliveryPhone(phone) ? [] : [{ field: 'phone', error: 'mobile_no_blank_error' as const }]),
    ...(email === null || isEmail(email) ? [] : [{ field: 'email', error: 'proper_email' as const }]),
  ]
}

/** True while the sender and admins may correct the recipient of a stop: until its outcome. */
export function mayCorrectRecipient(
  status: BookingStatus,
  { kind, outcome }: Pick<DeliveryStop, 'kind' | 'outcome'>,
): boolean {
  const isOpen = isOneOf(['PAYMENT_PENDING', 'NEW', 'ACCEPTED', 'ARRIVED', 'STARTED'], status)
  return kind === 'drop' && outcome === null && isOpen
}

type Corrected = Recipient &
  Pick<DeliveryStop, 'code' | 'code_tries' | 'code_blocked_until' | 'sender_instructions'>

/**
 * The stop's new fields. With another phone number or email address the old contact may be a stranger: `isOther`, and the
 * stop gets `code` if it needs one. Refused with too_late after the outcome.
 */
export function correctRecipient(
  status: BookingStatus,
  stop: DeliveryStop,
  recipient: Recipient,
  code: string,
): { fields: Corrected; isOther: boolean } | Refusal {
  if (!mayCorrectRecipient(status, stop)) return new Refusal('too_late')
  const errors = recipientErrors(recipient)
  if (errors.length > 0) return new Refusal('invalid_input', { fields: errors })
  const isOther = recipient.phone !== stop.phone || recipient.email !== stop.email
  const { code_tries, code_blocked_until, sender_instructions } = stop
  return {
    isOther,
    fields: {
      ...recipient,
      ...(isOther && stop.code !== null
        ? { code, code_tries: 0, code_blocked_until: null }
        : { code: stop.code, code_tries, code_blocked_until }),
      // A new text of the sender replaces the recipient's.
      sender_instructions: recipient.instructions === stop.instructions ? sender_instructions : null,
    },
  }
}
