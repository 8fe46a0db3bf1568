import type { BoundingBox } from '@hansom/domain/geo/bounding-box'
import type { LatLng } from '@hansom/domain/geo/point'

/** A driver with a known position, as the index keeps it. */
export interface IndexedDriver extends LatLng {
  id: string
  /** When the position was taken, epoch ms. */
  at: number
  /** When the driver was last heard, on a clock that never jumps (`Clock.elapsed`). */
  heardAt: number
  /** Degrees clockwise from north, or null when it is not known. */
  bearing: number | null
  /** Whether a request may reach this driver now. Others are kept, but no search finds them. */
  eligible: boolean
  car_type_id: string | null
}

export interface NearestQuery {
  /** At most this many drivers. */
  count: number
  /** Great-circle distance, the limit itself included. */
  radiusKm: number
  carTypeId?: string
  /** Drivers that must not be found, by id. */
  exclude?: ReadonlySet<string>
  /** Leaves out drivers last heard before this moment, on the scale of `heardAt`. */
  heardSince?: number
}

export interface NearbyDriver {
  id: string
  km: number
}

/**
 * The live index of drivers: where each one is now and who is near. It holds no truth: it is filled from the
 * database at start and may be lost. The index may be shared by several servers, so that questions are answered
 * asynchronously, and writes are sent off without an answer; a question sees the writes made before it.
 */
export interface DriverIndex {
  /** Adds a driver, or replaces what is known of one. Throws RangeError for coordinates that are none. */
  upsert(driver: IndexedDriver): void
  /** Forgets a driver. Does nothing when it is unknown. */
  remove(id: string): void
  /** Changes whether searches find a driver. Does nothing when it is unknown. */
  setEligible(id: string, eligible: boolean): void
  get(id: string): Promise<IndexedDriver | null>
  /** The nearest eligible drivers that match, nearest first; equal distances in the order of their ids. */
  nearest(point: LatLng, query: NearestQuery): Promise<NearbyDriver[]>
  /**
   * Eligible drivers inside a box, in no order; a part of them, spread evenly, when there are more than `limit`.
   * A box whose east is less than its west crosses the date line. Drivers last heard before `heardSince` are
   * left out.
   */
  sample(box: BoundingBox, limit: number, heardSince?: number): Promise<IndexedDriver[]>
  /** How many drivers are known, eligible or not. */
  size(): Promise<number>
}
