import type { BoundingBox } from '@hansom/domain/geo/bounding-box'
import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import { CellGrid } from './cell-grid.ts'
import { DriverTable } from './driver-table.ts'
import { NearestSearch } from './nearest-search.ts'
import type { DriverIndex, IndexedDriver, NearbyDriver, NearestQuery } from './port.ts'

/** The driver index in this process's memory: a table of drivers and a grid of the eligible ones. */
export function embeddedDriverIndex(): DriverIndex {
  const table = new DriverTable()
  const grid = new CellGrid()
  const search = new NearestSearch(table, grid)

  function upsert(driver: IndexedDriver): void {
    if (!(Math.abs(driver.lat) <= 90 && Math.abs(driver.lng) <= 180)) {
      throw new RangeError(`no position on the Earth: ${driver.lat}, ${driver.lng}`)
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

  async function sample(
    box: BoundingBox,
    limit: number,
    heardSince = Number.NEGATIVE_INFINITY,
  ): Promise<IndexedDriver[]> {
    const inside: number[] = []
    for (let slot = 0; slot < table.size; slot++) {
      if (!grid.has(slot) || table.heardAtOf(slot) < heardSince) continue
      if (isWithin(box, table.latOf(slot), table.lngOf(slot))) inside.push(slot)
    }
    const step = Math.max(1, inside.length / Math.max(1, limit))
    const chosen: IndexedDriver[] = []
    for (let place = 0; chosen.length < limit && place < inside.length; place += step) {
      chosen.push(table.read(inside[Math.floor(place)] as number, true))
    }
    return chosen
  }

  return { upsert, remove, setEligible, get, nearest, sample, size: async () => table.size }
}

/** Whether a position lies in a box that may reach over the date line. */
function isWithin(box: BoundingBox, lat: number, lng: number): boolean {
  if (lat < box.south || lat > box.north) return false
  const width = box.east < box.west ? box.east - box.west + 360 : box.east - box.west
  const fromWest = (((lng - box.west) % 360) + 360) % 360
  return fromWest <= width
}
