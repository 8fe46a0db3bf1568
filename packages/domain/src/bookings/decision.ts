import type { Delivery, StopWithProofs } from '../deliveries/delivery.ts'
import type { Refusal } from '../error-keys.ts'
import type { LatLng } from '../geo/point.ts'
import type { Entry } from '../wallet/ledger.ts'
import type { Booking, CommandAuthor, PlacePoint } from './booking.ts'
import type { BookingStatus } from './status.ts'
import type { BookingCommand } from './transitions.ts'

/** Screens a notification can open. */
export type NotificationScreen = 'BookingCab' | 'BookedCab' | 'wallet' | 'DriverTrips' | 'onlineChat'

/** Jobs a booking schedules. Each gives the system command of the same name, with the exceptions below. */
export type BookingJob =
  | 'expire_payment'
  | 'capture_payment'
  /** Gives skip_rating. */
  | 'complete_unrated'
  /** Notifies drivers who were assigned early. */
  | 'tell_assigned'

/** Effects of a decision other than changes and money: data, carried out in the same transaction or after it. */
export type Effect =
  | { kind: 'claim_driver' | 'free_driver'; driver: string }
  | { kind: 'ask_drivers'; drivers: string[]; wave: number; expires_at: number | null }
  | { kind: 'remove_requests' }
  | { kind: 'remove_request'; driver: string }
  /** Ask the next wave of drivers for `booking` at this time. */
  | { kind: 'dispatch'; booking: string; at: number }
  | { kind: 'schedule'; job: BookingJob; at: number }
  | {
      kind: 'notify'
      user: string
      title: string
      msg: string
      params: Record<string, string>
      screen: NotificationScreen
      /** When the request that it announces expires, epoch ms; omitted for other notices. */
      expires_at?: number | null
    }
  | { kind: 'track_point'; status: BookingStatus; at: number; point: LatLng }
  | { kind: 'save_address'; user: string; point: PlacePoint }
  | { kind: 'rate_driver'; driver: string; by: string; rate: number }
  | { kind: 'rate_rider'; rider: string; by: string; rate: number }
  | { kind: 'reserve_promo' | 'release_promo'; promo: string }
  /** Insert the booking that replaces the cancelled one, before the changes refer to it. */
  | { kind: 'rebook'; booking: Booking; delivery: Delivery | null }
  /** If it is the newcomer's first completed trip and they were referred, both get the bonus. */
  | { kind: 'referral_bonus'; newcomer: string; booking: string }

/** The values whose change a booking's history records. */
export const recordedChanges = [
  'pickup',
  'drop',
  'bookLater',
  'tripdate',
  'carType',
  'passengers',
  'note',
  'payment_mode',
  'promo_name',
  'trip_cost',
] as const

/** Parts of a stop whose change a delivery's history records, without their content. */
export const recordedParts = ['photo', 'signature', 'instructions', 'recipient', 'message'] as const

/** What a courier's step did at a stop. */
export const recordedSteps = ['delivered', 'failed', 'returned', 'wrong_code'] as const

/**
 * A value of a booking that a command changed, or a part of a stop or a step with `to` as the number of the stop. Times
 * epoch ms, amounts as stored.
 */
export interface EventChange {
  field: (typeof recordedChanges)[number] | (typeof recordedParts)[number] | (typeof recordedSteps)[number]
  from: string | number | boolean | null
  to: string | number | boolean | null
}

/** A row of the booking's history. */
export interface BookingEvent {
  at: number
  by: CommandAuthor
  /**
   * `take_over`: a guest's booking moved to the account of its rider. `add_proof`: the courier uploaded an image of a
   * stop. `add_instructions`: a recipient changed the instructions of their stop.
   * `correct_recipient`: the sender or an admin corrected the recipient of a stop. `inform_failed`: a recipient could
   * not be informed.
   */
  command:
    | BookingCommand
    | 'create'
    | 'take_over'
    | 'add_proof'
    | 'add_instructions'
    | 'correct_recipient'
    | 'inform_failed'
  from: BookingStatus | null
  to: BookingStatus
  reason: string | null
  /** What a change of the booking's data changed, or the stop of a courier's step. */
  changes?: EventChange[] | null
}

/** Another trip of the rider, paid with the same money. */
export interface OtherTripSettled {
  /** The booking as loaded. */
  booking: Booking
  changes: Partial<Booking>
  /** Notifications and jobs of that trip. */
  effects: Effect[]
  event: BookingEvent
}

/** The result of a command. The server writes all of it in one transaction. */
export interface Decision {
  changes: Partial<Booking>
  /** Stops of the delivery that have changed or are new. */
  stops: readonly StopWithProofs[]
  entries: Entry[]
  effects: Effect[]
  event: BookingEvent
  otherTrips: OtherTripSettled[]
  /**
   * The command is refused, but its changes must still be stored (a wrong code counts as an attempt): write, commit,
   * then return this refusal.
   */
  refused: Refusal | null
}

/** The result of a command's rule; `decide` turns it into a decision. */
export interface Outcome {
  /** The new status; omitted if it stays the same. */
  to?: BookingStatus
  changes?: Omit<Partial<Booking>, 'status' | 'id' | 'version'>
  stops?: readonly StopWithProofs[]
  entries?: Entry[]
  effects?: Effect[]
  reason?: string | null
  otherTrips?: Omit<OtherTripSettled, 'event'>[]
  refused?: Refusal
}
