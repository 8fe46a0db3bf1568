import type { Position } from '@hansom/contract/tracking'

const most = 500

/**
 * Positions on their way to the server: kept in order while the line is down, the oldest thinned out when there
 * are too many (every second one goes, so the shape of the way stays).
 */
export class PositionQueue {
  private waiting: Position[] = []
  private busy = false
  private readonly send: (positions: Position[]) => Promise<unknown>

  constructor(send: (positions: Position[]) => Promise<unknown>) {
    this.send = send
  }

  get size(): number {
    return this.waiting.length
  }

  add(position: Position): void {
    const last = this.waiting.at(-1)
    if (last && last.at >= position.at) return
    this.waiting.push(position)
    if (this.waiting.length > most) this.waiting = this.waiting.filter((_, index) => index % 2 === 1)
  }

  /** Sends all that waits. What could not be sent stays; what the server refused for good is dropped. */
  async flush(isFinal: (error: unknown) => boolean): Promise<void> {
    if (this.busy || this.waiting.length === 0) return
    this.busy = true
    const batch = this.waiting
    this.waiting = []
    try {
      await this.send(batch)
    } catch (error) {
      if (!isFinal(error)) this.waiting = [...batch, ...this.waiting].slice(-most)
    } finally {
      this.busy = false
    }
  }
}
