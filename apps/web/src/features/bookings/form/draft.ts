import type { PlacePoint } from '@hansom/domain/bookings/booking'
import { laterTimeRefusal } from '@hansom/domain/dispatch/timing'
import type { ErrorKey } from '@hansom/domain/error-keys'
import { isSamePlace } from '@hansom/domain/geo/point'
import { type Draft, emptyDraft } from '../../../entities/bookings/booking-draft.ts'

export type TripEnd = 'pickup' | 'drop'

export type DraftChange =
  | { type: 'place'; which: TripEnd; point: PlacePoint | null }
  | { type: 'swap' }
  | { type: 'car'; id: string }
  | { type: 'later'; later: boolean; at?: string }
  | { type: 'at'; at: string }
  | { type: 'set'; values: Partial<Draft> }
  | { type: 'clear' }

/** The draft after a change. Pure. */
export function changeDraft(draft: Draft, change: DraftChange): Draft {
  switch (change.type) {
    case 'place':
      return { ...draft, [change.which]: change.point }
    case 'swap':
      return { ...draft, pickup: draft.drop, drop: draft.pickup }
    case 'car':
      // Each car type has its own lists of parcel types and options.
      return {
        ...draft,
        carTypeId: change.id,
        parcel: draft.parcel && { ...draft.parcel, parcelTypeIndex: 0, optionIndex: 0 },
      }
    case 'later':
      return { ...draft, later: change.later, at: change.at ?? draft.at }
    case 'at':
      return { ...draft, at: change.at }
    case 'set':
      return { ...draft, ...change.values }
    case 'clear':
      return emptyDraft
  }
}

/** Facts that are not in the draft when the user presses a booking button. */
interface Attempt {
  signedIn: boolean
  /** The account may book: a rider for themselves, or an admin for a rider. */
  mayBook: boolean
  /** A car type is chosen, and a rider if an admin books. */
  complete: boolean
  /** Epoch ms of a Book Later trip, NaN if invalid; null for now. */
  tripdate: number | null
}

/** Why the draft cannot proceed to confirmation, in the server's order of checks; null if it can. Pure. */
export function bookingRefusal(draft: Draft, attempt: Attempt, now: number): ErrorKey | null {
  const { pickup, drop, later, at, parcel } = draft
  const isOpen = parcel?.drops.some(({ point }, index) => index > 0 && !point)
  if (!attempt.signedIn) return 'must_login'
  if (!attempt.mayBook) return 'user_issue_contact_admin'
  if (!pickup || !drop || !attempt.complete || (later && !at)) return 'select_proper'
  if (isOpen) return 'stop_without_address'
  if (isSamePlace(pickup, drop)) return 'same_place'
  return attempt.tripdate === null ? null : laterTimeRefusal(attempt.tripdate, now)
}
