import { bookingTopic, type ListChange, liveTopics, trackingTopic } from '@hansom/contract/live'
import type { Person } from '@hansom/domain/access/relation'
import type { Booking } from '@hansom/domain/bookings/booking'
import { endedStatuses, isOneOf, trackedStatuses } from '@hansom/domain/bookings/status'
import { isDispatchDue } from '@hansom/domain/dispatch/timing'
import type { Clock } from '../../../platform/clock/clock.ts'
import { channelName } from '../../../platform/live/topics.ts'
import type { Outbox } from '../../../platform/outbox/outbox.ts'
import type { CurrentSettings } from '../../settings/service.ts'
import { type BookingNews, bookingChanged, readNews } from '../news.ts'
import { readBookings } from '../store/read-bookings.ts'
import { viewBooking, type WholeBooking } from '../view.ts'
import { adminAudience, trackingAudience } from './audience.ts'

/** The part of the live hub that news goes out by. */
export interface LivePublisher {
  publish(channel: string, data: unknown): void
  publishVolatile(channel: string, data: unknown): void
  /** Asks again what the person's open connections may follow. */
  recheck(uid: string): unknown
}

export interface PublishDeps {
  clock: Clock
  hub: LivePublisher
  outbox: Outbox
  /** Hears of each booking as it is now, also of those that another server changed. */
  applied(booking: Booking): void
  settings: { current(): Promise<CurrentSettings> }
}

/** Tells everybody concerned of each change of a booking, each as that person sees it. */
export function publishBookings(deps: PublishDeps): void {
  deps.outbox.onMany(bookingChanged, async (events, { client }) => {
    const told = events.map(({ payload }) => readNews(payload))
    const ids = told.map(({ booking }) => booking)
    const found = await readBookings(client, ids, deps.clock.now())
    const settings = await deps.settings.current()
    for (const { booking } of found.values()) deps.applied(booking)
    for (const [index, news] of told.entries()) {
      const whole = found.get(news.booking)
      if (!whole) continue
      // All news of one booking would show it as it is now: the last of them does.
      if (ids.lastIndexOf(news.booking) === index) tellParties(deps, whole, settings)
      tellGone(deps, whole, news)
    }
  })
}

function tellParties(deps: PublishDeps, whole: WholeBooking, settings: CurrentSettings): void {
  const { hub } = deps
  const { booking } = whole
  for (const [audience, person] of partiesOf(booking)) {
    const view = viewBooking(whole, person, settings)
    if (!view) continue
    hub.publish(channelName(bookingTopic(booking.id), audience), view)
    const list = channelName(liveTopics.bookings, audience)
    hub.publish(list, { put: view } satisfies ListChange)
    if (isOneOf(endedStatuses, booking.status)) hub.publish(list, { remove: booking.id } satisfies ListChange)
  }
  tellRequested(deps, whole, settings)
}

/** Tells those to whom a change has closed something. */
function tellGone({ hub }: PublishDeps, { booking }: WholeBooking, news: BookingNews): void {
  for (const { driver, why } of news.gone) {
    hub.publish(channelName(liveTopics.requests, driver), { remove: booking.id, why } satisfies ListChange)
    hub.recheck(driver)
  }
  const wasTracked = news.from !== null && isOneOf(trackedStatuses, news.from)
  if (wasTracked && !isOneOf(trackedStatuses, booking.status)) {
    hub.publish(channelName(trackingTopic(booking.id), trackingAudience), null)
  }
}

/** Tells the drivers who are asked, when the trip is due. */
export function tellRequested(
  { hub, clock }: Pick<PublishDeps, 'hub' | 'clock'>,
  whole: WholeBooking,
  settings: CurrentSettings,
): void {
  const { booking, requests } = whole
  if (booking.status !== 'NEW' || !isDispatchDue(booking, settings, clock.now())) return
  for (const { driver_id } of requests) {
    const view = viewBooking(whole, { id: driver_id, usertype: 'driver' }, settings)
    if (!view) continue
    hub.publish(channelName(bookingTopic(booking.id), driver_id), view)
    hub.publish(channelName(liveTopics.requests, driver_id), { put: view } satisfies ListChange)
  }
}

function partiesOf(booking: Booking): [audience: string, person: Person][] {
  const { customer, driver, fleetadmin } = booking
  return [
    [customer, { id: customer, usertype: 'rider' }],
    ...(driver === null ? [] : [[driver, { id: driver, usertype: 'driver' }] as [string, Person]]),
    ...(fleetadmin === null
      ? []
      : [[fleetadmin, { id: fleetadmin, usertype: 'fleetadmin' }] as [string, Person]]),
    [adminAudience, { id: adminAudience, usertype: 'admin' }],
  ]
}
