import type { BookingView } from '@hansom/contract/bookings'
import { api } from '../../../lib/api.ts'
import { idempotentCall } from '../../../lib/idempotent-call.ts'

/** The commands with a button on the trip page; the rider's have separate components. */
const known = [
  'accept',
  'arrive',
  'start',
  'reach',
  'close',
  'confirm_cash',
  'write_off',
  'rate_rider',
  'decline',
] as const
export type Step = (typeof known)[number]

/** The commands the viewer may run now, the next step first. */
export function stepsOf(view: Pick<BookingView, 'commands' | 'viewer' | 'status' | 'collect'>): Step[] {
  const isAnswered = collectsCash(view)
  return known.filter((step) => view.commands.includes(step) && !(step === 'close' && isAnswered))
}

/** The driver has cash to collect: the console closes the trip with the paid amount. */
export function collectsCash({
  viewer,
  status,
  collect,
}: Pick<BookingView, 'viewer' | 'status' | 'collect'>): boolean {
  return viewer === 'driver' && status === 'REACHED' && collect !== null && collect.total > 0
}

/** The input a step requires: the rider's code, or an admin's reason. */
export function wordsNeeded(
  step: Step,
  view: Pick<BookingView, 'viewer' | 'otp_needed'>,
): 'code' | 'reason' | null {
  if (step === 'start') return view.otp_needed ? 'code' : null
  if (step === 'write_off') return 'reason'
  return view.viewer === 'admin' && (step === 'reach' || step === 'close') ? 'reason' : null
}

/**
 * Sends the step to the server; returns the new view, or null if the viewer can no longer see it. Throws an ApiError.
 */
export async function give(id: string, step: Step, words: string): Promise<BookingView | null> {
  switch (step) {
    case 'start':
      return idempotentCall(step, words ? { id, otp: words } : { id }, api.bookings.start)
    case 'reach':
    case 'close':
      return idempotentCall(step, words ? { id, reason: words } : { id }, api.bookings[step])
    case 'write_off':
      return idempotentCall(step, { id, reason: words }, api.bookings.write_off)
    case 'rate_rider':
      return idempotentCall(step, { id, rating: Number(words) }, api.bookings.rate_rider)
    case 'decline':
      await idempotentCall(step, { id }, api.bookings.decline)
      return null
    default:
      return idempotentCall(step, { id }, api.bookings[step])
  }
}
