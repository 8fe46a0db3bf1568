/** A binary min-heap of (key, item) pairs. Items may occur more than once; only the minimum can be removed. */
export class MinHeap {
  private keys: Float64Array
  private items: Int32Array
  size = 0

  constructor(capacity = 1024) {
    this.keys = new Float64Array(capacity)
    this.items = new Int32Array(capacity)
  }

  clear(): void {
    this.size = 0
  }

  /** Infinity when empty. */
  get leastKey(): number {
    return this.size === 0 ? Number.POSITIVE_INFINITY : (this.keys[0] as number)
  }

  push(key: number, item: number): void {
    if (this.size === this.keys.length) this.grow()
    const { keys, items } = this
    let at = this.size++
    while (at > 0) {
      const parent = (at - 1) >> 1
      if ((keys[parent] as number) <= key) break
      keys[at] = keys[parent] as number
      items[at] = items[parent] as number
      at = parent
    }
    keys[at] = key
    items[at] = item
  }

  /** Removes and returns the item with the least key. Call only if `size` is above zero. */
  pop(): number {
    const { keys, items } = this
    const least = items[0] as number
    const last = --this.size
    const key = keys[last] as number
    const item = items[last] as number
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= last) break
      if (child + 1 < last && (keys[child + 1] as number) < (keys[child] as number)) child++
      if ((keys[child] as number) >= key) break
      keys[at] = keys[child] as number
      items[at] = items[child] as number
      at = child
    }
    keys[at] = key
    items[at] = item
    return least
  }

  private grow(): void {
    const keys = new Float64Array(this.keys.length * 2)
    const items = new Int32Array(this.items.length * 2)
    keys.set(this.keys)
    items.set(this.items)
    this.keys = keys
    this.items = items
  }
}
