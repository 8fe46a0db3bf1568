const cellsPerDegree = 4000 / 9
const rows = 80_000
const span = 512

/** Cells around the Earth along a parallel: 160,000 of 250 m at the equator, narrower towards the poles. */
export const columns = 160_000

export const rowOf = (lat: number) => Math.min(rows - 1, Math.floor((lat + 90) * cellsPerDegree))
/** 180 is the meridian of -180. Just below it, `lng + 180` rounds up to 360, which is still the last column. */
export const columnOf = (lng: number) =>
  lng === 180 ? 0 : Math.min(columns - 1, Math.floor((lng + 180) * cellsPerDegree))
/** Latitude of a row's southern edge, in degrees. */
export const rowEdge = (row: number) => row / cellsPerDegree - 90
/** Longitude of a column's western edge, in degrees. */
export const columnEdge = (column: number) => column / cellsPerDegree - 180

/** Offsets of the fields in a slot's link record. */
export const link = { row: 0, column: 1, next: 2, previous: 3 } as const
export const linkLength = 4

const bucketOf = (row: number, column: number) => (row & (span - 1)) * span + (column & (span - 1))

/**
 * Slots by cells of about 250 m. The cells of the whole Earth map onto a table of 512 x 512 buckets that repeats like
 * tiles: cells of one city (128 km) never share a bucket, and neighbors are close in memory. Cells of distant cities
 * may share a bucket, so every slot stores its row and column. A bucket is a doubly linked list through the slots:
 * adding, removing and moving take constant time.
 *
 * `links` is public because a search follows it in its inner loop; only this class writes it.
 */
export class CellGrid {
  links = new Int32Array(1024 * linkLength).fill(-1)
  private readonly heads = new Int32Array(span * span).fill(-1)
  private placed = 0

  /** Number of slots in the grid. */
  get count(): number {
    return this.placed
  }

  has(slot: number): boolean {
    const at = slot * linkLength + link.row
    return at < this.links.length && (this.links[at] as number) >= 0
  }

  /** The first slot in a cell's bucket, or -1. The bucket may contain slots of other cells. */
  firstAt(row: number, column: number): number {
    return this.heads[bucketOf(row, column)] as number
  }

  /** Calls `visit` for the slots of a cell until it returns false; returns false in that case. */
  everyIn(row: number, column: number, visit: (slot: number) => boolean): boolean {
    const { links } = this
    for (
      let slot = this.firstAt(row, column);
      slot >= 0;
      slot = links[slot * linkLength + link.next] as number
    ) {
      const start = slot * linkLength
      if (links[start + link.row] === row && links[start + link.column] === column && !visit(slot))
        return false
    }
    return true
  }

  /** Puts a slot into the cell of a position, moving it from its previous cell. */
  place(slot: number, lat: number, lng: number): void {
    const row = rowOf(lat)
    const column = columnOf(lng)
    const start = slot * linkLength
    if (this.has(slot)) {
      if (this.links[start + link.row] === row && this.links[start + link.column] === column) return
      this.remove(slot)
    }
    if (start >= this.links.length) this.grow(slot)
    const bucket = bucketOf(row, column)
    const head = this.heads[bucket] as number
    const { links } = this
    links[start + link.row] = row
    links[start + link.column] = column
    links[start + link.next] = head
    links[start + link.previous] = -1
    if (head >= 0) links[head * linkLength + link.previous] = slot
    this.heads[bucket] = slot
    this.placed++
  }

  /** Removes a slot from the grid. Does nothing if the slot is not in it. */
  remove(slot: number): void {
    if (!this.has(slot)) return
    const { links } = this
    const start = slot * linkLength
    const next = links[start + link.next] as number
    const previous = links[start + link.previous] as number
    if (next >= 0) links[next * linkLength + link.previous] = previous
    if (previous >= 0) links[previous * linkLength + link.next] = next
    else this.heads[bucketOf(links[start + link.row] as number, links[start + link.column] as number)] = next
    links[start + link.row] = -1
    this.placed--
  }

  private grow(slot: number): void {
    const grown = new Int32Array(Math.max((slot + 1) * linkLength, this.links.length * 2)).fill(-1)
    grown.set(this.links)
    this.links = grown
  }
}
