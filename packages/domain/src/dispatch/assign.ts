import { MinHeap } from '../min-heap.ts'

/** Costs of pairs of rows and columns, by row: those of row r are at `start[r]` up to `start[r + 1]`. */
export interface SparseCosts {
  start: Uint32Array
  column: Uint32Array
  cost: Float64Array
  columns: number
}

const nowhere = -1

/**
 * Assigns each row to at most one column and each column to at most one row, so that the costs of the pairs and of the
 * rows left out (`unmatched`) have the least sum. Returns the column of each row, or -1. Shortest augmenting paths with
 * potentials (Jonker and Volgenant, 1987) over the given pairs only: rows × pairs at worst, close to linear in practice.
 */
export function assign({ start, column, cost, columns }: SparseCosts, unmatched: Float64Array): Int32Array {
  const rows = start.length - 1
  const columnOf = new Int32Array(rows).fill(nowhere)
  const rowOf = new Int32Array(columns).fill(nowhere)
  /** What a column's users give up for it; never above 0. */
  const price = new Float64Array(columns)
  const distance = new Float64Array(columns)
  const cameFrom = new Int32Array(columns)
  const round = new Int32Array(columns).fill(nowhere)
  const settled = new Int32Array(columns).fill(nowhere)
  const queue = new MinHeap()

  for (let first = 0; first < rows; first++) {
    queue.clear()
    const ready: number[] = []
    /** The cheapest end of a path that leaves a row out. */
    let [leastOut, rowOut] = [Number.POSITIVE_INFINITY, nowhere]
    let end = nowhere
    let least = 0
    let row = first
    // The length of the path to `row`, less the cost of its own column.
    let offset = 0
    for (;;) {
      const out = offset + (unmatched[row] as number)
      if (out < leastOut) [leastOut, rowOut] = [out, row]
      for (let pair = start[row] as number; pair < (start[row + 1] as number); pair++) {
        const to = column[pair] as number
        if (settled[to] === first) continue
        const length = offset + (cost[pair] as number) - (price[to] as number)
        if (round[to] === first && length >= (distance[to] as number)) continue
        round[to] = first
        distance[to] = length
        cameFrom[to] = row
        queue.push(length, to)
      }
      let next = nowhere
      while (next === nowhere && queue.size > 0) {
        const length = queue.leastKey
        const to = queue.pop()
        if (settled[to] !== first && length <= (distance[to] as number)) next = to
      }
      least = next === nowhere ? leastOut : (distance[next] as number)
      if (next === nowhere || least >= leastOut) {
        least = leastOut
        break
      }
      if (rowOf[next] === nowhere) {
        end = next
        break
      }
      settled[next] = first
      ready.push(next)
      row = rowOf[next] as number
      offset = least - reducedCost(row, next)
    }
    for (const done of ready) price[done] = (price[done] as number) + (distance[done] as number) - least
    // Turns the path around: each row takes the column that it came to, back to the first.
    let taken = end
    if (taken === nowhere) {
      taken = columnOf[rowOut] as number
      columnOf[rowOut] = nowhere
      if (rowOut === first) continue
    }
    for (;;) {
      const by = cameFrom[taken] as number
      const before = columnOf[by] as number
      columnOf[by] = taken
      rowOf[taken] = by
      if (by === first) break
      taken = before
    }
  }
  return columnOf

  function reducedCost(row: number, to: number): number {
    for (let pair = start[row] as number; pair < (start[row + 1] as number); pair++)
      if (column[pair] === to) return (cost[pair] as number) - (price[to] as number)
    return Number.POSITIVE_INFINITY
  }
}
