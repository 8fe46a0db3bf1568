import type { DeliveryEstimate } from '@hansom/contract/deliveries'
import type { PlacePoint } from '@hansom/domain/bookings/booking'
import type { StopOrder } from '@hansom/domain/deliveries/delivery'
import { currentMe } from '../../lib/session.ts'

/** The booking form's state. Survives sign-in and reload. */
export interface Draft {
  pickup: PlacePoint | null
  drop: PlacePoint | null
  carTypeId: string | null
  later: boolean
  /** Wall-clock time in the city, "2026-11-21T14:30"; empty until chosen. */
  at: string
  /** Deliveries only, once something of it was chosen. */
  parcel?: ParcelDraft | undefined
}

/** A drop as typed. */
export interface DropDraft {
  /** Identifies the drop while it is moved. */
  key: string
  point: PlacePoint | null
  deliveryPerson: string
  deliveryPersonPhone: string
  deliveryEmail: string
  deliveryInstructions: string
  /** Arrival times that suit the recipient, on the city's clock as `14:30`; empty: any. */
  from: string
  to: string
}

/** The part of a booking draft that only deliveries have. */
export interface ParcelDraft {
  /** Positions in the lists of the chosen car type. */
  parcelTypeIndex: number
  optionIndex: number
  pickUpInstructions: string
  /** In the sender's order, at least one. The first one's place is the form's own, and null here. */
  drops: readonly DropDraft[]
  order: StopOrder
}

export const emptyDraft: Draft = { pickup: null, drop: null, carTypeId: null, later: false, at: '' }

interface Stored extends Draft {
  /** Missing for a visitor. */
  uid: string
}

const storageKey = 'hansom-draft'

/** Stores the draft for this tab, and whose it is. */
export function storeDraft(draft: Draft): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify({ ...draft, uid: currentMe()?.uid }))
  } catch {
    // Storage is unavailable: the draft lasts until the page is closed.
  }
}

/**
 * The stored draft of this tab, or an empty one. A visitor's draft passes to the user who signs in; a user's is never
 * shown to anyone else, because it may name recipients.
 */
export function storedDraft(): Draft {
  try {
    const { uid, ...draft } = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as Partial<Stored>
    return uid === undefined || uid === currentMe()?.uid ? { ...emptyDraft, ...draft } : emptyDraft
  } catch {
    return emptyDraft
  }
}

/** What decides price and arrival times, before the recipients are known. */
export function routeEstimate({ drops, order }: ParcelDraft): DeliveryEstimate {
  const moreDrops = drops.slice(1).flatMap(({ point }) => (point ? [{ lat: point.lat, lng: point.lng }] : []))
  return { moreDrops, order }
}
