import { setTimeout as wait } from 'node:timers/promises'
import { trackingTopic } from '@hansom/contract/live'
import type { Position, TrackingPoint } from '@hansom/contract/tracking'
import { isOneOf, trackedStatuses } from '@hansom/domain/bookings/status'
import type { TrackPoint } from '@hansom/domain/fare/track'
import type { Pool } from 'pg'
import type { DriverIndex } from '../../../adapters/driver-index/port.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { channelName } from '../../../platform/live/channels.ts'
import type { Log } from '../../../platform/log/log.ts'
import { metrics } from '../../../platform/metrics/metrics.ts'
import { type LivePublisher, trackingAudience } from '../booking-changed-event.ts'
import type { ActiveTrip, ActiveTrips } from './active-trips.ts'
import type { ArrivalEstimates } from './arrival-estimates.ts'
import { filterPositions, type Trail } from './filter-positions.ts'
import { placeDriver } from './index-drivers.ts'
import type { PositionWrites } from './position-writes.ts'
import type { SharedDrivers } from './shared-drivers.ts'
import type { TripTracks } from './trip-tracks.ts'

export interface ReportDeps {
  pool: Pool
  clock: Clock
  driverIndex: DriverIndex
  trips: ActiveTrips
  drivers: Pick<SharedDrivers, 'recordContact' | 'moved' | 'tripOf' | 'isShared' | 'whenRead'>
  tracks: TripTracks
  writes: PositionWrites
  arrivals: ArrivalEstimates
  hub: LivePublisher
  log: Pick<Log, 'error'>
}

/** Interval of stored points during the approach to the pickup, ms: enough to see later where the driver was. */
const approachEveryMs = 15_000
/** How long positions are kept, as they may belong to a trip whose start, on another server, is not known here yet, ms. */
const keptMs = 10_000
const keptPositions = 30
/** How long, and how often, storing them is tried. */
const [storeAgainMs, storeTries] = [500, 60]

/** Handles the positions that drivers report. */
export class PositionReports {
  private readonly deps: ReportDeps
  private readonly trails = new Map<string, Trail>()
  private readonly storedAt = new Map<string, number>()
  /** The last positions by driver, of those heard from last at the end; only beside other servers. */
  private readonly kept = new Map<string, { heardAt: number; position: Position }[]>()

  constructor(deps: ReportDeps) {
    this.deps = deps
    deps.trips.whenEnded((driver) => this.forget(driver))
    deps.trips.whenStarted((trip) => void this.storeKept(trip))
    // A short trip may have begun and ended while other servers were not heard.
    deps.drivers.whenRead(() =>
      deps.trips.loadEnded(deps.pool, [...this.kept.keys()], deps.clock.now() - keptMs),
    )
  }

  /** The number of drivers with state in memory. */
  get size(): number {
    return new Set([...this.trails.keys(), ...this.storedAt.keys()]).size
  }

  /** Forgets the driver except for the index entry, from which the next trail starts. */
  forget(driver: string): void {
    this.trails.delete(driver)
    this.storedAt.delete(driver)
    this.deps.arrivals.forget(driver)
  }

  /**
   * Records a driver's positions and returns the number of plausible ones. Those of a started trip are then durable; if its start
   * is not known here yet, as soon as it is. The others are in the live index, published to the trip's watchers, and written
   * shortly after.
   */
  async report(driver: string, positions: readonly Position[]): Promise<number> {
    const { clock, driverIndex, drivers } = this.deps
    drivers.recordContact(driver)
    const now = clock.now()
    const trail = this.trails.get(driver) ?? { last: await driverIndex.get(driver), doubted: null }
    const ordered = [...positions].sort((a, b) => a.at - b.at)
    const judged = filterPositions(trail, ordered, now)
    this.trails.set(driver, judged.trail)
    const newest = judged.kept.at(-1)
    if (!newest) return 0

    try {
      await this.take(driver, judged.kept, newest)
    } catch (error) {
      // Not stored, so not acknowledged: a repeated report counts as new.
      this.trails.set(driver, trail)
      throw error
    }
    metrics.positions.inc(judged.kept.length)
    return judged.kept.length
  }

