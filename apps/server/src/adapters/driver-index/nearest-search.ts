import type { LatLng } from '@hansom/domain/geo/point'
import {
  type CellGrid,
  columnEdge,
  columnOf,
  columns,
  link,
  linkLength,
  rowEdge,
  rowOf,
} from './cell-grid.ts'
import { type DriverTable, field, recordLength } from './driver-table.ts'
import type { NearestQuery } from './port.ts'

/** The best slots found so far, nearest first. With only a few entries, an insertion sort beats a heap. */
class NearestRanking {
  slots = new Int32Array(64)
  /** Number of filled entries in `slots`. */
  length = 0
  /** Slots farther than this are ignored. */
  limit = 0
  private distances = new Float64Array(64)
  private count = 0
  private ids: readonly string[] = []

  /** Starts a new ranking of at most `count` slots no farther than `reach`. Ties are ordered by `ids`. */
  begin(count: number, reach: number, ids: readonly string[]): void {
    if (count > this.slots.length) {
      this.slots = new Int32Array(count)
      this.distances = new Float64Array(count)
    }
    this.count = count
    this.limit = reach
    this.ids = ids
    this.length = 0
  }

  /** Inserts a slot whose distance does not exceed `limit`. */
  enter(slot: number, distance: number): void {
    const { slots, distances, count } = this
    let place = this.length
    if (place === count) {
      if (!this.isBefore(slot, distance, count - 1)) return
      place--
    } else {
      this.length++
    }
    while (place > 0 && this.isBefore(slot, distance, place - 1)) {
      slots[place] = slots[place - 1] as number
      distances[place] = distances[place - 1] as number
      place--
    }
    slots[place] = slot
    distances[place] = distance
    if (this.length === count) this.limit = distances[count - 1] as number
  }

  private isBefore(slot: number, distance: number, place: number): boolean {
    const other = this.distances[place] as number
    if (distance !== other) return distance < other
    return (this.ids[slot] as string) < (this.ids[this.slots[place] as number] as string)
  }
}

const radians = Math.PI / 180
const earthRadiusKm = 6371.0088
const lastRow = rowOf(90)
const anyCarType = -3
/** Tolerance for rounding errors in cell edges and chords; less than a micrometer. */
const slack = 1 - 1e-9
/** The same for a radius of 0, a squared chord. */
const least = 1e-30

/**
 * Finds the slots nearest to a point that match a query. The result is exact: the search grows a rectangle of cells
 * around the point, one strip at a time, on the side whose outside is nearest, until nothing outside can be nearer than
 * the slots found. If there are fewer drivers than cells to scan, it scans every driver instead. Internal distances are
 * squared chords of the unit sphere.
 *
 * One object serves all searches of an index, one at a time: a search allocates nothing.
 */
export class NearestSearch {
  /** The result of the last search, nearest first. */
  readonly found = new NearestRanking()
  private readonly table: DriverTable
  private readonly grid: CellGrid
  private lat = 0
  private lng = 0
  private x = 0
  private y = 0
  private z = 0
  private cosLat = 0
  private carType: number = anyCarType
  private heardSince = 0
  private exclude: ReadonlySet<string> | undefined

  constructor(table: DriverTable, grid: CellGrid) {
    this.table = table
    this.grid = grid
  }

  run(from: LatLng, query: NearestQuery): void {
    const reach = chordOfAngle(query.radiusKm / earthRadiusKm) / slack + least
    this.found.begin(query.count, reach, this.table.ids)
    if (query.count < 1 || query.radiusKm < 0) return
    this.lat = from.lat
    this.lng = from.lng === 180 ? -180 : from.lng
    this.cosLat = Math.cos(from.lat * radians)
    this.x = this.cosLat * Math.cos(from.lng * radians)
    this.y = this.cosLat * Math.sin(from.lng * radians)
    this.z = Math.sin(from.lat * radians)
    this.carType = query.carTypeId === undefined ? anyCarType : this.table.carTypeNumber(query.carTypeId)
    this.heardSince = query.heardSince ?? Number.NEGATIVE_INFINITY
    this.exclude = query.exclude
    if (this.growUntilCertain()) return
    this.found.begin(query.count, reach, this.table.ids)
    for (let slot = 0; slot < this.table.size; slot++) if (this.grid.has(slot)) this.weigh(slot)
  }

