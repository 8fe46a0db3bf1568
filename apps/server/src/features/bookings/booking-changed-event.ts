import type { Booking, CommandAuthor } from '@hansom/domain/bookings/booking'
import type { BookingEvent, Effect } from '@hansom/domain/bookings/decision'
import type { NewEvent } from '../../platform/outbox/event.ts'

export const bookingChanged = 'booking.changed'

/** Effects that run after the commit. */
export type LaterEffect = Extract<
  Effect,
  {
    kind:
      | 'notify'
      | 'save_address'
      | 'referral_bonus'
      | 'schedule'
      | 'dispatch'
      | 'claim_driver'
      | 'free_driver'
  }
>

const laterKinds: readonly Effect['kind'][] = [
  'notify',
  'save_address',
  'referral_bonus',
  'schedule',
  'dispatch',
  'claim_driver',
  'free_driver',
] satisfies LaterEffect['kind'][]

/** The outbox event of a booking: that it changed, who is concerned, and the effects to run. */
export interface BookingChange {
  booking: string
  version: number
  at: number
  by: CommandAuthor
  command: BookingEvent['command']
  from: Booking['status'] | null
  to: Booking['status']
  /** Drivers whose request has ended, and why. */
  gone: { driver: string; why: 'taken' | 'expired' | 'cancelled' | 'answered' }[]
  /** Users whose money or ratings have changed. */
  users: string[]
  effects: LaterEffect[]
  /** The number of waves asked so far. */
  wave: number
}

/** The outbox event, in the stream of its booking. */
export function bookingChangedEvent(change: BookingChange): NewEvent {
  return { kind: bookingChanged, stream: change.booking, payload: { ...change } }
}

/** Reads the payload of an event. */
export function readBookingChange(payload: Record<string, unknown>): BookingChange {
  return payload as unknown as BookingChange
}

/** The effects of a decision that run after the commit. */
export function laterEffects(effects: readonly Effect[]): LaterEffect[] {
  return effects.filter((effect): effect is LaterEffect => laterKinds.includes(effect.kind))
}
