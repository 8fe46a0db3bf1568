import type { BookingView } from '@hansom/contract/bookings'
import { newIdempotencyKey } from '../../lib/api.ts'
import { isPassing } from '../../lib/api-error.ts'
import { storeBooking } from '../../lib/booking-cache.ts'
import { serverNow } from '../../lib/clock.ts'
import type { KeptFor } from './kept-for.ts'
import type { TakenStep, TappedStep } from './trip-commands.ts'

const firstRetryMs = 3000
const longestRetryMs = 30_000

type Listener = () => void

/**
 * Steps that a driver has tapped and the server has not answered: sent one after the other in the order of the
 * taps, also after a reload, whenever the line is back. A refused step takes the later ones of its trip with it.
 */
export class StepQueue {
  private steps: readonly TappedStep[]
  private sending = false
  private stopped = false
  private failures = 0
  private timer: ReturnType<typeof setTimeout> | undefined
  private readonly listeners = new Set<Listener>()
  private readonly kept: KeptFor<TappedStep>
  private readonly send: (step: TappedStep) => Promise<BookingView>
  private readonly refused: (error: unknown, step: TappedStep) => void

  constructor(
    refused: (error: unknown, step: TappedStep) => void,
    kept: KeptFor<TappedStep>,
    send: (step: TappedStep) => Promise<BookingView>,
  ) {
    this.refused = refused
    this.kept = kept
    this.send = send
    this.steps = kept.read()
  }

  /** The steps still to be answered; the same array until it changes. */
  readonly list = (): readonly TappedStep[] => this.steps

  readonly subscribe = (listener: Listener): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  add(step: TakenStep): Promise<void> {
    this.change([...this.steps, { ...step, at: serverNow(), key: newIdempotencyKey() }])
    return this.flush()
  }

  /** Sends what waits. Returns when all is answered or the line is down. */
  async flush(): Promise<void> {
    this.stopped = false
    if (this.sending) return
    this.sending = true
    clearTimeout(this.timer)
    try {
      for (let next = this.steps[0]; next && !this.stopped; next = this.steps[0]) {
        if (!(await this.answered(next))) return
      }
    } finally {
      this.sending = false
    }
  }

  /** Sends nothing more until the next flush. */
  stop(): void {
    this.stopped = true
    clearTimeout(this.timer)
  }

  private async answered(step: TappedStep): Promise<boolean> {
    try {
      storeBooking(await this.send(step))
      this.failures = 0
      this.change(this.steps.filter((other) => other !== step))
      return true
    } catch (error) {
      if (isPassing(error)) {
        if (!this.stopped) this.timer = setTimeout(() => void this.flush(), this.nextPause())
        return false
      }
      this.failures = 0
      this.change(this.steps.filter((other) => other.booking !== step.booking))
      this.refused(error, step)
      return true
    }
  }

  private nextPause(): number {
    return Math.min(longestRetryMs, firstRetryMs * 2 ** this.failures++)
  }

  private change(steps: readonly TappedStep[]): void {
    this.steps = steps
    this.kept.write(steps)
    for (const listener of this.listeners) listener()
  }
}
