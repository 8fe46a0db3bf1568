import type { DispatchChange } from '@hansom/contract/dispatch'
import {
  bookingTopic,
  type ListChange,
  liveTopics,
  type RemovalReason,
  trackingTopic,
} from '@hansom/contract/live'
import type { Actor } from '@hansom/domain/access/relation'
import { viewBooking } from '@hansom/domain/access/visible-booking'
import type { Booking, CommandAuthor } from '@hansom/domain/bookings/booking'
import type { BookingEvent, Decision, Effect } from '@hansom/domain/bookings/decision'
import { endedStatuses, isOneOf, trackedStatuses } from '@hansom/domain/bookings/status'
import { type Delivery, dropsOf } from '@hansom/domain/deliveries/delivery'
import { boardStatuses } from '@hansom/domain/dispatch/board'
import { isDispatchDue } from '@hansom/domain/dispatch/timing'
import { usersIn } from '@hansom/domain/wallet/ledger'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { SessionActor } from '../../platform/http/implement.ts'
import { channelName } from '../../platform/live/channels.ts'
import { metrics } from '../../platform/metrics/metrics.ts'
import type { NewEvent, OutboxEvent } from '../../platform/outbox/event.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import type { CurrentSettings } from '../settings/service.ts'
import { collectFromWalletEvent } from '../wallet/service.ts'
import { boardRow } from './dispatch/board.ts'
import { boardChannel } from './dispatch/holds.ts'
import { type BookingWithRequests, readBookings } from './store/read-bookings.ts'

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
  gone: { driver: string; why: RemovalReason }[]
  /** Users who no longer see the booking: its former driver and their fleet admin. */
  left: string[]
  /** Users whose money or ratings have changed. */
  users: string[]
  effects: LaterEffect[]
  /** The number of waves asked so far. */
  wave: number
  /** Numbers of the stops that have changed. */
  stops: number[]
}

/** Reads the payload of an event. */
export function readBookingChange(payload: Record<string, unknown>): BookingChange {
  // An event written before an upgrade has no `left` and no `stops`.
  return { left: [], stops: [], ...payload } as unknown as BookingChange
}

/**
 * The outbox events of a decision: one for the booking, which is given as it is afterwards, and for each other booking
 * that it changes or creates.
 */
