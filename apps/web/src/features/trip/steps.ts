import type { BookingView } from '@hansom/contract/bookings'
import { api } from '../../lib/api.ts'

/** The commands that have a button of their own on the trip's page. The rider's have their own parts. */
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

/** What the viewer may do now, the next step first. */
export function stepsOf(view: Pick<BookingView, 'commands'>): Step[] {
  return known.filter((step) => view.commands.includes(step))
}

/** What has to be typed with a step: the rider's code, or the office's reason. */
export function wordsNeeded(
  step: Step,
  view: Pick<BookingView, 'viewer' | 'otp_needed'>,
): 'code' | 'reason' | null {
  if (step === 'start') return view.otp_needed ? 'code' : null
  if (step === 'write_off') return 'reason'
  return view.viewer === 'admin' && (step === 'reach' || step === 'close') ? 'reason' : null
}

/** Gives the step to the server; the new view, or null where there is none to see. Throws an ApiError. */
export async function give(id: string, step: Step, words: string): Promise<BookingView | null> {
  switch (step) {
    case 'start':
      return api.bookings.start(words ? { id, otp: words } : { id })
    case 'reach':
    case 'close':
      return api.bookings[step](words ? { id, reason: words } : { id })
    case 'write_off':
      return api.bookings.write_off({ id, reason: words })
    case 'rate_rider':
      return api.bookings.rate_rider({ id, rating: Number(words) })
    case 'decline':
      await api.bookings.decline({ id })
      return null
    default:
      return api.bookings[step]({ id })
  }
}
