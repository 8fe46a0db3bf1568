import type { MapCallKind, MapService } from '@hansom/domain/geo/map-services'

export interface CallCount {
  /** YYYY-MM-DD. */
  day: string
  service: MapService
  kind: MapCallKind
  calls: number
  failures: number
  /** Micro US dollars. */
  cost: number
}

/** Most calls and micro US dollars of a day; null: no cap. */
export interface DayCap {
  calls: number | null
  cost: number | null
}

/**
 * The calls of the current day against its cap: those in the database, by every server, those being written to it, and
 * those that wait. Calls of an earlier day wait to be written, but no longer count.
 */
export class DayTally {
  private stored: readonly CallCount[] = []
  private writing: readonly CallCount[] = []
  private waiting: CallCount[] = []

  constructor(private readonly cap: DayCap) {}

  /** Counts a call that costs `cost`; false, without counting, if it would exceed the day's cap. */
  take(day: string, service: MapService, kind: MapCallKind, cost: number): boolean {
    const total = this.total(day)
    if (this.cap.calls !== null && total.calls + 1 > this.cap.calls) return false
    if (this.cap.cost !== null && total.cost + cost > this.cap.cost) return false
    add(this.waiting, { day, service, kind, calls: 1, failures: 0, cost })
    return true
  }

  failed(day: string, service: MapService, kind: MapCallKind): void {
    add(this.waiting, { day, service, kind, calls: 0, failures: 1, cost: 0 })
  }

  /** The day's counts by service and kind. */
  counts(day: string): CallCount[] {
    const sums: CallCount[] = []
    for (const count of [...this.stored, ...this.writing, ...this.waiting])
      if (count.day === day) add(sums, count)
    return sums
  }

  total(day: string): { calls: number; cost: number } {
    const counts = this.counts(day)
    return {
      calls: counts.reduce((sum, { calls }) => sum + calls, 0),
      cost: counts.reduce((sum, { cost }) => sum + cost, 0),
    }
  }

  /** The counts to write. Call `written` or `notWritten` before the next time. */
  write(): readonly CallCount[] {
    this.writing = this.waiting
    this.waiting = []
    return this.writing
  }

  /** `stored` is what the database now has for the current day. */
  written(stored: readonly CallCount[]): void {
    this.stored = stored
    this.writing = []
  }

  notWritten(): void {
    for (const count of this.writing) add(this.waiting, count)
    this.writing = []
  }
}

function add(counts: CallCount[], { calls, failures, cost, ...names }: CallCount): void {
  const { day, service, kind } = names
  let known = counts.find((one) => one.day === day && one.service === service && one.kind === kind)
  if (known === undefined) {
    known = { ...names, calls: 0, failures: 0, cost: 0 }
    counts.push(known)
  }
  known.calls += calls
  known.failures += failures
  known.cost += cost
}
