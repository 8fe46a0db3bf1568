import { ApiError } from '@hansom/client/api-error'
import type { BookingView } from '@hansom/contract/bookings'
import type { Position } from '@hansom/contract/tracking'
import { KeptFor } from '../../lib/per-user-storage.ts'
import { keptPositions, keptSteps } from '../../lib/stored-keys.ts'
import { PositionQueue } from './position-queue.ts'
import { StepQueue } from './step-queue.ts'
import type { TakenImage, TappedStep } from './trip-commands.ts'

export interface OutboxCalls {
  report(positions: Position[], signal: AbortSignal): Promise<unknown>
  /** Uploads an image of a step. */
  upload(step: TappedStep, image: TakenImage, signal: AbortSignal): Promise<BookingView | null>
  step(step: TappedStep, signal: AbortSignal): Promise<BookingView>
  /** Called when the images of a step are no longer needed. */
  forget(images: readonly TakenImage[]): void
}

/**
 * Steps and positions that a driver's device could not send yet, in original order. Positions from before a step are sent
 * before it, later ones only after it was acknowledged, because the fare is measured from the positions between start and
 * end.
 */
export class DriverOutbox {
  readonly positions: PositionQueue
  readonly steps: StepQueue
  private readonly kept: KeptFor<Position>
  /** The times of the stored positions that this page knows. */
  private stored = new Set<number>()
  private readonly leaving = new AbortController()

  constructor(
    uid: string,
    calls: OutboxCalls,
    refused: (error: unknown, step: TappedStep) => void,
    storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = localStorage,
  ) {
    this.kept = new KeptFor(storage, keptPositions, uid)
    const { signal } = this.leaving
    this.positions = new PositionQueue((positions) => this.whileHere(() => calls.report(positions, signal)))
    this.takeOver()
    this.steps = new StepQueue(refused, new KeptFor(storage, keptSteps, uid), {
      forget: calls.forget,
      upload: (step, image) => this.whileHere(() => calls.upload(step, image, signal)),
      step: async (step) => {
        await this.sendPositions(Math.min(step.at, this.steps.othersAt))
        return this.whileHere(() => calls.step(step, signal))
      },
    })
  }

  /** Ends all sending, when the driver leaves: the session may be the next user's. */
  leave(): void {
    this.leaving.abort(new ApiError('Fetch Call Error', 0))
    this.steps.leave()
  }

  /** Makes a call, unless the driver has left; an answer that comes after that counts as none. */
  private async whileHere<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    const { signal } = this.leaving
    signal.throwIfAborted()
    return call().finally(() => signal.throwIfAborted())
  }

  /** Sends the positions that may be sent now. Throws an ApiError if they must wait. */
  readonly flushPositions = (): Promise<void> => {
    if (this.steps.takeOver()) void this.steps.flush()
    return this.sendPositions(this.steps.firstAt)
  }

  private async sendPositions(until: number): Promise<void> {
    this.takeOver()
    try {
      await this.positions.flush(until)
    } finally {
      if (!this.leaving.signal.aborted) this.keep()
    }
  }

  /** Takes over the positions that another page of the driver has stored. */
  private takeOver(): void {
    const others = this.kept.read().filter(({ at }) => !this.stored.has(at))
    for (const { at } of others) this.stored.add(at)
    this.positions.merge(others)
  }

  /** Stores what waits, with what another page has stored meanwhile. */
  private keep(): void {
    this.takeOver()
    const { list } = this.positions
    this.kept.write(list)
    this.stored = new Set(list.map(({ at }) => at))
  }
}
