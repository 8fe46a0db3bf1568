/** The best slots found so far, nearest first. With only a few entries, an insertion sort beats a heap. */
export class NearestRanking {
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