export function eventsOf(
  booking: Booking,
  { event, effects, entries, otherTrips, stops }: Omit<Decision, 'changes' | 'refused'>,
  { gone, left }: Pick<BookingChange, 'gone' | 'left'> = { gone: [], left: [] },
): NewEvent[] {
  const otherDrivers = otherTrips.flatMap((one) => one.booking.driver ?? [])
  const rebooked = effects.flatMap((effect) => (effect.kind === 'rebook' ? [effect.booking] : []))
  return [
    changedEvent(booking, event, {
      gone,
      left,
      users: [...new Set([...usersIn(entries), ...otherDrivers, ...touchedUsers(effects)])],
      effects: laterEffects(effects),
      wave: booking.wave,
      stops: stops.map(({ n }) => n),
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
  const payload: BookingChange = {
    ...change,
    gone: [],
    left: [],
    users: [],
    effects: [],
    wave: 0,
    stops: [],
    ...more,
  }
  return { kind: bookingChanged, stream: id, payload: { ...payload } }
}

/** The event of a booking that changed without a command of the state machine. */
export function changedBesideEvent(
  booking: Pick<Booking, 'id' | 'version' | 'status'>,
  { stops = [], ...change }: Pick<BookingEvent, 'at' | 'by' | 'command'> & { stops?: number[] },
): NewEvent {
  const { status } = booking
  return changedEvent(booking, { ...change, from: status, to: status, reason: null }, { stops })
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

/** Counts a committed decision for `/metrics`. */
export function countDecision(offers: number, events: readonly NewEvent[]): void {
  metrics.offers.inc(offers)
  for (const { kind, payload } of events) {
    if (kind !== bookingChanged) continue
    const { command, from, to, gone } = readBookingChange(payload)
    if (command === 'find_no_driver') metrics.searchesWithoutDriver.inc()
    if (from !== to) metrics.bookingChanges.inc({ from: from ?? 'none', to })
    const answer = command === 'accept' ? 'accepted' : 'declined'
    for (const { why } of gone) metrics.offersEnded.inc({ outcome: why === 'answered' ? answer : why })
  }
}

/** The bookings that a batch of events has changed. */
const changedOf = new WeakMap<readonly OutboxEvent[], ReturnType<typeof readBookings>>()

/** The changed bookings of a batch as they are now, read once for all its handlers. Removed ones are left out. */
export function changedBookings(
  events: readonly OutboxEvent[],
  { client }: Pick<Transaction, 'client'>,
  now: number,
): ReturnType<typeof readBookings> {
  const known = changedOf.get(events)
  if (known !== undefined) return known
  const ids = events.map(({ payload }) => readBookingChange(payload).booking)
  const found = readBookings(client, ids, now)
  changedOf.set(events, found)
  return found
}

/** All admins share one view. */
export const adminAudience = 'admin'
/** All viewers who may follow a car share one view. */
export const trackingAudience = 'all'

/** The audience of an actor for bookings: shared by admins, separate for every other user. */
export function audienceOf(actor: SessionActor): string {
  return actor.role === 'admin' ? adminAudience : actor.id
}

/** The part of the live hub that events are published through. */
export interface LivePublisher {
  publish(channel: string, data: unknown): void
  publishVolatile(channel: string, data: unknown): void
  /** Reauthorizes the subscriptions of the user's open connections. */
  reauthorize(uid: string): unknown
}

interface PublishDeps {
  clock: Clock
  hub: LivePublisher
  outbox: Outbox
  /** Called with the current state of each changed booking, including changes by other servers. */
  applied(booking: Booking, delivery: Delivery | null): void
  settings: { current(): Promise<CurrentSettings> }
}

/** Publishes each change of a booking to everyone concerned, in the view of each. */
export function publishBookings(deps: PublishDeps): void {
  deps.outbox.onBatch(bookingChanged, async (events, tx) => {
    const changes = events.map(({ payload }) => readBookingChange(payload))
    const ids = changes.map(({ booking }) => booking)
    const found = await changedBookings(events, tx, deps.clock.now())
    const settings = await deps.settings.current()
    for (const { booking, delivery } of found.values()) deps.applied(booking, delivery)
    for (const [index, change] of changes.entries()) {
      const record = found.get(change.booking)
      if (!record) continue
      // Several changes of one booking would publish the same current view: only the last one does.
      if (ids.lastIndexOf(change.booking) === index) publishToParties(deps, record, settings)
      publishEnded(deps, record, change)
    }
    const now = performance.now()
    for (const { writtenAt } of events) metrics.liveLag.observe(Math.max(0, now - writtenAt) / 1000)
  })
}

function publishToParties(deps: PublishDeps, record: BookingWithRequests, settings: CurrentSettings): void {
  const { hub } = deps
  const { booking, delivery } = record
  const drops = delivery && dropsOf(delivery).length
  const change: DispatchChange = isOneOf(boardStatuses, booking.status)
    ? { put: boardRow(booking, record.requests, drops) }
    : { remove: booking.id }
  hub.publish(boardChannel, change)
  for (const [audience, actor] of viewersByAudience(booking)) {
    const view = viewBooking(record, actor, settings)
    if (!view) continue
    hub.publish(channelName(bookingTopic(booking.id), audience), view)
    const list = channelName(liveTopics.bookings, audience)
    hub.publish(list, { put: view } satisfies ListChange)
    if (isOneOf(endedStatuses, booking.status)) hub.publish(list, { remove: booking.id } satisfies ListChange)
  }
  publishToRequested(deps, record, settings)
}

/** Publishes requests, access and tracking that a change has ended. */
function publishEnded({ hub }: PublishDeps, { booking }: BookingWithRequests, change: BookingChange): void {
  for (const user of change.left) {
    // The user may have got the booking back since.
    if (user === booking.driver || user === booking.fleetadmin) continue
    hub.publish(channelName(liveTopics.bookings, user), { remove: booking.id } satisfies ListChange)
    hub.reauthorize(user)
  }
  for (const { driver, why } of change.gone) {
    hub.publish(channelName(liveTopics.requests, driver), { remove: booking.id, why } satisfies ListChange)
    hub.reauthorize(driver)
  }
  const wasTracked = change.from !== null && isOneOf(trackedStatuses, change.from)
  if (wasTracked && !isOneOf(trackedStatuses, booking.status)) {
    hub.publish(channelName(trackingTopic(booking.id), trackingAudience), null)
  }
}

/** Publishes a booking to the drivers who are asked, once the trip is due. */
export function publishToRequested(
  { hub, clock }: Pick<PublishDeps, 'hub' | 'clock'>,
  record: BookingWithRequests,
  settings: CurrentSettings,
): void {
  const { booking, requests } = record
  if (booking.status !== 'NEW' || !isDispatchDue(booking, settings, clock.now())) return
  for (const { driver_id } of requests) {
    const view = viewBooking(record, { id: driver_id, role: 'driver', approved: true }, settings)
    if (!view) continue
    hub.publish(channelName(bookingTopic(booking.id), driver_id), view)
    hub.publish(channelName(liveTopics.requests, driver_id), { put: view } satisfies ListChange)
  }
}

function viewersByAudience(booking: Booking): [audience: string, actor: Actor][] {
  const { customer, driver, fleetadmin } = booking
  return [
    [customer, { id: customer, role: 'rider', approved: true }],
    ...(driver === null ? [] : [[driver, { id: driver, role: 'driver', approved: true }] as [string, Actor]]),
    ...(fleetadmin === null
      ? []
      : [[fleetadmin, { id: fleetadmin, role: 'fleetadmin', approved: true }] as [string, Actor]]),
    [adminAudience, { id: adminAudience, role: 'admin', approved: true }],
  ]
}
