import type { WantedPromo } from '../fare/promo.ts'
import type { TrackLength } from '../fare/track.ts'
import type { LatLng } from '../geo/point.ts'
import type { Amount } from '../money/amount.ts'
import type { Settings } from '../settings/settings.ts'
import type { DriverState } from '../users/eligibility.ts'
import type { Booking, CashAnswer, Commander, PaymentMode } from './booking.ts'
import type { Silence } from './moment.ts'
import type { BookingCommand } from './transitions.ts'

/** The settings that booking rules read. */
export type BookingSettings = Pick<
  Settings,
  | 'category'
  | 'decimal'
  | 'convert_to_mile'
  | 'code'
  | 'symbol'
  | 'swipe_symbol'
  | 'otp_secure'
  | 'autoDispatch'
  | 'AllowCriticalEditsAdmin'
  | 'negativeBalance'
  | 'driverDebtLimit'
  | 'driverRadius'
  | 'dispatch'
>

/** A driver's row: what decides whether the driver can serve, and what is copied into the booking. */
export interface DriverFacts extends DriverState {
  name: string
  image: string | null
  contact: string | null
  vehicle_number: string | null
  vehicle_make: string | null
  vehicle_model: string | null
  rating: number | null
  fleetadmin: string | null
}

/** What a rider owes: see outstanding. */
export interface RiderFacts {
  walletBalance: Amount
  /** The rider's trips that wait to be paid or have an open objection, oldest first; the booking itself may be among them. */
  trips: readonly Booking[]
}

/** What was loaded under lock before a command is decided. */
export interface Facts {
  booking: Booking
  by: Commander
  settings: BookingSettings
  /** The drivers whose request for this booking stands. */
  requested: readonly string[]
  /** The driver who commands was asked for this booking once, whether or not the request stands. */
  wasAsked: boolean
  rider: RiderFacts
  /** When the server last did not hear from the booking's driver; null when it always did. */
  silence: Silence | null
  /** `accept`: the commander's row. `assign_driver`: the chosen driver's. Otherwise the booking's driver. */
  driver: DriverFacts | null
  /** A payment provider is set up. */
  cardAvailable: boolean
}

/** What a new booking cannot make itself. */
export interface BookingIdentity {
  id: string
  booking_id: string
  /** Five digits; used only when otp_secure is on. */
  otp: string
}

/** When the step was taken, epoch ms, if it could not be told at once; see momentOf. */
interface Late {
  at?: number | undefined
}

/** What comes with each command. Distances km, durations s. */
export interface CommandInputs {
  /** The provider took `amount`; 0 when nothing was to be paid in advance, with null for the payment then. */
  capture_payment: { provider: string; amount: Amount; payment: string | null }
  expire_payment: object
  request_drivers: { drivers: readonly string[]; wave: number; next_at: number }
  assign_driver: { driver: string }
  decline: object
  find_no_driver: object
  /** How long the driver needs to the pickup. */
  accept: { driveSeconds: number }
  /** Where the driver is, if that was heard of lately. */
  arrive: Late & { location?: LatLng | null | undefined }
  start: Late & { otp?: string | undefined; location: LatLng | null }
  /**
   * Where the trip ended, the address there, and the length of the track (null when there is none at all: the
   * estimate stands). A reason is needed from an admin.
   */
  reach: Late & {
    location: LatLng | null
    address: string | null
    track: TrackLength | null
    reason?: string | undefined
  }
  /**
   * Of a cash trip: the driver's answer, and the amount it stands for as the driver saw it. Without an answer the trip
   * alone was paid.
   */
  close: Late & {
    reason?: string | undefined
    collected?: CashAnswer | undefined
    amount?: Amount | undefined
  }
  /** `promo` undefined keeps the present one, null takes it away. */
  choose_payment: { payment_mode: PaymentMode; promo?: WantedPromo | null | undefined }
  release_hold: object
  pay_by_wallet: object
  /** `payment` is the id of the payment that was captured; null only where nothing was to be paid. */
  settle_capture: { provider: string; amount: Amount; payment: string | null }
  confirm_cash: object
  write_off: { reason: string }
  object: { reason?: string | undefined }
  decide_objection: { outcome: 'paid' | 'not_paid' | 'write_off'; reason: string }
  rate: { rating: number; feedback?: string | undefined }
  skip_rating: object
  rate_rider: { rating: number }
  /** `next` is needed when a driver cancels: the identity of the booking that replaces this one. */
  /** `listed`: the reasons to choose from; left out or empty: any text. */
  cancel: {
    reason: string
    listed?: readonly string[] | undefined
    /** The fee that the rider was shown: a higher one is refused. */
    fee?: Amount | undefined
    next?: BookingIdentity | undefined
    /** Where the driver was while waiting for a rider who did not come. */
    waited?: readonly (LatLng & { at: number })[] | undefined
  }
}

export type InputOf<C extends BookingCommand> = { command: C } & CommandInputs[C]
export type CommandInput = { [C in BookingCommand]: InputOf<C> }[BookingCommand]
