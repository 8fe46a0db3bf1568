import type { Booking } from '@hansom/domain/bookings/booking'
import { type ContactLoss, lateStepsMs } from '@hansom/domain/bookings/effective-time'
import { drivingStatuses, isOneOf } from '@hansom/domain/bookings/status'
import { type Delivery, nextStop } from '@hansom/domain/deliveries/delivery'
import type { LatLng } from '@hansom/domain/geo/point'
import type { Pool } from 'pg'
import type { Clock } from '../../../platform/clock/clock.ts'

/** The facts of a driver's trip that position reports need. */
export interface ActiveTrip {
  booking: string
  version: number
  driver: string
  status: Booking['status']
  started: number | null
  ended: number | null
  pickup: LatLng
  /** For a delivery, the next stop. */
  drop: LatLng
}

/** Where a started trip leads: for a delivery, the next stop. */
const targetOf = ({ drop }: { drop: LatLng }, delivery: Delivery | null): LatLng =>
  nextStop(delivery)?.place ?? drop

/** What a booking says about its driver's trip: an active one, or, with other statuses or no driver, none. */
export type TripNote = Omit<ActiveTrip, 'driver'> & { driver: string | null }

/** What a booking as read says about its driver's trip. */
export function tripNoteOf(booking: Booking, delivery: Delivery | null): TripNote {
  const { id, version, driver, status, pickup } = booking
  const { trip_start_time: started, trip_end_time: ended } = booking
  const drop = targetOf(booking, delivery)
  return {
    booking: id,
    version,
    driver,
    status,
    started,
    ended,
    pickup: pointOf(pickup),
    drop: pointOf(drop),
  }
}

const pointOf = ({ lat, lng }: LatLng): LatLng => ({ lat, lng })

/** Trips in progress by driver. Loaded from the database, updated by booking events. */
export class ActiveTrips {
  private readonly byDriver = new Map<string, ActiveTrip>()
  private readonly driverOf = new Map<string, string>()
  /** Each driver's last trip, with the version in which it ended here, and whether its start was known. */
  private readonly lastOf = new Map<string, { booking: string; version: number; hasStarted: boolean }>()
  private readonly endListeners: ((driver: string) => void)[] = []
  private readonly startListeners: ((trip: ActiveTrip) => void)[] = []

  /** Calls `listener` with the driver of each trip that ends. */
  whenEnded(listener: (driver: string) => void): void {
    this.endListeners.push(listener)
  }

  /** Calls `listener` with each trip of which this server learns that it has started; it may have ended since. */
  whenStarted(listener: (trip: ActiveTrip) => void): void {
    this.startListeners.push(listener)
  }

  of(driver: string): ActiveTrip | null {
    return this.byDriver.get(driver) ?? null
  }

  /** Takes note of a booking's state. One older than the known version changes nothing. */
  note(note: TripNote): void {
    const { booking, driver, version } = note
    const known = this.byDriver.get(this.driverOf.get(booking) ?? '')
    if (known?.booking === booking && known.version > version) return
    const last = this.lastOf.get(driver ?? '')
    const ended = last?.booking === booking ? last : null
    const knewStart = known?.booking === booking && known.driver === driver && known.started !== null
    const isStart = driver !== null && note.started !== null && !knewStart && !ended?.hasStarted
    if (ended && isStart) ended.hasStarted = true
    if (!ended || ended.version < version) this.take(note, known)
    if (isStart) for (const listener of this.startListeners) listener({ ...note, driver })
  }

  private take(note: TripNote, known: ActiveTrip | undefined): void {
    const { booking, driver, status, version } = note
    if (driver === null || !isOneOf(drivingStatuses, status)) {
      this.driverOf.delete(booking)
      if (known?.booking === booking) this.end({ ...known, started: known.started ?? note.started }, version)
      return
    }
    if (known?.booking === booking && known.driver !== driver) this.end(known, version)
    this.driverOf.set(booking, driver)
    this.byDriver.set(driver, { ...note, driver })
  }

