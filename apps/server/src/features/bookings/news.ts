import type { Booking, Commander } from '@hansom/domain/bookings/booking'
import type { BookingEvent, Effect } from '@hansom/domain/bookings/decision'
import type { NewEvent } from '../../platform/outbox/event.ts'

export const bookingChanged = 'booking.changed'

/** Effects that are carried out after the commit. */
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

/** What the outbox tells of a booking: that it has changed, who is concerned, and what has to follow. */
export interface BookingNews {
  booking: string
  version: number
  at: number
  by: Commander
  command: BookingEvent['command']
  from: Booking['status'] | null
  to: Booking['status']
  /** Drivers whose request is gone, and why. */
  gone: { driver: string; why: 'taken' | 'expired' | 'cancelled' | 'answered' }[]
  /** Money or ratings of these people have changed. */
  users: string[]
  effects: LaterEffect[]
  /** How many waves of drivers have been asked. */
  wave: number
}

/** The event that goes into the outbox, in the booking's own stream. */
export function newsEvent(news: BookingNews): NewEvent {
  return { kind: bookingChanged, stream: news.booking, payload: { ...news } }
}

/** Reads an event's payload back. */
export function readNews(payload: Record<string, unknown>): BookingNews {
  return payload as unknown as BookingNews
}

/** Those of a decision's effects that are carried out after the commit. */
export function laterEffects(effects: readonly Effect[]): LaterEffect[] {
  return effects.filter((effect): effect is LaterEffect => laterKinds.includes(effect.kind))
}
