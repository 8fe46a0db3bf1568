import type { Booking } from '../bookings/booking.ts'
import type { Outcome } from '../bookings/decision.ts'
import { effectiveTime } from '../bookings/effective-time.ts'
import type { BookingSettings, Facts, InputOf } from '../bookings/facts.ts'
import { notify } from '../bookings/notices.ts'
import { Refusal } from '../error-keys.ts'
import { distanceText } from '../geo/distance-unit.ts'
import { greatCircleKm, type LatLng } from '../geo/point.ts'
import { cashDueAt, takeCash } from './cash.ts'
import { labelText, type StopKind, type StopWithProofs } from './delivery.ts'

/** Beyond this distance from a stop the sender is told how far away the courier was, km. */
export const farAwayKm = 0.3
const codeTries = 5
const codeWaitMs = 60_000

/** A proof that a courier needs before a stop can be closed. */
export const neededProofs = ['photo', 'signature', 'name', 'code', 'scan'] as const
export type NeededProof = (typeof neededProofs)[number]

type ProofSettings = Pick<
  BookingSettings,
  | 'AllowDeliveryPickupImageCapture'
  | 'AllowFinalDeliveryImageCapture'
  | 'deliveryCode'
  | 'deliveryName'
  | 'deliverySignature'
  | 'deliveryScan'
>

/** The proofs that a stop of this kind needs. A code is needed where the stop has one. */
export function proofsFor(
  { kind, code }: { kind: StopKind; code: string | null | boolean },
  settings: ProofSettings,
): NeededProof[] {
  const isPickup = kind === 'pickup'
  const needs: Record<NeededProof, boolean> = {
    photo: isPickup ? settings.AllowDeliveryPickupImageCapture : settings.AllowFinalDeliveryImageCapture,
    signature: !isPickup && settings.deliverySignature,
    name: !isPickup && settings.deliveryName,
    code: kind === 'drop' && Boolean(code),
    scan: kind !== 'return' && settings.deliveryScan,
  }
  return neededProofs.filter((proof) => needs[proof])
}

/** True while the courier may upload images of the stop: at the pickup until the parcel is collected, then until it is settled. */
export function mayAddProof(
  { status }: Pick<Booking, 'status'>,
  { kind, outcome }: Pick<StopWithProofs, 'kind' | 'outcome'>,
): boolean {
  return outcome === null && status === (kind === 'pickup' ? 'ARRIVED' : 'STARTED')
}

interface GivenProof {
  name?: string | undefined
  unsigned?: boolean | undefined
  code?: string | undefined
  scan?: string | undefined
}

/** False for an image of a courier who had the delivery before. */
export const isOwnProof = ({ accepted_at }: Pick<Booking, 'accepted_at'>, at: number | null) =>
  at !== null && at >= (accepted_at ?? 0)

/** The refusal of a stop whose proofs are not complete; the code is checked by `deliver`, which counts wrong ones. */
function proofRefusal(
  { booking, settings, replaced = [] }: Facts,
  stop: StopWithProofs,
  given: GivenProof,
): Refusal | null {
  const isNamed = /\S/.test(given.name ?? '')
  const has: Record<NeededProof, boolean> = {
    photo: isOwnProof(booking, stop.photo),
    signature: isOwnProof(booking, stop.signature) || (given.unsigned === true && isNamed),
    name: isNamed,
    code: /\S/.test(given.code ?? ''),
    scan: /\S/.test(given.scan ?? ''),
  }
  const missing = proofsFor(stop, settings).filter((proof) => !has[proof])
  if (missing.length > 0) return new Refusal('proof_needed', { data: { missing } })
  const bookings = [booking.booking_id, ...replaced]
  const isLabel = bookings.flatMap((id) => labels(id, stop)).includes(given.scan?.trim().toUpperCase() ?? '')
  return given.scan !== undefined && !isLabel ? new Refusal('wrong_label') : null
}

/** The labels that may be scanned at a stop: at the pickup, that of the first drop or of the booking. */
function labels(booking_id: string, { n, kind }: StopWithProofs): string[] {
  const own = labelText(booking_id, n)
  return kind === 'pickup' ? [booking_id, labelText(booking_id, 1), own] : [own]
}

