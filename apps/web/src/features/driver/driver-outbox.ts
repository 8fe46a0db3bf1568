import type { BookingView } from '@hansom/contract/bookings'
import type { Position } from '@hansom/contract/tracking'
import { KeptFor } from './kept-for.ts'
import { PositionQueue } from './position-queue.ts'
import { StepQueue } from './step-queue.ts'
import type { TappedStep } from './trip-commands.ts'

export const keptSteps = 'hansom-driver-steps'
export const keptPositions = 'hansom-driver-positions'

export interface OutboxCalls {
  report(positions: Position[]): Promise<unknown>
  step(step: TappedStep): Promise<BookingView>
}

/**
 * What a driver's device still has to tell the server: steps and positions, in the order in which they happened.
 * Positions from before a step are sent before it and those after it only when it is known, since a trip's fare is
 * counted from the positions between its beginning and its end.
 */
export class DriverOutbox {
  readonly positions: PositionQueue
  readonly steps: StepQueue
  private readonly kept: KeptFor<Position>

  constructor(
    uid: string,
    calls: OutboxCalls,
    refused: (error: unknown, step: TappedStep) => void,
    storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = localStorage,
  ) {
    this.kept = new KeptFor(storage, keptPositions, uid)
    this.positions = new PositionQueue(calls.report, this.kept.read())
    this.steps = new StepQueue(refused, new KeptFor(storage, keptSteps, uid), async (step) => {
      await this.sendPositions(step.at)
      return calls.step(step)
    })
  }

  /** Sends the positions that may go now. Throws an ApiError when they have to wait. */
  flushPositions(): Promise<void> {
    return this.sendPositions(this.steps.list()[0]?.at)
  }

  private async sendPositions(until: number | undefined): Promise<void> {
    try {
      await this.positions.flush(until)
    } finally {
      this.kept.write(this.positions.list)
    }
  }
}