  /** Returns false if it gave up because scanning every driver is cheaper. */
  private growUntilCertain(): boolean {
    let south = rowOf(this.lat)
    let north = south
    let west = columnOf(this.lng)
    let east = west
    let cellsLeft = this.grid.count + 64
    this.readCell(south, west)
    let toSouth = this.southOf(south)
    let toNorth = this.northOf(north)
    let toWest = this.chordToMeridian(this.lng - columnEdge(west))
    let toEast = this.chordToMeridian(columnEdge(east + 1) - this.lng)
    for (;;) {
      const goesRound = east - west + 1 >= columns
      const nearestRow = Math.min(toSouth, toNorth)
      const nearestColumn = goesRound ? Infinity : Math.min(toWest, toEast)
      const nearest = Math.min(nearestRow, nearestColumn)
      if (nearest === Infinity || nearest * slack > this.found.limit) return true
      cellsLeft -= nearest === nearestRow ? east - west + 1 : north - south + 1
      if (cellsLeft < 0) return false
      if (nearest === toSouth) {
        south--
        for (let column = west; column <= east; column++) this.readCell(south, column)
        toSouth = this.southOf(south)
      } else if (nearest === toNorth) {
        north++
        for (let column = west; column <= east; column++) this.readCell(north, column)
        toNorth = this.northOf(north)
      } else if (nearest === toWest) {
        west--
        for (let row = south; row <= north; row++) this.readCell(row, west)
        toWest = this.chordToMeridian(this.lng - columnEdge(west))
      } else {
        east++
        for (let row = south; row <= north; row++) this.readCell(row, east)
        toEast = this.chordToMeridian(columnEdge(east + 1) - this.lng)
      }
    }
  }

  private readCell(row: number, column: number): void {
    const { links } = this.grid
    const wrapped = column >= 0 && column < columns ? column : (column + columns) % columns
    let slot = this.grid.firstAt(row, wrapped)
    while (slot >= 0) {
      const start = slot * linkLength
      if (links[start + link.row] === row && links[start + link.column] === wrapped) this.weigh(slot)
      slot = links[start + link.next] as number
    }
  }

  private weigh(slot: number): void {
    const { records, ids } = this.table
    const start = slot * recordLength
    const dx = (records[start + field.x] as number) - this.x
    const dy = (records[start + field.y] as number) - this.y
    const dz = (records[start + field.z] as number) - this.z
    const distance = dx * dx + dy * dy + dz * dz
    if (distance > this.found.limit) return
    if (this.carType !== anyCarType && records[start + field.carType] !== this.carType) return
    if ((records[start + field.heardAt] as number) < this.heardSince) return
    if (this.exclude?.has(ids[slot] as string)) return
    this.found.enter(slot, distance)
  }

  private southOf(row: number): number {
    return row === 0 ? Infinity : chordOfAngle((this.lat - rowEdge(row)) * radians)
  }

  private northOf(row: number): number {
    return row === lastRow ? Infinity : chordOfAngle((rowEdge(row + 1) - this.lat) * radians)
  }

  /**
   * Squared chord to the meridian `degrees` away. Up to 90 degrees, the sine of the angle to its great circle is
   * cos(latitude) sin(degrees); beyond that, the nearer pole is its nearest point.
   */
  private chordToMeridian(degrees: number): number {
    if (degrees >= 90) return chordOfAngle((90 - Math.abs(this.lat)) * radians)
    const sine = this.cosLat * Math.sin(degrees * radians)
    return (2 * sine * sine) / (1 + Math.sqrt(1 - sine * sine))
  }
}

/** The squared chord for an angle in radians: 4 sin²(angle / 2). */
function chordOfAngle(angle: number): number {
  if (angle >= Math.PI) return 4
  return 4 * Math.sin(angle / 2) ** 2
}
