import type { Booking, CommandAuthor } from '@hansom/domain/bookings/booking'
import type { BookingEvent, Decision, Effect } from '@hansom/domain/bookings/decision'
import { usersIn } from '@hansom/domain/wallet/ledger'
import type { NewEvent } from '../../platform/outbox/event.ts'
import { collectFromWalletEvent } from '../wallet/service.ts'

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

/** Reads the payload of an event. */
export function readBookingChange(payload: Record<string, unknown>): BookingChange {
  return payload as unknown as BookingChange
}

/**
 * The outbox events of a decision: one for the booking, which is given as it is afterwards, and for each other booking
 * that it changes or creates.
 */
export function eventsOf(
  booking: Booking,
  { event, effects, entries, otherTrips }: Omit<Decision, 'changes' | 'refused'>,
  gone: BookingChange['gone'] = [],
): NewEvent[] {
  const otherDrivers = otherTrips.flatMap((one) => one.booking.driver ?? [])
  const rebooked = effects.flatMap((effect) => (effect.kind === 'rebook' ? [effect.booking] : []))
  return [
    changedEvent(booking, event, {
      gone,
      users: [...new Set([...usersIn(entries), ...otherDrivers, ...touchedUsers(effects)])],
      effects: laterEffects(effects),
      wave: booking.wave,
    }),
    ...otherTrips.map((one) =>
      changedEvent({ id: one.booking.id, version: one.booking.version + 1 }, one.event, {
        effects: laterEffects(one.effects),
      }),
    ),
    ...(mayPayOthers(entries, event) ? [collectFromWalletEvent(booking.customer)] : []),
    ...rebooked.map((next) =>
      changedEvent(next, { ...event, command: 'create', from: null, to: next.status }, {}),
    ),
  ]
}

/** The outbox event, in the stream of its booking. */
function changedEvent(
  { id, version }: Pick<Booking, 'id' | 'version'>,
  { at, by, command, from, to }: BookingEvent,
  more: Partial<BookingChange>,
): NewEvent {
  const change = { booking: id, version, at, by, command, from, to }
  const payload: BookingChange = { ...change, gone: [], users: [], effects: [], wave: 0, ...more }
  return { kind: bookingChanged, stream: id, payload: { ...payload } }
}

/** The users whose rating or availability changes. */
function touchedUsers(effects: readonly Effect[]): string[] {
  return effects.flatMap((effect) => {
    if (effect.kind === 'rate_driver' || effect.kind === 'claim_driver' || effect.kind === 'free_driver') {
      return [effect.driver]
    }
    return effect.kind === 'rate_rider' ? [effect.rider] : []
  })
}

/**
 * True if the rider's wallet may now cover a waiting trip: cash for a trip paid or contested in the meantime, or a trip
 * that is payable again.
 */
function mayPayOthers(entries: Decision['entries'], { command }: BookingEvent): boolean {
  return command === 'decide_objection' || entries.some(({ kind }) => kind === 'debt_collected')
}

/** The effects of a decision that run after the commit. */
function laterEffects(effects: readonly Effect[]): LaterEffect[] {
  return effects.filter((effect): effect is LaterEffect => laterKinds.includes(effect.kind))
}
