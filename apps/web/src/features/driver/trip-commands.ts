import type { CashAnswer, PaymentMode } from '@hansom/domain/bookings/choices'
import type { BookingStatus } from '@hansom/domain/bookings/status'
import { type BookingCommand, transitions } from '@hansom/domain/bookings/transitions'

/** The steps a driver takes through a trip, in order. Each is one large button. */
export const driverSteps = [
  'arrive',
  'start',
  'reach',
  'close',
  'confirm_cash',
] as const satisfies readonly BookingCommand[]
export type DriverStep = (typeof driverSteps)[number]

/** A step as the driver takes it. */
export interface TakenStep {
  booking: string
  step: DriverStep
  otp?: string
  /** At the end of a cash trip: what the rider paid, and the amount it stands for as it was shown. */
  collected?: CashAnswer
  amount?: number
}

/** A step that was tapped; kept until the server has answered. */
export interface TappedStep extends TakenStep {
  /** When it was tapped, epoch ms on the server's clock: what the fare is counted from. */
  at: number
  /** Under this key a repeat is answered as the first was. */
  key: string
  /** Its code was refused when it came late: it waits for the right one, and the trip's later steps behind it. */
  held?: true
}

/** The one step that a status asks for, or null. */
export function stepFor(status: BookingStatus): DriverStep | null {
  return (
    driverSteps.find((step) => (transitions[step].by.driver as readonly BookingStatus[]).includes(status)) ??
    null
  )
}

/**
 * The status a booking will have once the tapped steps have been answered. A step that no longer fits ends the walk.
 * Closing a trip paid in cash is also its payment, unless the rider paid nothing.
 */
export function statusAfter(
  status: BookingStatus,
  tapped: readonly TakenStep[],
  paymentMode: PaymentMode,
): BookingStatus {
  let now = status
  for (const { step, collected } of tapped) {
    if (stepFor(now) !== step) return now
    const isPayment = step === 'close' && paymentMode === 'cash' && collected !== 'nothing'
    now = isPayment ? 'PAID' : transitions[step].to[0]
  }
  return now
}
