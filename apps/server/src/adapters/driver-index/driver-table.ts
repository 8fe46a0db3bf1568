import type { IndexedDriver } from './port.ts'

const radians = Math.PI / 180
const unknownCarType = -2
const noCarType = -1

/** Offsets of the fields in a driver's record. */
export const field = { x: 0, y: 1, z: 2, heardAt: 3, carType: 4, lat: 5, lng: 6, bearing: 7 } as const
/** Numbers per record: eight of eight bytes each, one CPU cache line. */
export const recordLength = 8

/**
 * Drivers in one typed array, one record each. Slots are dense: the last one moves into the slot of a removed driver.
 * Each record also stores the point on the unit sphere (x, y, z), because the squared chord between two such points
 * grows with their great-circle distance and needs no trigonometry to compare.
 *
 * `records` and `ids` are public because a search reads them in its inner loop; only this class writes them.
 */
export class DriverTable {
  records = new Float64Array(1024 * recordLength)
  readonly ids: string[] = []
  /** When each position was taken, epoch ms. Stored outside the records because no search reads it. */
  private readonly times: number[] = []
  private readonly slots = new Map<string, number>()
  private readonly carTypes: string[] = []
  private readonly carTypeNumbers = new Map<string, number>()

  get size(): number {
    return this.ids.length
  }

  /** The slot of a driver, or -1. */
  slotOf(id: string): number {
    return this.slots.get(id) ?? -1
  }

  /** The number of a car type in `field.carType`; for an unknown car type, a number that no record has. */
  carTypeNumber(carTypeId: string): number {
    return this.carTypeNumbers.get(carTypeId) ?? unknownCarType
  }

  latOf(slot: number): number {
    return this.records[slot * recordLength + field.lat] as number
  }

  lngOf(slot: number): number {
    return this.records[slot * recordLength + field.lng] as number
  }

  /** When the driver was last seen. */
  heardAtOf(slot: number): number {
    return this.records[slot * recordLength + field.heardAt] as number
  }

  /** Writes a driver's record, appending it if the driver is new, and returns its slot. */
  write(driver: IndexedDriver): number {
    const known = this.slots.get(driver.id)
    const slot = known ?? this.append(driver.id)
    const { records } = this
    const start = slot * recordLength
    const cosLat = Math.cos(driver.lat * radians)
    records[start + field.x] = cosLat * Math.cos(driver.lng * radians)
    records[start + field.y] = cosLat * Math.sin(driver.lng * radians)
    records[start + field.z] = Math.sin(driver.lat * radians)
    records[start + field.heardAt] = driver.heardAt
    this.times[slot] = driver.at
    records[start + field.lat] = driver.lat
    records[start + field.lng] = driver.lng
    records[start + field.bearing] = driver.bearing ?? Number.NaN
    if (this.carTypeAt(start) !== driver.car_type_id) {
      records[start + field.carType] = this.numberFor(driver.car_type_id)
    }
    return slot
  }

  read(slot: number, eligible: boolean): IndexedDriver {
    const start = slot * recordLength
    const bearing = this.records[start + field.bearing] as number
    return {
      id: this.ids[slot] as string,
      lat: this.latOf(slot),
      lng: this.lngOf(slot),
      at: this.times[slot] as number,
      heardAt: this.heardAtOf(slot),
      bearing: Number.isNaN(bearing) ? null : bearing,
      eligible,
      car_type_id: this.carTypeAt(start),
    }
  }

  /** Removes a slot. Returns the slot whose driver moved into it, or -1 if it was the last one. */
  remove(slot: number): number {
    const last = this.ids.length - 1
    this.slots.delete(this.ids[slot] as string)
    const moved = this.ids.pop() as string
    const time = this.times.pop() as number
    if (slot === last) return -1
    this.ids[slot] = moved
    this.times[slot] = time
    this.slots.set(moved, slot)
    this.records.copyWithin(slot * recordLength, last * recordLength, (last + 1) * recordLength)
    return last
  }

  private append(id: string): number {
    const slot = this.ids.length
    const start = slot * recordLength
    if (start === this.records.length) {
      const grown = new Float64Array(this.records.length * 2)
      grown.set(this.records)
      this.records = grown
    }
    this.records[start + field.carType] = noCarType
    this.ids.push(id)
    this.slots.set(id, slot)
    return slot
  }

  private carTypeAt(start: number): string | null {
    const number = this.records[start + field.carType] as number
    return number < 0 ? null : (this.carTypes[number] as string)
  }

  private numberFor(carTypeId: string | null): number {
    if (carTypeId === null) return noCarType
    const known = this.carTypeNumbers.get(carTypeId)
    if (known !== undefined) return known
    this.carTypes.push(carTypeId)
    this.carTypeNumbers.set(carTypeId, this.carTypes.length - 1)
    return this.carTypes.length - 1
  }
}
