import type { DeliveryEstimate, InstructionData } from '@hansom/contract/deliveries'
import type { PlacePoint } from '@hansom/domain/bookings/booking'
import type { CashPlace } from '@hansom/domain/deliveries/delivery'
import { moved } from '@hansom/domain/moved'
import { fromCityTime, toCityTime } from '@hansom/domain/time/city-time'
import { type DropDraft, type ParcelDraft, routeEstimate } from '../../../entities/bookings/booking-draft.ts'

const emptyDrop: DropDraft = {
  key: 'first',
  point: null,
  deliveryPerson: '',
  deliveryPersonPhone: '',
  deliveryEmail: '',
  deliveryInstructions: '',
  from: '',
  to: '',
}

export const emptyParcel: ParcelDraft = {
  parcelTypeIndex: 0,
  optionIndex: 0,
  pickUpInstructions: '',
  drops: [emptyDrop],
  order: 'given',
}

interface WithDrops {
  drop: PlacePoint | null
  parcel?: ParcelDraft | undefined
}

/** All drops of a booking draft with their places, in the sender's order. */
export function draftDrops({ drop, parcel = emptyParcel }: WithDrops): DropDraft[] {
  return parcel.drops.map((one, index) => (index === 0 ? { ...one, point: drop } : one))
}

/** The parts of a booking draft that store these drops. */
function storedDrops(parcel: ParcelDraft, [first = emptyDrop, ...more]: readonly DropDraft[]): WithDrops {
  return { drop: first.point, parcel: { ...parcel, drops: [{ ...first, point: null }, ...more] } }
}

/** Changes of the drops of a booking draft; each returns the parts to store. */
export const changeDrops = {
  add: ({ drop, parcel = emptyParcel }: WithDrops): WithDrops => ({
    drop,
    parcel: { ...parcel, drops: [...parcel.drops, { ...emptyDrop, key: crypto.randomUUID() }] },
  }),
  remove: (draft: WithDrops, index: number): WithDrops =>
    storedDrops(draft.parcel ?? emptyParcel, draftDrops(draft).toSpliced(index, 1)),
  move: (draft: WithDrops, from: number, to: number): WithDrops =>
    storedDrops(draft.parcel ?? emptyParcel, moved(draftDrops(draft), from, to)),
  place: (draft: WithDrops, index: number, point: PlacePoint | null): WithDrops =>
    storedDrops(
      draft.parcel ?? emptyParcel,
      draftDrops(draft).map((one, at) => (at === index ? { ...one, point } : one)),
    ),
}

const dayMs = 24 * 3600 * 1000

/**
 * The recipient's times as epoch ms: `to` is its next occurrence after the departure, `from` the one before that. A
 * missing time leaves its side open for a day. Undefined if none is given.
 */
export function windowOf(
  { from, to }: Pick<DropDraft, 'from' | 'to'>,
  departure: number,
  timezone: string,
): { from: number; to: number } | undefined {
  const next = (clock: string, after: number) => {
    const today = fromCityTime(`${toCityTime(after, timezone).slice(0, 11)}${clock}`, timezone)
    return today > after ? today : today + dayMs
  }
  if (!from && !to) return undefined
  if (!to) {
    const start = next(from, departure)
    return { from: start, to: start + dayMs }
  }
  const end = next(to, departure)
  return { from: from && from !== to ? next(from, end - dayMs) : end - dayMs, to: end }
}

interface Departure {
  /** Epoch ms of a Book Later trip; null for now. */
  tripdate: number | null
  /** Epoch ms. */
  now: number
  timezone: string
}

/** What decides price and arrival times of the complete draft. Drops without a place are left out. */
export function fullEstimate(parcel: ParcelDraft, { tripdate, now, timezone }: Departure): DeliveryEstimate {
  const { parcelTypeIndex, optionIndex } = parcel
  const placed = parcel.drops.filter(({ point }, index) => index === 0 || point !== null)
  return {
    ...routeEstimate(parcel),
    windows: placed.map((drop) => windowOf(drop, tripdate ?? now, timezone) ?? null),
    parcelTypeIndex,
    optionIndex,
    ...(tripdate === null ? {} : { tripdate }),
  }
}

/** The delivery part of a booking request. */
export function requestData(
  parcel: ParcelDraft,
  { tripdate, now, timezone }: Departure,
  cash_at: CashPlace | null,
): InstructionData {
  const { parcelTypeIndex, optionIndex, pickUpInstructions, order } = parcel
  const [first, ...more] = parcel.drops.map(({ point, ...drop }) => {
    const window = windowOf(drop, tripdate ?? now, timezone)
    const { deliveryPerson, deliveryPersonPhone, deliveryEmail, deliveryInstructions } = drop
    return {
      point,
      recipient: {
        deliveryPerson,
        deliveryPersonPhone,
        deliveryEmail: deliveryEmail.trim(),
        deliveryInstructions,
        ...(window && { window }),
      },
    }
  })
  return {
    ...first?.recipient,
    pickUpInstructions,
    parcelTypeIndex,
    optionIndex,
    moreDrops: more.flatMap(({ point, recipient }) => (point ? [{ drop: point, ...recipient }] : [])),
    order,
    ...(cash_at && { cash_at }),
  }
}

export type DropField = Exclude<keyof DropDraft, 'key' | 'point'>

/** The drop and field that an error of the server names: `instructionData.moreDrops.0.deliveryPerson`. */
export function refusedDropField(field: string): { drop: number; field: string } | null {
  const found = /^instructionData\.(?:moreDrops\.(\d+)\.)?(\w+)/.exec(field)
  if (!found?.[2]) return null
  return { drop: found[1] === undefined ? 0 : Number(found[1]) + 1, field: found[2] }
}
