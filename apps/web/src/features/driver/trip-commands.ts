import type { BookingStatus, CashAnswer, PaymentMode } from '@hansom/domain/bookings/status'
import { type BookingCommand, transitions } from '@hansom/domain/bookings/transitions'
import type { DropFailure, ProofKind } from '@hansom/domain/deliveries/delivery'

/** The driver's steps through a trip, in order. Each is one large button. */
export const driverSteps = [
  'arrive',
  'start',
  'reach',
  'close',
  'confirm_cash',
] as const satisfies readonly BookingCommand[]
/** What a courier reports about a stop, while the trip is under way. */
const stopSteps = ['deliver', 'fail_drop'] as const satisfies readonly BookingCommand[]
export type DriverStep = (typeof driverSteps)[number]
export type StopStep = (typeof stopSteps)[number]

/** An image that is uploaded before its step is sent. */
export interface TakenImage {
  kind: ProofKind
  /** Its name in the image store of the device. */
  file: string
  isSent?: true
}

/** A step with its input. */
export interface TakenStep {
  booking: string
  step: DriverStep | StopStep
  otp?: string
  /** The number of the stop that `deliver` and `fail_drop` are about. */
  stop?: number
  name?: string
  /** The recipient cannot sign. */
  unsigned?: boolean
  code?: string
  scan?: string
  reason?: DropFailure
  /** Cash collected at a stop, as shown to the courier. */
  cash?: number
  images?: readonly TakenImage[]
  /** At the end of a cash trip: what the rider paid, and the amount that was shown. */
  collected?: CashAnswer
  amount?: number
  /** Its code or proof was refused on late delivery: it and the trip's later steps wait for the right one. */
  held?: true
}

/** A tapped step, stored until the server responds. */
export interface TappedStep extends TakenStep {
  /** Time of the tap, epoch ms on the server's clock; the fare is measured from it. */
  at: number
  /** Idempotency key: a repeat gets the first response. */
  key: string
}

/** The next step of a status, or null. */
export function stepFor(status: BookingStatus): DriverStep | null {
  return (
    driverSteps.find((step) => (transitions[step].by.driver as readonly BookingStatus[]).includes(status)) ??
    null
  )
}

/**
 * The status of a booking after its pending steps, up to the first that does not fit. Closing a cash trip also pays it,
 * unless the rider paid nothing.
 */
export function statusAfter(
  status: BookingStatus,
  tapped: readonly TakenStep[],
  paymentMode: PaymentMode,
): BookingStatus {
  let now = status
  for (const { step, collected } of tapped) {
    if (step === 'deliver' || step === 'fail_drop') continue
    if (stepFor(now) !== step) return now
    const isPayment = step === 'close' && paymentMode === 'cash' && collected !== 'nothing'
    now = isPayment ? 'PAID' : transitions[step].to[0]
  }
  return now
}
