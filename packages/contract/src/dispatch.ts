import type { PlacePoint } from '@hansom/domain/bookings/booking'
import type { BookingStatus, PaymentMode } from '@hansom/domain/bookings/status'
import type { BoardRules } from '@hansom/domain/dispatch/board'
import { decisionReasons, strategies } from '@hansom/domain/dispatch/strategies'
import { z } from 'zod'
import { base } from './base.ts'
import { id, instant } from './shapes.ts'

/** A booking on the dispatch screen: searching, scheduled, or with a driver. Names are those of a booking's view. */
export interface DispatchBooking {
  id: string
  version: number
  booking_id: string
  status: BookingStatus
  bookLater: boolean
  bookingDate: number
  tripdate: number
  car_type_id: string
  carType: string
  customer_name: string
  pickup: PlacePoint
  drop: PlacePoint
  /** The number of drops of a delivery, `drop` being the last one; null for a trip. */
  drops: number | null
  payment_mode: PaymentMode
  note: string | null
  driver: string | null
  driver_name: string | null
  vehicle_number: string | null
  promised_arrival: number | null
  driver_arrive_time: number | null
  /** The drivers with an active request, and when it expires (null: never). */
  asked: [driver: string, expires_at: number | null][]
}

/** An admin who has a booking open on the dispatch screen, until `until` unless renewed. */
export const dispatchHold = z.object({ booking: id, user: id, name: z.string(), until: instant })
export type DispatchHold = z.infer<typeof dispatchHold>

/** Everything on the dispatch screen but the cars, which are the topic `fleet`. */
export interface DispatchState {
  rules: BoardRules
  bookings: DispatchBooking[]
  holds: DispatchHold[]
}

/** A booking added or changed, or removed; a hold taken, renewed or released; the rules changed. */
export type DispatchChange =
  | { put: DispatchBooking }
  | { remove: string }
  | { hold: DispatchHold }
  | { released: { booking: string; user: string } }
  | { rules: BoardRules }

/** A driver who could take a booking. Times are in seconds, distances in km. */
export const candidate = z.object({
  id,
  name: z.string(),
  vehicle_number: z.string().nullable(),
  rating: z.number().nullable(),
  lat: z.number(),
  lng: z.number(),
  /** Until the driver is free: 0, or the rest of the current trip. */
  freeS: z.number(),
  /** Until the driver is at the pickup, including `freeS`. */
  arrivalS: z.number(),
  /** The route to the pickup; for a driver on a trip, from its drop. */
  km: z.number(),
  /** The driver has an active request: for this booking, or for another. */
  asked: z.enum(['this', 'other']).nullable(),
  /** Has declined this booking, or owes too much for a cash trip. */
  blocked: z.enum(['declined', 'debt']).nullable(),
})
export type Candidate = z.infer<typeof candidate>

/** A decision about whom to ask for a booking: what it did with all drivers, and with up to 30 of them by name. */
export const dispatchDecision = z.object({
  wave: z.int(),
  at: instant,
  /** Drivers were asked; the rider waits for one; or there was none. */
  kind: z.enum(['ask', 'wait', 'none']),
  strategy: z.enum(strategies),
  /** The rule that chose the strategy; null: the settings. */
  rule: z.string().nullable(),
  radiusKm: z.number(),
  /** The number of all considered drivers by reason. */
  counts: z.partialRecord(z.enum(decisionReasons), z.int()),
  /** Those who were asked, then the nearest. */
  drivers: z.array(
    z.object({
      id,
      name: z.string(),
      reason: z.enum(decisionReasons),
      km: z.number(),
      /** Until the driver could be at the pickup, including `freeS`; 0 if it was not calculated. */
      arrivalS: z.number(),
      freeS: z.number(),
      /** 0 where fairness did not weigh it; `mostIdleS` means that or longer. */
      idleS: z.number(),
    }),
  ),
})
export type DispatchDecision = z.infer<typeof dispatchDecision>

/** A recent request near a driver and what became of it. The distance is rounded up to half a kilometer. */
export const recentRequest = z.object({ at: instant, reason: z.enum(decisionReasons), km: z.number() })
export type RecentRequest = z.infer<typeof recentRequest>

const byId = z.object({ id })

export const dispatchContract = {
  /** The drivers who could take a booking, by travel time. Throws wrong_status for one that needs no driver. */
  candidates: base
    .route({ method: 'GET', path: '/api/v1/bookings/{id}/candidates', tags: ['dispatch'] })
    .input(byId)
    .output(z.array(candidate)),
  /** Why drivers were asked for a booking or not, the latest decision first. Kept for a week. */
  decisions: base
    .route({ method: 'GET', path: '/api/v1/bookings/{id}/decisions', tags: ['dispatch'] })
    .input(byId)
    .output(z.array(dispatchDecision)),
  /** Why the driver got or did not get the requests nearby of the last three hours, the latest first. */
  recent: base
    .route({ method: 'GET', path: '/api/v1/driver/recent-requests', tags: ['dispatch'] })
    .output(z.array(recentRequest)),
  /**
   * Holds a booking for the caller, or renews the hold; returns who holds it. A hold only informs other admins: it
   * blocks no command.
   */
  hold: base
    .route({ method: 'PUT', path: '/api/v1/bookings/{id}/hold', tags: ['dispatch'] })
    .input(byId)
    .output(dispatchHold),
  /** Releases the caller's hold, if there is one. */
  release: base
    .route({ method: 'DELETE', path: '/api/v1/bookings/{id}/hold', tags: ['dispatch'] })
    .input(byId)
    .output(z.object({ ok: z.literal(true) })),
}
