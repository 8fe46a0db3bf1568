/** What `find` returns for a node that the extract does not contain. */
export const unknownNode = 0xffff_ffff

/** The positions of an extract's nodes in columns, found by id. */
export class NodeTable {
  private ids = new Float64Array(1 << 14)
  private x = new Uint32Array(1 << 14)
  private y = new Uint32Array(1 << 14)
  private count = 0
  private isSorted = true
  private last = 0

  add(id: number, x: number, y: number): void {
    if (this.count === this.ids.length) this.resize(this.count * 2)
    if (this.count > 0 && id <= (this.ids[this.count - 1] as number)) this.isSorted = false
    this.ids[this.count] = id
    this.x[this.count] = x
    this.y[this.count++] = y
  }

  /** Sorts the nodes if the extract did not, and returns their positions by index. Call once, before `find`. */
  finish(): { x: Uint32Array; y: Uint32Array } {
    this.resize(this.count)
    if (!this.isSorted) {
      const { ids, x, y } = this
      const order = Uint32Array.from(ids.keys()).sort(
        (a, b) => (ids[a] as number) - (ids[b] as number) || a - b,
      )
      this.ids = Float64Array.from(order, (at) => ids[at] as number)
      this.x = Uint32Array.from(order, (at) => x[at] as number)
      this.y = Uint32Array.from(order, (at) => y[at] as number)
    }
    return { x: this.x, y: this.y }
  }

  /** The index of a node, or `unknownNode`. Fast for ids near the one before: ways list neighbours. */
  find(id: number): number {
    const { ids, count } = this
    let low = 0
    let high = count
    // Searches outward from the last result first.
    let step = 1
    if (count > 0 && (ids[this.last] as number) <= id) {
      low = this.last
      while (low + step < count && (ids[low + step] as number) <= id) {
        low += step
        step *= 2
      }
      high = Math.min(count, low + step)
    } else if (count > 0) {
      high = this.last
      while (high - step >= 0 && (ids[high - step] as number) > id) {
        high -= step
        step *= 2
      }
      low = Math.max(0, high - step)
    }
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ids[middle] as number) < id) low = middle + 1
      else high = middle
    }
    if (low >= count || ids[low] !== id) return unknownNode
    this.last = low
    return low
  }

  private resize(size: number): void {
    const grow = <T extends Float64Array | Uint32Array>(column: T, larger: T): T => {
      larger.set(column.subarray(0, this.count))
      return larger
    }
    this.ids = grow(this.ids, new Float64Array(size))
    this.x = grow(this.x, new Uint32Array(size))
    this.y = grow(this.y, new Uint32Array(size))
  }
}
