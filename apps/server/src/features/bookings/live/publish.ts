import { bookingTopic, type ListChange, liveTopics, trackingTopic } from '@hansom/contract/live'
import type { Actor } from '@hansom/domain/access/relation'
import { viewBooking } from '@hansom/domain/access/visible-booking'
import type { Booking } from '@hansom/domain/bookings/booking'
import { endedStatuses, isOneOf, trackedStatuses } from '@hansom/domain/bookings/status'
import { isDispatchDue } from '@hansom/domain/dispatch/timing'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { SessionActor } from '../../../platform/http/implement.ts'
import { channelName } from '../../../platform/live/topics.ts'
import type { Outbox } from '../../../platform/outbox/outbox.ts'
import type { CurrentSettings } from '../../settings/service.ts'
import { type BookingChange, bookingChanged, readBookingChange } from '../booking-changed-event.ts'
import { type BookingWithRequests, readBookings } from '../store/read-bookings.ts'

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
  applied(booking: Booking): void
  settings: { current(): Promise<CurrentSettings> }
}

/** Publishes each change of a booking to everyone concerned, in the view of each. */
export function publishBookings(deps: PublishDeps): void {
  deps.outbox.onBatch(bookingChanged, async (events, { client }) => {
    const changes = events.map(({ payload }) => readBookingChange(payload))
    const ids = changes.map(({ booking }) => booking)
    const found = await readBookings(client, ids, deps.clock.now())
    const settings = await deps.settings.current()
    for (const { booking } of found.values()) deps.applied(booking)
    for (const [index, change] of changes.entries()) {
      const record = found.get(change.booking)
      if (!record) continue
      // Several changes of one booking would publish the same current view: only the last one does.
      if (ids.lastIndexOf(change.booking) === index) publishToParties(deps, record, settings)
      publishEnded(deps, record, change)
    }
  })
}

function publishToParties(deps: PublishDeps, record: BookingWithRequests, settings: CurrentSettings): void {
  const { hub } = deps
  const { booking } = record
  for (const [audience, person] of partiesOf(booking)) {
    const view = viewBooking(record, person, settings)
    if (!view) continue
    hub.publish(channelName(bookingTopic(booking.id), audience), view)
    const list = channelName(liveTopics.bookings, audience)
    hub.publish(list, { put: view } satisfies ListChange)
    if (isOneOf(endedStatuses, booking.status)) hub.publish(list, { remove: booking.id } satisfies ListChange)
  }
  publishToRequested(deps, record, settings)
}

/** Publishes requests and tracking that a change has ended. */
function publishEnded({ hub }: PublishDeps, { booking }: BookingWithRequests, change: BookingChange): void {
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

function partiesOf(booking: Booking): [audience: string, person: Actor][] {
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
