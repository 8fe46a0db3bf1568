import { setTimeout as wait } from 'node:timers/promises'
import type { Booking } from '@hansom/domain/bookings/booking'
import type { ContactLoss } from '@hansom/domain/bookings/effective-time'
import type { Delivery } from '@hansom/domain/deliveries/delivery'
import { type BoundingBox, boxAround } from '@hansom/domain/geo/path'
import type { LatLng } from '@hansom/domain/geo/point'
import type { Pool } from 'pg'
import type { DriverIndex } from '../../../adapters/driver-index/port.ts'
import type { ServerBus } from '../../../adapters/server-bus/port.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Log } from '../../../platform/log/log.ts'
import {
  type ActiveTrip,
  type ActiveTrips,
  type DriverContacts,
  type TripNote,
  tripNoteOf,
} from './active-trips.ts'
import {
  type DriverChange,
  loadDriverIndex,
  loadDriversIn,
  placeDriver,
  putDrivers,
} from './index-drivers.ts'

/** A position as a server knows it. */
export interface DriverPlace {
  lat: number
  lng: number
  bearing: number | null
  at: number
}

type MoveRow = [driver: string, lat: number, lng: number, bearing: number | null, at: number]

export interface SharedDriversDeps {
  bus: ServerBus
  pool: Pool
  driverIndex: DriverIndex
  clock: Clock
  log: Log
  trips: ActiveTrips
  contacts: DriverContacts
}

/** Moves travel between servers in batches at this interval, ms. */
const batchMs = 100
const retryMs = 1_000
/** How often a server looks whether it stood still, and the pause from which on it has missed something, ms. */
const [lookMs, pauseMs] = [250, 1_500]
/** How often everything is read again while other servers cannot say what they know, ms. */
const pollMs = 5_000

/**
 * What every server knows of all drivers: where they are, who may get requests, which trips they drive and when they were
 * last heard from. Each server has all of it in memory, tells the others what it learns, and reads everything from the
 * database again when it may have missed something.
 */
export class SharedDrivers {
  private readonly deps: SharedDriversDeps
  private moves = new Map<string, DriverPlace>()
  private heard = new Set<string>()
  private timer: NodeJS.Timeout | undefined
  /** What other servers say while everything is read; it may be newer. Null at other times. */
  private meanwhile: (() => unknown)[] | null = null
  private loading: Promise<number> | undefined
  private readonly readListeners: (() => Promise<void>)[] = []
  private losses = 0
  private isRecovering = false
  private isStopped = false
  private lookedAt: number
  private readonly looking: NodeJS.Timeout | undefined

  constructor(deps: SharedDriversDeps) {
    this.deps = deps
    const { bus, trips } = deps
    bus.on('driver-moves', (_, data) => this.after(() => this.takeMoves(data.value() as MoveRow[])))
    bus.on('drivers-heard', (_, data) =>
      this.after(() => {
        for (const driver of data.value() as string[]) deps.contacts.recordContact(driver)
      }),
    )
    bus.on('drivers', (_, data) => this.after(() => this.put(data.value() as DriverChange)))
    bus.on('trip', (_, data) => this.after(() => trips.note(data.value() as TripNote)))
    bus.whenLost(() => void this.loadAgain())
    this.lookedAt = performance.now()
    if (bus.isShared) this.looking = setInterval(() => this.look(), lookMs).unref()
  }

  /** True beside other servers. */
  get isShared(): boolean {
    return this.deps.bus.isShared
  }

  /** A driver has reported a position to this server, which has put it into its own index. */
  moved(driver: string, place: DriverPlace): void {
    if (!this.deps.bus.isShared) return
    this.moves.set(driver, place)
    this.tellSoon()
  }

  /** Records that this server hears from a driver now; returns the last silence, or null. */
  recordContact(driver: string): ContactLoss | null {
    if (this.deps.bus.isShared) {
      this.heard.add(driver)
      this.tellSoon()
    }
    return this.deps.contacts.recordContact(driver)
  }

  /** A driver's last silence towards all servers. */
  silenceOf(driver: string): ContactLoss | null {
    return this.deps.contacts.silenceOf(driver)
  }

  /**
   * A driver's trip in progress. Read from the database while other servers cannot say what they know, or what they said is being
   * read again, and on the way to the trip's start: from then on, and another server may just have acknowledged it, every
   * position counts for the fare. `surely`: read in any case.
   */
  async tripOf(driver: string, surely = false): Promise<ActiveTrip | null> {
    const { bus, trips, pool } = this.deps
    const status = trips.of(driver)?.status
    const mayHaveStarted = bus.isShared && (status === 'ACCEPTED' || status === 'ARRIVED')
    if (surely || mayHaveStarted || !bus.isUp() || this.isRecovering || this.stoodStill())
      await trips.load(pool, driver)
    return trips.of(driver)
  }

  /** True after a pause, such as of a frozen process, in which other servers were not heard. */
  private stoodStill(): boolean {
    return this.deps.bus.isShared && performance.now() - this.lookedAt > pauseMs
  }

  private look(): void {
    const missed = this.stoodStill()
    this.lookedAt = performance.now()
    if (missed) void this.loadAgain()
  }

