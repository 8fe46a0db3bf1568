import type { DropPlan } from './order-stops.ts'
import type { DropTable, Score } from './stop-times.ts'

const endless: Score = { late: Number.POSITIVE_INFINITY, end: Number.POSITIVE_INFINITY }

/**
 * The score of the best order that is better than `limit`, or null: dynamic programming over all subsets of the drops, in
 * typed arrays. It shares no code with `orderStops`. 20 drops need a limit, to leave out partial orders that cannot get
 * below it. Scores are in ms, from the departure.
 */
export function bestScore(table: DropTable, limit: Score = endless): Score | null {
  const { drivingS, departure, serviceS, windows } = table
  const count = windows.length
  const drive = drivingS.map((row) => row.map((seconds) => Math.round((seconds ?? Number.NaN) * 1000)))
  const opens = windows.map((window) => (window ? window.from - departure : 0))
  const closes = windows.map((window) => (window ? window.to - departure : Number.POSITIVE_INFINITY))
  const service = serviceS * 1000
  /** Driving time from the nearest stop: a lower bound for any order. */
  const nearest = windows.map((_, to) =>
    Math.min(
      ...drive
        .map((row, from) => (from === to + 1 ? Number.POSITIVE_INFINITY : row[to + 1]) as number)
        .filter((ms) => !Number.isNaN(ms)),
    ),
  )
  const full = 2 ** count - 1
  const pool = new Pool()
  /** First partial order in the pool, by visited drops and last one. 0: none. */
  const heads = new Int32Array(2 ** count * count)

  const visit = (visited: number, end: number, late: number, from: number, to: number) => {
    const arrival = end + (drive[from]?.[to + 1] as number)
    if (Number.isNaN(arrival)) return
    const newLate = late + Math.max(0, arrival - (closes[to] as number))
    const newEnd = Math.max(arrival, opens[to] as number) + service
    const set = visited | (1 << to)
    let forced = newLate
    let soonest = newEnd
    for (let drop = 0; drop < count; drop++)
      if (!(set & (1 << drop))) {
        forced += Math.max(0, newEnd + (nearest[drop] as number) - (closes[drop] as number))
        soonest += (nearest[drop] as number) + service
      }
    if (forced > limit.late || (forced === limit.late && soonest >= limit.end)) return
    const at = set * count + to
    heads[at] = pool.add(heads[at] as number, newEnd, newLate)
  }

  for (let drop = 0; drop < count; drop++) visit(0, 0, 0, 0, drop)
  for (let visited = 1; visited < full; visited++)
    for (let last = 0; last < count; last++)
      for (let item = heads[visited * count + last] as number; item > 0; item = pool.next[item] as number)
        for (let drop = 0; drop < count; drop++)
          if (!(visited & (1 << drop)))
            visit(visited, pool.end[item] as number, pool.late[item] as number, last + 1, drop)

  let best: Score | null = null
  for (let last = 0; last < count; last++)
    for (let item = heads[full * count + last] as number; item > 0; item = pool.next[item] as number) {
      const score = { late: pool.late[item] as number, end: pool.end[item] as number }
      if (best === null || score.late < best.late || (score.late === best.late && score.end < best.end))
        best = score
    }
  return best
}

/** Lists of partial orders. In each list, none is at least as good as another in both end and lateness. */
class Pool {
  end = new Float64Array(1 << 16)
  late = new Float64Array(1 << 16)
  next = new Int32Array(1 << 16)
  private used = 1

  /** Adds to the list that starts at `head`; returns where it starts then. */
  add(head: number, end: number, late: number): number {
    let first = head
    let before = 0
    for (let item = head; item > 0; item = this.next[item] as number) {
      if ((this.end[item] as number) <= end && (this.late[item] as number) <= late) return first
      if ((this.end[item] as number) < end || (this.late[item] as number) < late) before = item
      else if (before > 0) this.next[before] = this.next[item] as number
      else first = this.next[item] as number
    }
    if (this.used === this.end.length) this.grow()
    const added = this.used++
    this.end[added] = end
    this.late[added] = late
    this.next[added] = first
    return added
  }

  private grow(): void {
    const { end, late, next } = this
    this.end = new Float64Array(end.length * 2)
    this.late = new Float64Array(end.length * 2)
    this.next = new Int32Array(end.length * 2)
    this.end.set(end)
    this.late.set(late)
    this.next.set(next)
  }
}

/** The score of a plan, in ms from the departure. */
export function scoreOf(plan: DropPlan, { departure }: DropTable): Score {
  return { late: Math.round(plan.lateS * 1000), end: plan.end - departure }
}

/**
 * How much worse a score is than the best, in percent: of the lateness if that differs, otherwise of the time until the
 * last drop is done. Infinity when there is lateness that can be avoided completely.
 */
export function excess(score: Score, best: Score): number {
  return score.late === best.late ? (score.end / best.end - 1) * 100 : (score.late / best.late - 1) * 100
}
