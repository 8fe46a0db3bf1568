import { isTemporary } from '@hansom/client/api-error'
import type { Position } from '@hansom/contract/tracking'

const most = 2000
const batchSize = 500

/**
 * Unsent positions, in order. If there are too many, every second one is dropped, which keeps the shape of the route.
 */
export class PositionQueue {
  private waiting: readonly Position[] = []
  private tail: Promise<void> = Promise.resolve()
  private turns = 0
  private readonly send: (positions: Position[]) => Promise<unknown>

  constructor(send: (positions: Position[]) => Promise<unknown>) {
    this.send = send
  }

  get list(): readonly Position[] {
    return this.waiting
  }

  get busy(): boolean {
    return this.turns > 0
  }

  add(position: Position): void {
    const last = this.waiting.at(-1)
    if (last && last.at >= position.at) this.merge([position])
    else this.waiting = thinned([...this.waiting, position])
  }

  /** Takes over what another page has measured, in order of time. */
  merge(others: readonly Position[]): void {
    if (others.length === 0) return
    const known = new Set(this.waiting.map(({ at }) => at))
    const added = others.filter(({ at }) => !known.has(at))
    this.waiting = thinned([...this.waiting, ...added].toSorted((one, other) => one.at - other.at))
  }

  /**
   * Sends positions up to the time `until`, one call at a time. Drops permanently refused ones; throws temporary errors
   * and keeps unsent positions.
   */
  flush(until = Number.POSITIVE_INFINITY): Promise<void> {
    this.turns++
    const turn = this.tail.then(() => this.sendUntil(until)).finally(() => this.turns--)
    this.tail = turn.catch(() => undefined)
    return turn
  }

  private async sendUntil(until: number): Promise<void> {
    for (;;) {
      const batch = this.waiting.filter(({ at }) => at <= until).slice(0, batchSize)
      if (batch.length === 0) return
      try {
        await this.send(batch)
      } catch (error) {
        if (isTemporary(error)) throw error
      }
      const done = new Set(batch)
      this.waiting = this.waiting.filter((position) => !done.has(position))
    }
  }
}

/** Without every second position if there are too many; the newest always stays. */
function thinned(list: readonly Position[]): readonly Position[] {
  if (list.length <= most) return list
  return thinned(list.filter((_, index) => (list.length - 1 - index) % 2 === 0))
}
