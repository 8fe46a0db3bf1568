/** Every status of a booking, in the order of a trip. */
export const bookingStatuses = [
  'PAYMENT_PENDING',
  'NEW',
  'ACCEPTED',
  'ARRIVED',
  'STARTED',
  'REACHED',
  'PENDING',
  'PAID',
  'COMPLETE',
  'CANCELLED',
] as const

export type BookingStatus = (typeof bookingStatuses)[number]

/** Statuses that claim the driver: a driver has at most one booking in these. */
export const drivingStatuses = [
  'ACCEPTED',
  'ARRIVED',
  'STARTED',
  'REACHED',
] as const satisfies readonly BookingStatus[]

/** The driver is on the road, to the pickup or to the drop-off. */
export const movingStatuses = ['ACCEPTED', 'STARTED'] as const satisfies readonly BookingStatus[]

/** The driver's position is shown live to the rider. */
export const trackedStatuses = ['ACCEPTED', 'ARRIVED', 'STARTED'] as const satisfies readonly BookingStatus[]

/** Statuses in which nothing more can happen to the trip itself. */
export const endedStatuses = ['COMPLETE', 'CANCELLED'] as const satisfies readonly BookingStatus[]

/** Statuses of a booking that has or had a driver; one that was cancelled while drivers were asked had none. */
export const assignedStatuses: readonly BookingStatus[] = bookingStatuses.slice(2)

/** True until a trip is paid or cancelled: it still needs attention. */
export function isOpen(status: BookingStatus): boolean {
  return !isOneOf(['PAID', ...endedStatuses], status)
}

/** Statuses in which rider and driver see each other's contact. */
export const contactStatuses = [
  'ACCEPTED',
  'ARRIVED',
  'STARTED',
  'REACHED',
  'PENDING',
] as const satisfies readonly BookingStatus[]

/** True when `status` is one of `list`. */
export function isOneOf<S extends BookingStatus>(list: readonly S[], status: BookingStatus): status is S {
  return (list as readonly BookingStatus[]).includes(status)
}

/** True for a Book Later trip until its drivers are asked; `drivers_asked_at` and `now` are epoch ms. */
export function isUpcoming(
  { status, drivers_asked_at }: { status: BookingStatus; drivers_asked_at: number | null },
  now: number,
): boolean {
  return status === 'NEW' && drivers_asked_at !== null && now < drivers_asked_at
}

/** When a Book Later trip is to be picked up, while its driver is searched, comes or waits; null once it has passed. */
export function agreedPickupAt(
  { status, bookLater, tripdate }: { status: BookingStatus; bookLater: boolean; tripdate: number },
  now: number,
): number | null {
  return bookLater && now < tripdate && isOneOf(['NEW', 'ACCEPTED', 'ARRIVED'], status) ? tripdate : null
}

/** Statuses of a trip that is over: at most the payment or a rating is missing. */
const over = ['PENDING', 'PAID', 'COMPLETE', 'CANCELLED'] as const

/** True when one of a rider's bookings is a Book Now trip in progress. */
export function hasTripUnderWay(bookings: readonly { status: BookingStatus; bookLater: boolean }[]): boolean {
  return bookings.some(({ status, bookLater }) => !bookLater && !isOneOf(over, status))
}

export const paymentModes = ['cash', 'wallet', 'card', 'wallet_card'] as const
export type PaymentMode = (typeof paymentModes)[number]

/** Who cancelled a booking (`cancelledBy`). */
export const cancellers = ['rider', 'driver', 'admin', 'system'] as const
export type Canceller = (typeof cancellers)[number]

/** Reason of a booking that no driver took. */
export const noDriverFound = 'no_driver_found'

/** A driver's answer at the end of a cash trip: the rider paid all of it, only the trip, or nothing. */
export const cashAnswers = ['all', 'trip', 'nothing'] as const
export type CashAnswer = (typeof cashAnswers)[number]

/** What a rider objects to: the driver's cash answer, or the charge for the way back with parcels. */
export const objectionSubjects = ['cash', 'return_leg'] as const
export type ObjectionSubject = (typeof objectionSubjects)[number]

/** How long after the end of a delivery its sender may object to the return leg, ms. */
export const returnObjectionMs = 14 * 24 * 3_600_000

/**
 * The state of a rider's objection. `open` until an admin decides it; `withdrawn` once the rider
 * paid after all.
 */
export const objectionStates = ['open', 'paid', 'not_paid', 'written_off', 'withdrawn'] as const
