import type { BookingView } from '@hansom/contract/bookings'
import { bookingTopic, liveTopics, type NotificationsChange, trackingTopic } from '@hansom/contract/live'
import type { TrackingPoint } from '@hansom/contract/tracking'
import type { Me } from '@hansom/contract/users'
import { type Action, can } from '@hansom/domain/access/permissions'
import type { Actor } from '@hansom/domain/access/relation'
import { partiesOf, viewBooking } from '@hansom/domain/access/visible-booking'
import { isDispatchDue } from '@hansom/domain/dispatch/timing'
import { Refusal } from '@hansom/domain/error-keys'
import type { Pool } from 'pg'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { SessionActor } from '../../../platform/http/implement.ts'
import { channelName } from '../../../platform/live/channels.ts'
import type { TopicRegistry, TopicSource } from '../../../platform/live/topics.ts'
import type { CurrentSettings } from '../../settings/service.ts'
import { audienceOf, trackingAudience } from '../booking-changed-event.ts'
import { dispatchSource } from '../dispatch/board.ts'
import type { Holds } from '../dispatch/holds.ts'
import { listBookings } from '../store/list-bookings.ts'
import { type BookingWithRequests, readBooking, readRequested } from '../store/read-bookings.ts'
import { fleetSource } from './fleet.ts'

export interface TopicDeps {
  database: Pick<Database, 'pool' | 'db'>
  pool: Pool
  clock: Clock
  settings: { current(): Promise<CurrentSettings> }
  latestPoint(record: BookingWithRequests): Promise<TrackingPoint | null>
  me(id: string): Promise<Me | null>
  holds: Holds
}

/** Maximum number of open bookings in a snapshot; an admin of a large city pages through the rest. */
const snapshotLimit = 500

/** Registers the topics of bookings, requests, tracking, the admin map and the user's own record. */
export function registerBookingTopics(registry: TopicRegistry, deps: TopicDeps): void {
  registry.register('booking', bookingSource(deps))
  registry.register('tracking', trackingSource(deps))
  registry.register('bookings', bookingsSource(deps))
  registry.register('requests', requestsSource(deps))
  registry.register('dispatch', dispatchSource(deps))
  registry.register('user', userSource(deps))
  registry.register('notifications', notificationsSource(deps.clock))
  registry.register(
    'fleet',
    fleetSource(deps.pool, () => deps.clock.now()),
  )
}

const approvedActor = (actor: SessionActor | null): Actor | null => (actor?.approved ? actor : null)

async function find(deps: TopicDeps, actor: SessionActor | null, id: string | null, action: Action) {
  // Visitors see no booking: skip the query.
  if (id === null || actor === null) return null
  const record = await readBooking(deps.pool, id, deps.clock.now())
  return record && can(approvedActor(actor), action, partiesOf(record)) ? record : null
}

function bookingSource(deps: TopicDeps): TopicSource<BookingView> {
  return {
    async authorize(actor, id) {
      const record = await find(deps, actor, id, 'topic.booking')
      return actor && record
        ? { channel: channelName(bookingTopic(record.booking.id), audienceOf(actor)) }
        : null
    },
    async snapshot(actor, id) {
      const record = await find(deps, actor, id, 'topic.booking')
      const view = record && viewBooking(record, approvedActor(actor), await deps.settings.current())
      if (!view) throw new Refusal('not_found')
      return view
    },
  }
}

function trackingSource(deps: TopicDeps): TopicSource<TrackingPoint | null> {
  return {
    async authorize(actor, id) {
      const record = await find(deps, actor, id, 'topic.tracking')
      return record && { channel: channelName(trackingTopic(record.booking.id), trackingAudience) }
    },
    async snapshot(actor, id) {
      const record = await find(deps, actor, id, 'topic.tracking')
      if (!record) throw new Refusal('not_found')
      return can(approvedActor(actor), 'booking.track', partiesOf(record)) ? deps.latestPoint(record) : null
    },
  }
}

function bookingsSource(deps: TopicDeps): TopicSource<BookingView[]> {
  return {
    async authorize(actor) {
      const isAllowed = actor && can(approvedActor(actor), 'topic.bookings')
      return isAllowed ? { channel: channelName(liveTopics.bookings, audienceOf(actor)) } : null
    },
    async snapshot(actor) {
      const approved = approvedActor(actor)
      if (!approved) throw new Refusal('not_logged_in')
      const query = { status: 'open', limit: snapshotLimit }
      const settings = await deps.settings.current()
      const { timezone, AllowCriticalEditsAdmin } = settings
      const context = { now: deps.clock.now(), timezone, hidesContacts: !AllowCriticalEditsAdmin }
      const { items } = await listBookings(deps.database, approved, query, context)
      return items.flatMap((record) => viewBooking(record, approved, settings) ?? [])
    },
  }
}

function requestsSource(deps: TopicDeps): TopicSource<BookingView[]> {
  return {
    async authorize(actor) {
      const isAllowed = actor && can(approvedActor(actor), 'topic.requests')
      return isAllowed ? { channel: channelName(liveTopics.requests, actor.id) } : null
    },
    async snapshot(actor) {
      const approved = approvedActor(actor)
      if (!approved) throw new Refusal('not_logged_in')
      const now = deps.clock.now()
      const settings = await deps.settings.current()
      const asked = await readRequested(deps.pool, approved.id, now)
      return asked
        .filter(({ booking }) => isDispatchDue(booking, settings, now))
        .flatMap((record) => viewBooking(record, approved, settings) ?? [])
    },
  }
}

function notificationsSource({ now }: Pick<Clock, 'now'>): TopicSource<NotificationsChange> {
  return {
    authorize: async (actor) =>
      actor && can(approvedActor(actor), 'topic.notifications')
        ? { channel: channelName(liveTopics.notifications, actor.id) }
        : null,
    snapshot: async () => ({ at: now() }),
  }
}

function userSource(deps: TopicDeps): TopicSource<Me> {
  return {
    async authorize(actor) {
      return actor && can(approvedActor(actor), 'topic.user')
        ? { channel: channelName(liveTopics.user, actor.id) }
        : null
    },
    async snapshot(actor) {
      const me = actor && (await deps.me(actor.id))
      if (!me) throw new Refusal('not_logged_in')
      return me
    },
  }
}
