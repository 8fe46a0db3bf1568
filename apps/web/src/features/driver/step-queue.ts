import { ApiError } from '../../lib/api-error.ts'
import { storeBooking } from '../../lib/booking-cache.ts'
import { sendStep } from './send-step.ts'
import type { TappedStep } from './trip-commands.ts'

const storageKey = 'hansom-driver-steps'
const retryMs = 3000

type Listener = () => void

/**
 * Steps that a driver has tapped and the server has not answered: sent one after the other in the order of the
 * taps, also after a reload, whenever the line is back. A refused step takes the later ones of its trip with it.
 */
export class StepQueue {
  private steps: readonly TappedStep[]
  private sending = false
  private timer: ReturnType<typeof setTimeout> | undefined
  private readonly listeners = new Set<Listener>()
  private readonly storage: Pick<Storage, 'getItem' | 'setItem'>
  private readonly send: typeof sendStep
  private readonly refused: (error: unknown, step: TappedStep) => void

  constructor(
    refused: (error: unknown, step: TappedStep) => void,
    storage: Pick<Storage, 'getItem' | 'setItem'> = localStorage,
    send: typeof sendStep = sendStep,
  ) {
    this.refused = refused
    this.storage = storage
    this.send = send
    this.steps = readSteps(storage.getItem(storageKey))
  }

  /** The steps still to be answered; the same array until it changes. */
  readonly list = (): readonly TappedStep[] => this.steps

  readonly subscribe = (listener: Listener): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  add(step: TappedStep): Promise<void> {
    this.change([...this.steps, step])
    return this.flush()
  }

  /** Sends what waits. Returns when all is answered or the line is down. */
  async flush(): Promise<void> {
    if (this.sending) return
    this.sending = true
    clearTimeout(this.timer)
    try {
      for (let next = this.steps[0]; next; next = this.steps[0]) {
        if (!(await this.answered(next))) return
      }
    } finally {
      this.sending = false
    }
  }

  stop(): void {
    clearTimeout(this.timer)
  }

  private async answered(step: TappedStep): Promise<boolean> {
    try {
      storeBooking(await this.send(step))
      this.change(this.steps.filter((other) => other !== step))
      return true
    } catch (error) {
      if (error instanceof ApiError && (error.status === 0 || error.status >= 502)) {
        this.timer = setTimeout(() => void this.flush(), retryMs)
        return false
      }
      this.change(this.steps.filter((other) => other.booking !== step.booking))
      this.refused(error, step)
      return true
    }
  }

  private change(steps: readonly TappedStep[]): void {
    this.steps = steps
    this.storage.setItem(storageKey, JSON.stringify(steps))
    for (const listener of this.listeners) listener()
  }
}

function readSteps(text: string | null): readonly TappedStep[] {
  try {
    const steps: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(steps) ? (steps as TappedStep[]) : []
  } catch {
    return []
  }
}
