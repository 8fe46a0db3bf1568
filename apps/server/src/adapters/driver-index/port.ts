import type { BoundingBox } from '@hansom/domain/geo/path'
import type { LatLng } from '@hansom/domain/geo/point'

/** A driver with a known position, as stored in the index. */
export interface IndexedDriver extends LatLng {
  id: string
  /** When the position was taken, epoch ms. */
  at: number
  /** When the driver was last seen, on a monotonic clock (`Clock.elapsed`). */
  heardAt: number
  /** Degrees clockwise from north, or null if unknown. */
  bearing: number | null
  /** Whether the driver can receive a request now. The index stores other drivers too, but searches skip them. */
  eligible: boolean
  car_type_id: string | null
}

export interface NearestQuery {
  /** At most this many drivers. */
  count: number
  /** Great-circle distance, inclusive. */
  radiusKm: number
  carTypeId?: string
  /** Ids of drivers to leave out. */
  exclude?: ReadonlySet<string>
  /** Leaves out drivers last seen before this time, on the clock of `heardAt`. */
  heardSince?: number
}

export interface NearbyDriver {
  id: string
  km: number
}

/**
 * Live index of drivers: current positions and nearest-driver search. It is not a source of truth: it is filled from
 * the database at startup and may be lost. Several servers may share an index, so reads are asynchronous and writes are
 * not acknowledged; a read sees all earlier writes.
 */
export interface DriverIndex {
  /** Adds or replaces a driver. Throws RangeError for invalid coordinates. */
  upsert(driver: IndexedDriver): void
  /** Removes a driver. Does nothing if the driver is unknown. */
  remove(id: string): void
  /** Sets whether searches find a driver. Does nothing if the driver is unknown. */
  setEligible(id: string, eligible: boolean): void
  get(id: string): Promise<IndexedDriver | null>
  /** The nearest matching eligible drivers, nearest first; ties are ordered by id. */
  nearest(point: LatLng, query: NearestQuery): Promise<NearbyDriver[]>
  /**
   * Eligible drivers inside a box, unordered; an evenly spread subset if there are more than `limit`. A box whose east
   * is less than its west crosses the date line. Drivers last seen before `heardSince` are left out.
   */
  sample(box: BoundingBox, limit: number, heardSince?: number): Promise<IndexedDriver[]>
  /** Number of known drivers, eligible or not. */
  size(): Promise<number>
}
