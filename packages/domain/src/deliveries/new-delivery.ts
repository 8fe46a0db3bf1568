import type { PlacePoint } from '../bookings/booking.ts'
import { Refusal } from '../error-keys.ts'
import type { Extra, FareRule } from '../fare/fare.ts'
import type { Amount } from '../money/amount.ts'
import { type Delivery, type StopWithProofs } from './delivery.ts'
import { chosenParcel, type DeliveryRequest } from './delivery-request.ts'
import { returnCost } from './return-leg.ts'
import { shareFare } from './shares.ts'

/** How the stops are driven to. */
export interface DeliveryPlan {
  /** When the courier leaves the pickup, epoch ms. */
  departure: number
  /** Positions of the requested drops, in visiting order. */
  order: readonly number[]
  /** The way to each drop, in visiting order. */
  legs: readonly { distanceKm: number; durationS: number }[]
  /** Planned arrival at each drop, in visiting order, epoch ms. */
  arrivals: readonly number[]
  /** From the last drop to the pickup. */
  back: { distanceKm: number; durationS: number }
}

/** The parcel type and option of a request. */
export interface ParcelChoices {
  parcel_type: Extra | null
  option: Extra | null
}

/** What the sender chose for the parcel. Refused with select_proper when the car type does not offer it. */
export function parcelChoices(
  carType: { parcel_types: readonly Extra[]; options: readonly Extra[] },
  chosen: Pick<DeliveryRequest, 'parcelTypeIndex' | 'optionIndex' | 'parcelType' | 'option'>,
): ParcelChoices | Refusal {
  const parcel_type = chosenParcel(
    carType.parcel_types,
    chosen.parcelTypeIndex,
    'parcelTypeIndex',
    chosen.parcelType,
  )
  if (parcel_type instanceof Refusal) return parcel_type
  const option = chosenParcel(carType.options, chosen.optionIndex, 'optionIndex', chosen.option)
  return option instanceof Refusal ? option : { parcel_type, option }
}

/** The amount that parcel type and option add to the fare. */
export function parcelExtras({ parcel_type, option }: ParcelChoices): Amount {
  return (parcel_type?.amount ?? 0) + (option?.amount ?? 0)
}

interface Parts {
  request: DeliveryRequest
  plan: DeliveryPlan
  choices: ParcelChoices
  pickup: PlacePoint
  sender: { name: string; contact: string | null; email: string | null }
  trip_cost: Amount
  fare_rule: FareRule
  units: { decimal: number; convert_to_mile: boolean }
  /** The fee is paid in cash. */
  inCash: boolean
  /** A code for each requested drop; null if recipients need none. */
  codes: readonly string[] | null
}

const untouched = {
  not_informed: null,
  code_tries: 0,
  code_blocked_until: null,
  outcome: null,
  failure: null,
  done_at: null,
  done_location: null,
  received_by: null,
  unsigned: false,
  unseen: false,
  scanned: null,
  photo: null,
  signature: null,
} satisfies Partial<StopWithProofs>

/** The delivery of a new booking. */
export function newDelivery({
  request,
  plan,
  choices,
  pickup,
  sender,
  codes,
  inCash,
  ...money
}: Parts): Delivery {
  const { trip_cost, fare_rule, units } = money
  const shares = shareFare(
    trip_cost,
    plan.legs.map(({ distanceKm }) => distanceKm),
    units.decimal,
  )
  const { distanceKm, durationS } = plan.back
  const drops = plan.order.flatMap((position, index): StopWithProofs[] => {
    const drop = request.drops[position]
    if (!drop) return []
    return [
      {
        n: index + 1,
        kind: 'drop',
        place: { lat: drop.place.lat, lng: drop.place.lng, add: drop.place.add },
        person: drop.deliveryPerson.trim(),
        phone: drop.deliveryPersonPhone.trim(),
        email: drop.email?.trim() || null,
        instructions: drop.deliveryInstructions?.trim() || null,
        sender_instructions: null,
        window_from: drop.window?.from ?? null,
        window_to: drop.window?.to ?? null,
        planned_at: Math.round(plan.arrivals[index] ?? plan.departure),
        share: shares[index] ?? 0,
        code: codes?.[position] ?? null,
        ...untouched,
      },
    ]
  })
  return {
    ...choices,
    stop_order: request.order,
    cash_at: inCash ? (request.cash_at ?? 'pickup') : null,
    return_leg: { distanceKm, durationS, ...returnCost(fare_rule, distanceKm, durationS, units) },
    stops: [
      {
        n: 0,
        kind: 'pickup',
        place: { lat: pickup.lat, lng: pickup.lng, add: pickup.add },
        person: sender.name,
        phone: sender.contact ?? '',
        email: sender.email,
        instructions: request.pickUpInstructions?.trim() || null,
        sender_instructions: null,
        window_from: null,
        window_to: null,
        planned_at: plan.departure,
        share: 0,
        code: null,
        ...untouched,
      },
      ...drops,
    ],
  }
}

/** The stops with their planned arrivals moved by `ms`. */
export function movedStops({ stops }: Delivery, ms: number): StopWithProofs[] {
  return stops.map((stop) => ({ ...stop, planned_at: Math.round(stop.planned_at + ms) }))
}

/** The same delivery for a booking that replaces the first one: nothing has happened at its stops. */
export function freshDelivery(delivery: Delivery): Delivery {
  return {
    ...delivery,
    stops: delivery.stops.filter(({ kind }) => kind !== 'return').map((stop) => ({ ...stop, ...untouched })),
  }
}

/** The stop at which failed parcels go back to the sender. */
export function returnStop(delivery: Delivery, now: number): StopWithProofs | null {
  const [pickup] = delivery.stops
  const last = delivery.stops.at(-1)
  if (!pickup || !last || last.kind === 'return') return null
  const { durationS, cost } = delivery.return_leg
  return {
    ...pickup,
    ...untouched,
    n: last.n + 1,
    kind: 'return',
    instructions: pickup.instructions,
    planned_at: Math.round(Math.max(now, last.planned_at) + durationS * 1000),
    share: cost,
  }
}