  /** Rows of drivers have changed. */
  async changed(change: DriverChange): Promise<void> {
    await this.put(change)
    if (this.deps.bus.isShared) this.deps.bus.send('drivers', '', change)
  }

  /** A booking's change was published: every server learns of it. */
  tripChanged(booking: Booking, delivery: Delivery | null): void {
    const note = tripNoteOf(booking, delivery)
    this.deps.trips.note(note)
    if (this.deps.bus.isShared) this.deps.bus.send('trip', booking.id, note)
  }

  /** Reads everything from the database. Returns the number of drivers with a position. */
  load(): Promise<number> {
    this.loading ??= this.read().finally(() => {
      this.loading = undefined
    })
    return this.loading
  }

  /**
   * Reads the drivers around some points from the database at once, for another server may know of one who is not known here
   * yet. Returns false if this server is the only one: it knows them all.
   */
  async readAround(points: readonly LatLng[], radiusKm: number): Promise<boolean> {
    const { bus, pool, driverIndex: index, clock } = this.deps
    if (!bus.isShared) return false
    await loadDriversIn({ pool, index, clock }, boxOf(points.map((point) => boxAround(point, radiusKm))))
    return true
  }

  /** Calls `listener` whenever everything has been read again. */
  whenRead(listener: () => Promise<void>): void {
    this.readListeners.push(listener)
  }

  /** False while the other servers cannot be heard. */
  isCurrent(): boolean {
    return this.deps.bus.isUp()
  }

  stop(): void {
    this.isStopped = true
    clearInterval(this.looking)
    clearTimeout(this.timer)
    this.tell()
  }

  /**
   * Reads everything again, until a reading has succeeded that began after the last loss, and every few seconds while the other
   * servers cannot be heard.
   */
  private async loadAgain(): Promise<void> {
    this.losses++
    if (this.isRecovering) return
    this.isRecovering = true
    for (let done = 0; !this.isStopped && (done < this.losses || !this.deps.bus.isUp()); ) {
      // One that began before the loss may have missed something.
      await this.loading?.catch(() => {})
      const known = this.losses
      try {
        await this.load()
        done = known
      } catch (err) {
        this.deps.log.warn({ err }, 'failed to read the drivers again, will retry')
        await wait(retryMs, undefined, { ref: false })
      }
      if (done === this.losses && !this.deps.bus.isUp()) await wait(pollMs, undefined, { ref: false })
    }
    this.isRecovering = false
  }

  private async read(): Promise<number> {
    const { pool, driverIndex: index, clock, trips, contacts } = this.deps
    const waiting: (() => unknown)[] = []
    this.meanwhile = waiting
    try {
      const count = await loadDriverIndex({ pool, index, clock })
      await trips.load(pool)
      await contacts.load(pool)
      for (const listener of this.readListeners) await listener()
      return count
    } finally {
      this.meanwhile = null
      // Reading many drivers is no pause in which others were not heard.
      this.lookedAt = performance.now()
      for (const apply of waiting) await this.apply(apply)
    }
  }

  /** Applies what another server says, after what is being read. */
  private after(apply: () => unknown): void {
    if (this.meanwhile) this.meanwhile.push(apply)
    else void this.apply(apply)
  }

  /** Without the database, what needs it is read again later. */
  private async apply(apply: () => unknown): Promise<void> {
    try {
      await apply()
    } catch (err) {
      this.deps.log.warn({ err }, 'failed to take over what another server knows of drivers')
      void this.loadAgain()
    }
  }

  private async takeMoves(rows: readonly MoveRow[]): Promise<void> {
    const { pool, driverIndex: index, clock, contacts } = this.deps
    for (const [driver, lat, lng, bearing, at] of rows) {
      contacts.recordContact(driver)
      await placeDriver({ pool, index, clock }, driver, { lat, lng, bearing, at })
    }
  }

  private put(change: DriverChange): Promise<void> {
    const { driverIndex: index, clock } = this.deps
    return putDrivers({ index, clock }, change)
  }

  private tellSoon(): void {
    this.timer ??= setTimeout(() => this.tell(), batchMs)
    this.timer.unref()
  }

  private tell(): void {
    this.timer = undefined
    const { bus } = this.deps
    for (const driver of this.moves.keys()) this.heard.delete(driver)
    if (this.heard.size > 0) bus.send('drivers-heard', '', [...this.heard])
    if (this.moves.size > 0) {
      const rows = [...this.moves].map(
        ([id, { lat, lng, bearing, at }]): MoveRow => [id, lat, lng, bearing, at],
      )
      bus.send('driver-moves', '', rows)
    }
    this.heard = new Set()
    this.moves = new Map()
  }
}

/** The least box that contains some boxes. */
const boxOf = (boxes: readonly BoundingBox[]): BoundingBox => ({
  south: Math.min(...boxes.map(({ south }) => south)),
  west: Math.min(...boxes.map(({ west }) => west)),
  north: Math.max(...boxes.map(({ north }) => north)),
  east: Math.max(...boxes.map(({ east }) => east)),
})
