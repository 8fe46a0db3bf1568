import { isDispatchDue } from '@hansom/domain/dispatch/timing'
import { Refusal } from '@hansom/domain/error-keys'
import type { DriverIndex } from '../../adapters/driver-index/port.ts'
import type { Maps } from '../../adapters/maps/port.ts'
import type { ServerBus } from '../../adapters/server-bus/port.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Replica } from '../../platform/database/replica.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { PositionHandler } from '../../platform/live/positions.ts'
import type { TopicRegistry } from '../../platform/live/topics.ts'
import type { Log } from '../../platform/log/log.ts'
import { defineIdempotencyCleanup } from '../../platform/outbox/idempotency.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import type { CancelReasonsService } from '../cancel-reasons/service.ts'
import type { CarTypesService } from '../car-types/service.ts'
import type { PromosService } from '../promos/service.ts'
import type { CurrentSettings } from '../settings/service.ts'
import type { UsersService } from '../users/service.ts'
import type { WalletService } from '../wallet/service.ts'
import { type LivePublisher, publishBookings, publishToRequested } from './booking-changed-event.ts'
import { newBookingIds } from './create-booking.ts'
import type { WaveDeps } from './dispatch/ask-drivers.ts'
import { createDispatchService, type DispatchService, publishRules } from './dispatch/board.ts'
import { dispatchFacts } from './dispatch/dispatch-facts.ts'
import { createHolds } from './dispatch/holds.ts'
import { defineBookingJobs, dispatchWhenSwitchedOn, reconcileBookings } from './dispatch/jobs.ts'
import { FleetPublisher } from './live/fleet.ts'
import { registerBookingTopics } from './live/topics.ts'
import { registerReactions } from './reactions.ts'
import { type BookingsService, createBookingsService } from './service.ts'
import { bookingStore } from './store/booking-store.ts'
import { readBooking } from './store/read-bookings.ts'
import { ActiveTrips, DriverContacts } from './tracking/active-trips.ts'
import { ArrivalEstimates } from './tracking/arrival-estimates.ts'
import { publishUserChanges } from './tracking/index-drivers.ts'
import { PositionWrites } from './tracking/position-writes.ts'
import { createTrackingService, type TrackingService } from './tracking/service.ts'
import { SharedDrivers } from './tracking/shared-drivers.ts'
import { createTripTracks } from './tracking/trip-tracks.ts'

export interface BookingsFeatureDeps {
  database: Database
  replica?: Replica | undefined
  clock: Clock
  log: Log
  maps: Maps
  driverIndex: DriverIndex
  bus: ServerBus
  jobs: Jobs
  outbox: Outbox
  hub: LivePublisher & { onPosition(handler: PositionHandler): void }
  topics: TopicRegistry
  settings: {
    current(): Promise<CurrentSettings>
    /** Calls `listener` after each change. */
    onChange(listener: (settings: CurrentSettings) => void): void
  }
  carTypes: CarTypesService
  promos: PromosService
  users: UsersService
  wallet: WalletService
  cancelReasons: Pick<CancelReasonsService, 'all'>
  dispatchRules: WaveDeps['dispatchRules']
  /** The pool of numbers of masked calls; null if calls are not masked. */
  callNumbers: readonly string[] | null
  /** True if a provider accepts card payments in the currency. */
  cardAvailable(currency: string): boolean
}

export interface BookingsFeature {
  bookings: BookingsService
  tracking: TrackingService
  dispatch: DispatchService
  /**
   * Fills the in-memory state and enqueues missing jobs of open bookings. Call after the jobs start and before the
   * outbox starts.
   */
  start(): Promise<void>
  /** Buffered position writes. */
  writes: Pick<PositionWrites, 'flush'>
  /** Flushes buffered writes. */
  stop(): Promise<void>
}

/** The bookings feature: commands, dispatch, tracking and live updates. Registers jobs, topics and reactions. */
export function createBookingsFeature(given: BookingsFeatureDeps): BookingsFeature {
  const { database, clock, log, maps, hub, settings, users } = given
  const { pool } = database
  const trips = new ActiveTrips()
  const drivers = new SharedDrivers({ ...given, pool, trips, contacts: new DriverContacts(clock) })
  const tracks = createTripTracks(pool, maps, log)
  const fleet = new FleetPublisher(hub, pool, () => clock.now())
  const writes = new PositionWrites({ database, log, clock }, (moves) => fleet.moved(moves))
  const arrivals = new ArrivalEstimates(maps, log)
  const startedAt = clock.now()
  const startedElapsed = clock.elapsed()
  const deps = {
    ...given,
    pool,
    store: bookingStore(pool),
    dispatchFacts: dispatchFacts(pool, maps),
    newIds: newBookingIds,
    fleet,
    trips,
    drivers,
    contacts: drivers,
    tracks,
    writes,
    arrivals,
    startedAt,
    startedElapsed,
    // At once, and again with the event in case this server dies before: positions may come to another one within milliseconds.
    applied: drivers.tripChanged.bind(drivers),
  }

  const notifyAssigned = async (id: string) => {
    const current = await settings.current()
    const whole = await database.withTransaction(async (tx) => {
      // A command that ends the requests waits, so that its event finds these notifications.
      await tx.client.query('select from bookings where id = $1 for share', [id])
      const found = await readBooking(tx.client, id, clock.now())
      if (!found || found.booking.status !== 'NEW') return null
      // The trip was moved: another job notifies them then.
      if (!isDispatchDue(found.booking, current, clock.now())) return null
      await users.notify(
        tx,
        found.requests.map(({ driver_id, expires_at }) => ({
          user_id: driver_id,
          at: clock.now(),
          title: 'notify.new_booking.title',
          msg: 'notify.new_booking.msg',
          params: { booking_id: found.booking.booking_id },
          screen: 'DriverTrips',
          booking_id: id,
          expires_at,
          dedupe: `${id}:assigned:${driver_id}`,
        })),
      )
      return found
    })
    if (whole) publishToRequested({ hub, clock }, whole, current)
  }

  const jobs = defineBookingJobs({ ...deps, notifyAssigned: notifyAssigned })
  defineIdempotencyCleanup(given.jobs, database, clock)
  const me = (id: string) => users.me(id)
  const tracking = createTrackingService(deps)
  publishBookings(deps)
  publishUserChanges(deps)
  registerReactions({ ...deps, jobs })
  const holds = createHolds(deps)
  publishRules(deps)
  registerBookingTopics(given.topics, {
    ...deps,
    latestPoint: (whole) => tracking.latestOf(whole),
    me,
    holds,
  })
  hub.onPosition(async (actor, position) => {
    if (!actor.approved) throw new Refusal('require_approval')
    await tracking.report(actor, [position])
  })

  return {
    bookings: createBookingsService(deps),
    tracking,
    dispatch: createDispatchService({ ...deps, holds }),
    writes,
    async start() {
      const placed = await drivers.load()
      const reconciling = { pool, jobs, settings, now: () => clock.now() }
      const open = await reconcileBookings(reconciling)
      await dispatchWhenSwitchedOn({ ...reconciling, log })
      log.info(
        { lastPositions: placed, enqueued: open },
        'bookings resumed with the last known position of each driver',
      )
    },
    async stop() {
      drivers.stop()
      await writes.stop()
    },
  }
}