  private async take(driver: string, kept: readonly Position[], newest: Position): Promise<void> {
    const { clock, driverIndex, drivers, pool, writes } = this.deps
    const place = {
      lat: newest.lat,
      lng: newest.lng,
      bearing: newest.bearing ?? null,
      at: Math.min(newest.at, clock.now()),
    }
    await placeDriver({ pool, index: driverIndex, clock }, driver, place)
    writes.put(driver, place)
    drivers.moved(driver, place)
    // More than can be kept for a trip that is not known here yet: after a time without a connection.
    const trip = await drivers.tripOf(driver, drivers.isShared && kept.length > keptPositions)
    if (drivers.isShared) this.keep(driver, kept)
    if (trip) {
      await Promise.all([this.storePoints(trip, kept), this.show(trip, newest)])
    }
  }

  private keep(driver: string, positions: readonly Position[]): void {
    const heardAt = this.deps.clock.elapsed()
    const recent = (this.kept.get(driver) ?? []).filter((one) => heardAt - one.heardAt < keptMs)
    const all = [...recent, ...positions.map((position) => ({ heardAt, position }))]
    this.kept.delete(driver)
    this.kept.set(driver, all.slice(-keptPositions))
    for (const [oldest, positions] of this.kept) {
      if (heardAt - (positions.at(-1)?.heardAt ?? 0) < keptMs) break
      this.kept.delete(oldest)
    }
  }

  /** Stores the positions of a trip that had started on another server before this one knew. */
  private async storeKept(trip: ActiveTrip): Promise<void> {
    const kept = this.kept.get(trip.driver) ?? []
    const since = this.deps.clock.elapsed() - keptMs
    const { started, ended } = trip
    const isOfTrip = ({ at }: Position) => at >= (started ?? 0) && at <= (ended ?? Number.MAX_SAFE_INTEGER)
    const positions = kept.flatMap(({ heardAt, position }) =>
      heardAt > since && isOfTrip(position) ? [position] : [],
    )
    const points = pointsOf('STARTED', positions)
    for (let tries = 1; ; tries++) {
      try {
        await this.deps.tracks.store(trip.booking, points)
        return
      } catch (err) {
        const { booking } = trip
        if (tries === storeTries)
          return this.deps.log.error({ err, booking }, 'failed to store the first positions of a trip')
        await wait(storeAgainMs, undefined, { ref: false })
      }
    }
  }

  /** Stores points that count for the fare immediately, and points of the approach to the pickup at intervals. */
  private async storePoints(trip: ActiveTrip, positions: readonly Position[]): Promise<void> {
    const { tracks, clock } = this.deps
    if (trip.status === 'STARTED') {
      const counted = positions.filter(({ at }) => at >= (trip.started ?? 0))
      await tracks.store(trip.booking, pointsOf('STARTED', counted))
      return
    }
    const newest = positions.at(-1)
    const heardAt = clock.elapsed()
    if (!newest || heardAt - (this.storedAt.get(trip.driver) ?? -approachEveryMs) < approachEveryMs) return
    await tracks.store(trip.booking, pointsOf(trip.status, [newest]))
    this.storedAt.set(trip.driver, heardAt)
  }

  private async show(trip: ActiveTrip, position: Position): Promise<void> {
    if (!isOneOf(trackedStatuses, trip.status)) return
    const { hub, arrivals, clock } = this.deps
    const arrivalS = await arrivals.secondsLeft(trip, position, clock.elapsed())
    hub.publishVolatile(
      channelName(trackingTopic(trip.booking), trackingAudience),
      pointOf(trip, position, arrivalS),
    )
  }
}

function pointsOf(status: ActiveTrip['status'], positions: readonly Position[]): TrackPoint[] {
  return positions.map(({ lat, lng, at, accuracy }) => ({ lat, lng, at, status, accuracy: accuracy ?? null }))
}

/** A position as published to a trip's watchers. Its time is its ID within the trip. */
export function pointOf(
  trip: Pick<ActiveTrip, 'status'>,
  position: Position,
  arrivalS: number | null,
): TrackingPoint {
  const { lat, lng, at, bearing, speed, accuracy } = position
  return {
    id: at,
    status: trip.status,
    lat,
    lng,
    at,
    bearing: bearing ?? null,
    speed: speed ?? null,
    accuracy: accuracy ?? null,
    arrivalS,
  }
}
