import { type ErrorKey, type FieldError, Refusal } from '../error-keys.ts'
import type { Extra } from '../fare/fare.ts'
import type { LatLng } from '../geo/point.ts'
import { isSamePlace } from '../geo/point.ts'
import type { place, TypeOf } from '../shape.ts'
import { isEmail } from '../users/contact.ts'
import { type CashPlace, deliveryLimits, type StopOrder } from './delivery.ts'

type Place = TypeOf<typeof place>

/** A window must end within this time after the courier leaves the pickup, ms. */
const windowsWithinMs = 7 * 24 * 3_600_000

/** A drop as the sender asks for it. */
export interface DropRequest {
  place: Place
  deliveryPerson: string
  deliveryPersonPhone: string
  email?: string | undefined
  deliveryInstructions?: string | undefined
  /** Arrival times that suit the recipient, epoch ms. */
  window?: { from: number; to: number } | undefined
}

/** A delivery as the sender asks for it. */
export interface DeliveryRequest {
  drops: readonly DropRequest[]
  pickUpInstructions?: string | undefined
  /** Positions in the car type's lists; the first entry when omitted. */
  parcelTypeIndex?: number | undefined
  optionIndex?: number | undefined
  /** The descriptions that the sender saw at these positions. */
  parcelType?: string | undefined
  option?: string | undefined
  order: StopOrder
  cash_at: CashPlace | null
}

/**
 * The specification's pattern: seven or more digits, spaces and dashes, then an optional extension. A plus sign may
 * precede them.
 */
const deliveryPhone = /^\+?[\d -]{7,}(?: *(?:x|ext\.?) *\d{1,6})?$/i

/** True for a phone number at which a recipient can be reached. Text without digits is not one. */
export function isDeliveryPhone(phone: string): boolean {
  const text = phone.trim()
  return text.length > 6 && deliveryPhone.test(text) && text.replace(/\D/g, '').length > 4
}

/** The problems of a recipient of a stop or in an address book, by field. */
export function recipientProblems({
  person,
  phone,
  email,
  instructions,
  place,
}: {
  person: string
  phone: string
  email: string
  instructions: string
  place: object | null
}): FieldError[] {
  const { person: mostPerson, phone: mostPhone, instructions: mostText } = deliveryLimits
  const problems: [field: string, error: FieldError['error'] | false][] = [
    ['person', !/[\p{L}\p{N}]/u.test(person) ? 'required' : person.trim().length > mostPerson && 'too_long'],
    ['phone', !isDeliveryPhone(phone) ? 'recipient_phone' : phone.trim().length > mostPhone && 'too_long'],
    ['email', email.trim() !== '' && !isEmail(email) && 'proper_email'],
    ['place', place === null && 'required'],
    ['instructions', instructions.trim().length > mostText && 'too_long'],
  ]
  return problems.flatMap(([field, error]) => (error ? [{ field, error }] : []))
}

/** True for a name that can be read: invisible characters alone are none. */
export function isPersonName(person: string): boolean {
  return /[\p{L}\p{N}]/u.test(person)
}

/** The name of a drop's field in a request: the first drop's fields are those of the booking itself. */
const fieldOf = (drop: number, field: string) =>
  drop === 0 ? `instructionData.${field}` : `instructionData.moreDrops.${drop - 1}.${field}`

/** The refusal of a request that lacks a recipient's name or phone number; null if it has them all. */
export function missingDetails(request: Pick<DeliveryRequest, 'drops'> | null): Refusal | null {
  const drops = request?.drops ?? []
  const fields = drops.flatMap((drop, index): FieldError[] => {
    const add = (field: string): FieldError => ({
      field: fieldOf(index, field),
      error: 'deliveryDetailMissing',
    })
    return [
      ...(isPersonName(drop.deliveryPerson) ? [] : [add('deliveryPerson')]),
      ...(isDeliveryPhone(drop.deliveryPersonPhone) ? [] : [add('deliveryPersonPhone')]),
    ]
  })
  return drops.length > 0 && fields.length === 0 ? null : new Refusal('deliveryDetailMissing', { fields })
}

/** The drops of a request or of an estimate. */
type DropsToCheck = readonly { place: LatLng; window?: { from: number; to: number } | null | undefined }[]

/**
 * The refusal of drops that cannot be planned: at the pickup itself, or with a window that is reversed, over, or a week after
 * the courier leaves the pickup (`leaveAt`, epoch ms).
 */
export function dropsRefusal(
  drops: DropsToCheck,
  pickup: LatLng,
  leaveAt: number,
  now: number,
): Refusal | null {
  for (const [index, { place, window }] of drops.entries()) {
    if (isSamePlace(pickup, place)) return new Refusal('same_place')
    const error = window && windowError(window, leaveAt, now)
    if (error) return new Refusal('invalid_input', { fields: [{ field: fieldOf(index, 'window'), error }] })
  }
  return null
}

/** The refusal of a delivery without a route to the drop at a position of the request; `key` where no stop is to be named. */
export function unreachableStop(key: ErrorKey, position: number | null, drops: number): Refusal {
  const isNamed = position !== null && position >= 0 && drops > 1
  return isNamed ? new Refusal('stop_unreachable', { data: { stop: position + 1 } }) : new Refusal(key)
}

function windowError(
  { from, to }: { from: number; to: number },
  leaveAt: number,
  now: number,
): FieldError['error'] | null {
  if (to <= from) return 'reversed_range'
  if (to <= now) return 'in_the_past'
  return to > leaveAt + windowsWithinMs ? 'too_far_ahead' : null
}

/**
 * The chosen entry of a car type's list: the first if none was named, null if the list is empty. Refused when it is no longer
 * the entry that the sender saw.
 */
export function chosenParcel(
  list: readonly Extra[],
  index: number | undefined,
  field: 'parcelTypeIndex' | 'optionIndex',
  seen: string | undefined,
): Extra | null | Refusal {
  if (list.length === 0) return null
  const chosen = list[index ?? 0]
  const isSeen = seen === undefined || seen === chosen?.description
  if (chosen && isSeen) return { description: chosen.description, amount: chosen.amount }
  const fields = [{ field: `instructionData.${field}`, error: 'not_in_list' as const }]
  return new Refusal('select_proper', { fields })
}
