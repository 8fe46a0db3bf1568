export const paymentModes = ['cash', 'wallet', 'card', 'wallet_card'] as const
export type PaymentMode = (typeof paymentModes)[number]

/** Who cancelled a booking (`cancelledBy`). */
export const cancellers = ['rider', 'driver', 'admin', 'system'] as const
export type Canceller = (typeof cancellers)[number]

/** A driver's answer at the end of a cash trip: the rider paid all of it, only the trip, or nothing. */
export const cashAnswers = ['all', 'trip', 'nothing'] as const
export type CashAnswer = (typeof cashAnswers)[number]

/**
 * The state of a rider's objection to the driver's answer. `open` until an admin decides it; `withdrawn` once the rider
 * paid after all.
 */
export const objectionStates = ['open', 'paid', 'not_paid', 'written_off', 'withdrawn'] as const
export type ObjectionState = (typeof objectionStates)[number]
