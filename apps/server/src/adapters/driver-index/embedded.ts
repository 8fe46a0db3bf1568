import type { BoundingBox } from '@hansom/domain/geo/path'
import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import { CellGrid, columnOf, columns, rowOf } from './cell-grid.ts'
import { DriverTable } from './driver-table.ts'
import { NearestSearch } from './nearest-search.ts'
import type { DriverIndex, IndexedDriver, NearbyDriver, NearestQuery } from './port.ts'

/** Drivers a sample collects at most for each one it returns, and looks at for each that it collects. */
const gatheredPerChosen = 16
const seenPerGathered = 16
/** Scanning up to this many more cells than there are drivers is still cheap. */
const fewCells = 64
const columnsPerDegree = columns / 360

/** The driver index in this process's memory: a table of drivers and a grid of the eligible ones. */
export function embeddedDriverIndex(): DriverIndex {
  const table = new DriverTable()
  const grid = new CellGrid()
  const search = new NearestSearch(table, grid)

  function upsert(driver: IndexedDriver): void {
    if (!(Math.abs(driver.lat) <= 90 && Math.abs(driver.lng) <= 180)) {
      throw new RangeError(`invalid coordinates: ${driver.lat}, ${driver.lng}`)
    }
    const slot = table.write(driver)
    if (driver.eligible) grid.place(slot, driver.lat, driver.lng)
    else grid.remove(slot)
  }

  function remove(id: string): void {
    const slot = table.slotOf(id)
    if (slot < 0) return
    grid.remove(slot)
    const moved = table.remove(slot)
    if (moved < 0 || !grid.has(moved)) return
    grid.remove(moved)
    grid.place(slot, table.latOf(slot), table.lngOf(slot))
  }

  function setEligible(id: string, eligible: boolean): void {
    const slot = table.slotOf(id)
    if (slot < 0) return
    if (eligible) grid.place(slot, table.latOf(slot), table.lngOf(slot))
    else grid.remove(slot)
  }

  async function get(id: string): Promise<IndexedDriver | null> {
    const slot = table.slotOf(id)
    return slot < 0 ? null : table.read(slot, grid.has(slot))
  }

  async function nearest(point: LatLng, query: NearestQuery): Promise<NearbyDriver[]> {
    search.run(point, query)
    const drivers: NearbyDriver[] = []
    for (const slot of search.found.slots.subarray(0, search.found.length)) {
      const km = greatCircleKm(point, { lat: table.latOf(slot), lng: table.lngOf(slot) })
      if (km <= query.radiusKm) drivers.push({ id: table.ids[slot] as string, km })
    }
    return drivers.sort((a, b) => a.km - b.km || (a.id < b.id ? -1 : 1))
  }

  /**
   * Calls `visit` for the eligible drivers in the cells that overlap a box until it returns false. Consecutive cells
   * are far apart, so a partial scan still covers the box.
   */
  function eachAround({ south, north, west, east }: BoundingBox, visit: (slot: number) => boolean): void {
    const rows = rowOf(Math.min(90, north)) - rowOf(Math.max(-90, south)) + 1
    const width = ((((east - west) % 360) + 360) % 360) * columnsPerDegree
    const cells = rows * Math.min(columns, Math.ceil(width) + 1)
    if (west === east || east - west >= 360 || cells > table.size + fewCells) {
      for (let slot = 0; slot < table.size; slot++) if (grid.has(slot) && !visit(slot)) return
      return
    }
    const firstRow = rowOf(Math.max(-90, south))
    const firstColumn = columnOf(((((west + 180) % 360) + 360) % 360) - 180)
    const stride = coprimeStride(cells)
    for (let turn = 0, cell = 0; turn < cells; turn++, cell = (cell + stride) % cells) {
      const row = firstRow + (cell % rows)
      if (!grid.everyIn(row, (firstColumn + Math.floor(cell / rows)) % columns, visit)) return
    }
  }

  async function sample(
    box: BoundingBox,
    limit: number,
    heardSince = Number.NEGATIVE_INFINITY,
  ): Promise<IndexedDriver[]> {
    const inside: number[] = []
    const enough = limit * gatheredPerChosen
    // Where most have not been heard from, looking at all of them would take milliseconds.
    let seen = 0
    eachAround(box, (slot) => {
      if (++seen > enough * seenPerGathered) return false
      if (table.heardAtOf(slot) < heardSince || !isWithin(box, table.latOf(slot), table.lngOf(slot)))
        return true
      return inside.push(slot) < enough
    })
    const step = Math.max(1, inside.length / Math.max(1, limit))
    const chosen: IndexedDriver[] = []
    for (let place = 0; chosen.length < limit && place < inside.length; place += step) {
      chosen.push(table.read(inside[Math.floor(place)] as number, true))
    }
    return chosen
  }

  return { upsert, remove, setEligible, get, nearest, sample, size: async () => table.size }
}

/** A stride that visits each of `cells` cells exactly once, with large jumps. */
function coprimeStride(cells: number): number {
  const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))
  let stride = Math.max(1, Math.round(cells * 0.618))
  while (gcd(stride, cells) > 1) stride++
  return stride
}

/** Whether a position is in a box, which may cross the date line. */
function isWithin(box: BoundingBox, lat: number, lng: number): boolean {
  if (lat < box.south || lat > box.north) return false
  const width = box.east < box.west ? box.east - box.west + 360 : box.east - box.west
  const fromWest = (((lng - box.west) % 360) + 360) % 360
  return fromWest <= width
}
