const cellsPerDegree = 4000 / 9
const rows = 80_000
const span = 512

/** Cells around the Earth along a parallel: 160,000 of 250 m at the equator, narrower towards the poles. */
export const columns = 160_000

export const rowOf = (lat: number) => Math.min(rows - 1, Math.floor((lat + 90) * cellsPerDegree))
export const columnOf = (lng: number) => Math.floor((lng + 180) * cellsPerDegree) % columns
/** Latitude of a row's southern edge, in degrees. */
export const rowEdge = (row: number) => row / cellsPerDegree - 90
/** Longitude of a column's western edge, in degrees. */
export const columnEdge = (column: number) => column / cellsPerDegree - 180

/** Where a field of a slot lies in its link. */
export const link = { row: 0, column: 1, next: 2, previous: 3 } as const
export const linkLength = 4

const bucketOf = (row: number, column: number) => (row & (span - 1)) * span + (column & (span - 1))

/**
 * Slots by cells of about 250 m. The cells of the whole Earth share a table of 512 x 512 buckets, laid over it
 * like tiles: cells of one city (128 km) never meet in a bucket and neighbours lie side by side in memory; those
 * of distant cities may, so that every slot remembers its own row and column. A bucket is a doubly linked list
 * through the slots: entering, leaving and moving cost the same however full it is.
 *
 * `links` is public because a search follows it in its inner loop; only this class writes it.
 */
export class CellGrid {
  links = new Int32Array(1024 * linkLength).fill(-1)
  private readonly heads = new Int32Array(span * span).fill(-1)
  private placed = 0

  /** How many slots are in the grid. */
  get count(): number {
    return this.placed
  }

  has(slot: number): boolean {
    const at = slot * linkLength + link.row
    return at < this.links.length && (this.links[at] as number) >= 0
  }

  /** The first slot in the bucket of a cell, or -1; the bucket may hold slots of other cells. */
  firstAt(row: number, column: number): number {
    return this.heads[bucketOf(row, column)] as number
  }

  /** Shows the slots of a cell until `visit` says no; false when it did. */
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

  /** Puts a slot into the cell of a position, wherever it was before. */
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

  /** Takes a slot out of the grid. Does nothing when it is not in it. */
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
