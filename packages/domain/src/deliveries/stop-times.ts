import { maxDrops } from './delivery.ts'

/** When a recipient can take the parcel, epoch ms. A courier who arrives earlier waits. */
export interface TimeWindow {
  from: number
  to: number
}

/** What the order of the drops depends on. Drops are numbered from 1, in the sender's order. */
export interface DropTable {
  /** Driving seconds from (row) to (column): 0 is the pickup, then the drops. May be asymmetric. Null: no route. */
  drivingS: readonly (readonly (number | null)[])[]
  /** When the courier leaves the pickup, epoch ms. */
  departure: number
  /** Time spent at each drop, seconds. */
  serviceS: number
  /** One per drop; null: any time. */
  windows: readonly (TimeWindow | null)[]
}

/** The end of a missing window. It is finite, so that a drop that is never reached is late. */
const never = Number.MAX_VALUE

/** How good an order is: ms of lateness of all drops together, then ms until the last drop is done. */
export interface Score {
  late: number
  end: number
}

export function isBetter(a: Score, b: Score): boolean {
  return a.late < b.late || (a.late === b.late && a.end < b.end)
}

/** A drop table in ms from the departure. Stop 0 is the pickup. */
export class StopTimes {
  readonly drops: number
  private readonly stops: number
  private readonly driving: Float64Array
  private readonly opens: Float64Array
  private readonly closes: Float64Array
  /** ms at each drop. */
  readonly service: number

  /** Throws RangeError for an incomplete table, an invalid time or window, no drops, or more than `maxDrops`. */
  constructor({ drivingS, departure, serviceS, windows }: DropTable) {
    this.drops = windows.length
    this.stops = this.drops + 1
    if (this.drops < 1 || this.drops > maxDrops)
      throw new RangeError(`1 to ${maxDrops} drops, not ${this.drops}`)
    if (drivingS.length !== this.stops || drivingS.some((row) => row.length !== this.stops))
      throw new RangeError('driving times must have a row and a column for each stop')
    if (!(serviceS >= 0) || !Number.isFinite(departure)) throw new RangeError('invalid departure or service')
    this.service = Math.round(serviceS * 1000)
    this.driving = Float64Array.from(drivingS.flat(), (seconds) => {
      if (seconds === null) return Number.POSITIVE_INFINITY
      if (!(seconds >= 0)) throw new RangeError('driving times must be zero or more')
      return Math.round(seconds * 1000)
    })
    this.opens = new Float64Array(this.stops).fill(Number.NEGATIVE_INFINITY)
    this.closes = new Float64Array(this.stops).fill(never)
    for (const [at, window] of windows.entries()) {
      if (window === null) continue
      if (!(window.from <= window.to)) throw new RangeError('a window must not end before it starts')
      this.opens[at + 1] = window.from - departure
      this.closes[at + 1] = Math.min(never, window.to - departure)
    }
  }

  /** Driving time between two stops; Infinity without a route. */
  drive(from: number, to: number): number {
    return this.driving[from * this.stops + to] as number
  }

  /** Infinity when there is no route to the drop. */
  lateAt(stop: number, arrival: number): number {
    const closes = this.closes[stop] as number
    return arrival > closes ? arrival - closes : 0
  }

  /** When the courier leaves a drop: after waiting for the window and handing over the parcel. */
  leave(stop: number, arrival: number): number {
    return Math.max(arrival, this.opens[stop] as number) + this.service
  }

  /** When a drop's window ends. */
  deadline(stop: number): number {
    return this.closes[stop] as number
  }
}