  /** The trip ended for its driver, who may have got another one since. */
  private end({ driver, booking, started }: ActiveTrip, version: number): void {
    this.byDriver.delete(driver)
    this.lastOf.set(driver, { booking, version, hasStarted: started !== null })
    for (const listener of this.endListeners) listener(driver)
  }

  /** Reads what these drivers' last trips were that ended since a time: this server may not have heard of them. */
  async loadEnded(pool: Pool, drivers: readonly string[], since: number): Promise<void> {
    const { rows } = await pool.query<ActiveTrip>({
      name: 'ended-trips',
      text: `select b.id as booking, version, driver, status, trip_start_time as started, trip_end_time as ended, pickup, drop
        from unnest($1::uuid[]) as d(id) cross join lateral (
          select * from bookings where driver = d.id and tripdate < $2::bigint + 86400000 order by tripdate desc limit 3
        ) b where trip_end_time >= $2 order by trip_end_time`,
      values: [drivers, since],
    })
    for (const row of rows) this.note({ ...row, pickup: pointOf(row.pickup), drop: pointOf(row.drop) })
  }

  /** Reads all trips in progress, or one driver's. Trips that were known before and are not among them have ended. */
  async load(pool: Pool, driver: string | null = null): Promise<void> {
    const before = driver === null ? [...this.byDriver.values()] : [this.of(driver)]
    const reply = await pool.query<ActiveTrip & { delivery: Delivery | null }>({
      name: 'active-trips',
      text: `select id as booking, version, driver, status, trip_start_time as started, trip_end_time as ended, pickup, drop,
          (select f.delivery from delivery_facts f where f.booking_id = b.id) as delivery
        from bookings b where status = any($1) and driver = coalesce($2, driver)`,
      values: [drivingStatuses, driver],
    })
    for (const { delivery, ...row } of reply.rows)
      this.note({ ...row, pickup: pointOf(row.pickup), drop: pointOf(targetOf(row, delivery)) })
    const running = new Set(reply.rows.map(({ booking }) => booking))
    for (const trip of before) {
      if (trip === null || running.has(trip.booking) || this.byDriver.get(trip.driver) !== trip) continue
      this.driverOf.delete(trip.booking)
      this.end(trip, trip.version)
    }
  }
}

/** A driver who was not heard from for this long was silent, ms: several positions are missing. */
const silentMs = 20_000

interface Contact {
  /** When the driver was last heard from, on the monotonic clock. */
  last: number
  silence: ContactLoss | null
}

/**
 * When the server heard from drivers, by positions and commands. It limits how far back a late step is accepted. Two
 * silences with a short contact between them count as one: a phone in a tunnel connects for moments.
 */
export class DriverContacts {
  private readonly byDriver = new Map<string, Contact>()
  private readonly clock: Pick<Clock, 'now' | 'elapsed'>

  constructor(clock: Pick<Clock, 'now' | 'elapsed'>) {
    this.clock = clock
  }

  /** Records that a driver is heard from now; returns the last silence, or null. */
  recordContact(driver: string): ContactLoss | null {
    const silence = this.silenceOf(driver)
    this.byDriver.set(driver, { last: this.clock.elapsed(), silence })
    return silence
  }

  /** The last silence as it would be if the driver were heard from now. */
  silenceOf(driver: string): ContactLoss | null {
    const known = this.byDriver.get(driver)
    if (!known) return null
    const now = this.clock.now()
    const length = this.clock.elapsed() - known.last
    if (length < silentMs) return known.silence
    const from = now - length
    const before = known.silence
    const isOne = before !== null && from - before.to < lateStepsMs
    return { from: isOne ? before.from : from, to: now }
  }

  /** After a server start, drivers on a trip were last heard from at their last position. */
  async load(pool: Pool): Promise<void> {
    const { rows } = await pool.query<{ id: string; located_at: number }>(
      `select id, located_at from user_facts where usertype = 'driver' and queue and located_at is not null`,
    )
    const ago = this.clock.elapsed() - this.clock.now()
    for (const { id, located_at } of rows) this.byDriver.set(id, { last: located_at + ago, silence: null })
  }
}