/** The stop that a courier's step is about, if it is still open. */
export function openStop({ delivery }: Facts, n: number): StopWithProofs | Refusal {
  const stop = delivery?.stops.find((one) => one.n === n)
  if (!stop || stop.kind === 'pickup') return new Refusal('not_found')
  return stop.outcome === null ? stop : new Refusal('wrong_status')
}

/**
 * The courier has handed a parcel over, or returned those that failed. A wrong code is an outcome, because the attempt
 * must be counted: after five the courier waits 60 s. Refused with proof_needed, wrong_label or amount_changed.
 */
export function deliver(facts: Facts, input: InputOf<'deliver'>, now: number): Outcome | Refusal {
  const { booking, delivery, silence } = facts
  const stop = openStop(facts, input.stop)
  if (stop instanceof Refusal) return stop
  const isReturn = stop.kind === 'return'
  if (isReturn && delivery?.stops.some((one) => one.kind === 'drop' && one.outcome === null)) {
    return new Refusal('stops_open')
  }
  const wrong = proofRefusal(facts, stop, input)
  if (wrong) return wrong
  if (stop.code !== null && !isReturn) {
    const until = stop.code_blocked_until
    if (until !== null && now < until) return new Refusal('otp_wait', { data: { until } })
    if (input.code?.trim() !== stop.code) return wrongCode(facts, stop, now)
  }
  const cash = takeCash(booking, delivery && cashDueAt(booking, delivery, stop), input.cash)
  if (cash instanceof Refusal) return cash
  const at = effectiveTime(booking, input.at, now, silence)
  const isSigned =
    isOwnProof(booking, stop.signature) || !proofsFor(stop, facts.settings).includes('signature')
  const unsigned = input.unsigned === true && !isSigned
  return {
    ...cash,
    stops: [
      {
        ...stop,
        outcome: isReturn ? 'returned' : 'delivered',
        done_at: at,
        done_location: input.location,
        received_by: input.name?.trim() || null,
        unsigned,
        scanned: input.scan?.trim() || null,
      },
    ],
    effects: [
      notify(booking, booking.customer, isReturn ? 'parcel_returned' : 'parcel_delivered', 'BookedCab', {
        stop: String(stop.n),
      }),
      ...farNotice(facts, stop, input.location, false),
      ...(unsigned
        ? [notify(booking, booking.customer, 'stop_unsigned', 'BookedCab', { stop: String(stop.n) })]
        : []),
    ],
  }
}

function wrongCode({ booking }: Facts, stop: StopWithProofs, now: number): Outcome {
  const tries = stop.code_tries + 1
  if (tries < codeTries) {
    return {
      stops: [{ ...stop, code_tries: tries }],
      refused: new Refusal('wrong_otp', { data: { left: codeTries - tries } }),
    }
  }
  const until = now + codeWaitMs
  return {
    stops: [{ ...stop, code_tries: 0, code_blocked_until: until }],
    effects: [notify(booking, booking.customer, 'otp_wrong', 'BookedCab')],
    refused: new Refusal('otp_wait', { data: { until } }),
  }
}

/** The sender is notified of a stop reported from afar, and of a failed one without a position. */
export function farNotice(
  { booking, settings }: Facts,
  stop: StopWithProofs,
  location: LatLng | null,
  isFailed: boolean,
): NonNullable<Outcome['effects']> {
  const number = { stop: String(stop.n) }
  if (location === null) {
    return isFailed ? [notify(booking, booking.customer, 'stop_unseen', 'BookedCab', number)] : []
  }
  const km = greatCircleKm(location, stop.place)
  if (km <= farAwayKm) return []
  const distance = distanceText(km, settings.convert_to_mile)
  return [notify(booking, booking.customer, 'stop_far', 'BookedCab', { ...number, distance })]
}

/**
 * The pickup of a delivery, as the trip starts: the stop with its outcome, or the refusal when a proof is missing. Null
 * for a trip without a delivery.
 */
export function collect(
  facts: Facts,
  input: { scan?: string | undefined; location: LatLng | null },
  at: number,
): StopWithProofs | Refusal | null {
  const stop = facts.delivery?.stops[0]
  if (!stop) return null
  const wrong = proofRefusal(facts, stop, input)
  if (wrong) return wrong
  const scanned = input.scan?.trim() || null
  return { ...stop, outcome: 'collected', done_at: at, done_location: input.location, scanned }
}
