/**
 * The neighbours of every state in growing number columns: those of a state are from `start[state]`, `size[state]` of
 * them. A list that outgrows its place moves to the end of the columns.
 */
export class ArcLists {
  readonly start: Uint32Array
  readonly size: Uint32Array
  private readonly room: Uint32Array
  node: Uint32Array
  cost: Float64Array
  via: Int32Array
  private end = 0

  /** `owners` has one entry for each arc that will be put: the state in whose list it will be. */
  constructor(states: number, owners: Uint32Array) {
    this.start = new Uint32Array(states)
    this.size = new Uint32Array(states)
    this.room = new Uint32Array(states)
    for (const owner of owners) this.room[owner] = (this.room[owner] as number) + 1
    for (let state = 0; state < states; state++) {
      this.start[state] = this.end
      this.end += this.room[state] as number
    }
    const length = Math.ceil(this.end * 1.5) + 16
    this.node = new Uint32Array(length)
    this.cost = new Float64Array(length)
    this.via = new Int32Array(length)
  }

  /** Adds an arc, or improves the known one to that neighbour. False if the known one costs as little. */
  put(state: number, neighbour: number, cost: number, via: number): boolean {
    const first = this.start[state] as number
    const end = first + (this.size[state] as number)
    let at = first
    while (at < end && this.node[at] !== neighbour) at++
    if (at < end) {
      if ((this.cost[at] as number) <= cost) return false
    } else {
      if (this.size[state] === this.room[state]) at = this.move(state)
      this.size[state] = (this.size[state] as number) + 1
    }
    this.node[at] = neighbour
    this.cost[at] = cost
    this.via[at] = via
    return true
  }

  remove(state: number, neighbour: number): void {
    const first = this.start[state] as number
    const last = first + (this.size[state] as number) - 1
    let at = first
    while (at <= last && this.node[at] !== neighbour) at++
    if (at > last) return
    this.node[at] = this.node[last] as number
    this.cost[at] = this.cost[last] as number
    this.via[at] = this.via[last] as number
    this.size[state] = (this.size[state] as number) - 1
  }

  /** Moves a full list to the end, with twice the room; returns the place behind its last arc. */
  private move(state: number): number {
    const first = this.start[state] as number
    const size = this.size[state] as number
    const room = Math.max(4, size * 2)
    if (this.end + room > this.node.length) this.grow(this.end + room)
    this.node.copyWithin(this.end, first, first + size)
    this.cost.copyWithin(this.end, first, first + size)
    this.via.copyWithin(this.end, first, first + size)
    this.start[state] = this.end
    this.room[state] = room
    this.end += room
    return (this.start[state] as number) + size
  }

  private grow(least: number): void {
    const length = Math.max(least, Math.ceil(this.node.length * 1.5))
    const node = new Uint32Array(length)
    const cost = new Float64Array(length)
    const via = new Int32Array(length)
    node.set(this.node)
    cost.set(this.cost)
    via.set(this.via)
    this.node = node
    this.cost = cost
    this.via = via
  }
}
