import { ApiError, isTemporary } from '@hansom/client/api-error'
import { newIdempotencyKey } from '@hansom/client/idempotent-call'
import type { BookingView } from '@hansom/contract/bookings'
import { serverNow } from '../../lib/clock.ts'
import { storeBooking } from '../../lib/live.ts'
import type { KeptFor } from '../../lib/per-user-storage.ts'
import type { TakenImage, TakenStep, TappedStep } from './trip-commands.ts'

const firstRetryMs = 3000
const longestRetryMs = 30_000
/** A code refused within this time was entered online, and is just entered again, ms. */
const lateMs = 20_000
/** Another page has this long to send its own steps, ms. */
const othersMs = 30_000

type Listener = () => void

/** What sends a step. */
interface StepCalls {
  /** Uploads an image of a step. */
  upload(step: TappedStep, image: TakenImage): Promise<BookingView | null>
  step(step: TappedStep): Promise<BookingView>
  /** Called when the images of a step are no longer needed. */
  forget(images: readonly TakenImage[]): void
}

/**
 * Steps without a response, sent one at a time in the order of the taps, also after a reload. A refused step drops the
 * later ones of its trip, except for a wrong code entered offline: it is requested again, because the trip was driven
 * meanwhile.
 */
export class StepQueue {
  private steps: readonly TappedStep[]
  private sending = false
  private running = Promise.resolve()
  private stopped = false
  private left = false
  private failures = 0
  private timer: ReturnType<typeof setTimeout> | undefined
  private readonly listeners = new Set<Listener>()
  /** Keys of steps that another page may send as well. */
  private readonly taken: Set<string>
  /** Keys of steps that this page has dropped. */
  private readonly ended = new Set<string>()
  private readonly kept: KeptFor<TappedStep>
  private readonly calls: StepCalls
  private readonly refused: (error: unknown, step: TappedStep) => void

  constructor(
    refused: (error: unknown, step: TappedStep) => void,
    kept: KeptFor<TappedStep>,
    calls: StepCalls,
  ) {
    this.refused = refused
    this.kept = kept
    this.calls = calls
    this.steps = kept.read()
    this.taken = new Set(this.steps.map(({ key }) => key))
  }

  /** The pending steps; the same array until it changes. */
  readonly list = (): readonly TappedStep[] => this.steps

  readonly subscribe = (listener: Listener): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  add(step: TakenStep): Promise<void> {
    const held = this.steps.find(
      (other) => other.held && other.booking === step.booking && other.stop === step.stop,
    )
    // A wait counts until the latest attempt; a proof belongs to the first one.
    const at = step.step === 'fail_drop' ? undefined : held?.at
    const taken = { ...step, at: at ?? serverNow(), key: newIdempotencyKey() }
    this.change(held ? this.steps.map((other) => (other === held ? taken : other)) : [...this.steps, taken])
    return this.flush()
  }

  /** Drops the steps that wait for a trip's code, because the trip has progressed or ended without them. */
  forgetHeld(booking: string): void {
    if (this.steps.some((step) => step.held && step.booking === booking)) {
      this.change(this.steps.filter((step) => step.booking !== booking))
    }
  }

  /** Until when positions may be sent: the time of the first pending step of any page. */
  get firstAt(): number {
    return Math.min(this.othersAt, ...this.steps.map(({ at }) => at))
  }

  /** The time of the first step that only another page knows. */
  get othersAt(): number {
    return Math.min(...this.others().map(({ at }) => at))
  }

  /**
   * Takes over, under the same key, what another page has not sent for a while: it may be closed. Drops what that page has
   * sent since. True if steps were taken over.
   */
  takeOver(): boolean {
    if (this.left) return false
    const stored = new Set(this.kept.read().map(({ key }) => key))
    const mine = this.steps.filter(({ key }) => !this.taken.has(key) || stored.has(key))
    const late = this.others().filter(({ at }) => serverNow() - at > othersMs)
    for (const { key } of late) this.taken.add(key)
    if (late.length > 0) this.change([...mine, ...late].toSorted((one, other) => one.at - other.at))
    else if (mine.length < this.steps.length) this.change(mine)
    return late.length > 0
  }

  /** Sends pending steps. Resolves when all have a response or the connection is down, also if they are already being sent. */
  flush(): Promise<void> {
    this.stopped = this.left
    if (!this.sending && !this.left) this.running = this.sendAll()
    return this.running
  }

  private async sendAll(): Promise<void> {
    this.sending = true
    clearTimeout(this.timer)
    this.takeOver()
    try {
      for (let next = this.next(); next && !this.stopped; next = this.next()) {
        if (!(await this.answered(next))) return
      }
    } finally {
      this.sending = false
    }
  }

  /** Sends pending steps now that the connection is back, and again soon if it is not steady yet. */
  resume(): Promise<void> {
    this.failures = 0
    return this.flush()
  }

  /** Stops sending until the next flush. */
  stop(): void {
    this.stopped = true
    clearTimeout(this.timer)
  }

  /** Stops sending for good, and forgets the steps. */
  leave(): void {
    this.left = true
    this.stop()
    this.steps = []
  }

  private next(): TappedStep | undefined {
    const waiting = new Set(this.steps.filter(({ held }) => held).map(({ booking }) => booking))
    return this.steps.find(({ booking }) => !waiting.has(booking))
  }

  private async answered(step: TappedStep): Promise<boolean> {
    const isOther = (other: TappedStep) => other.key !== step.key
    try {
      storeBooking(await this.send(step))
      this.failures = 0
      this.change(this.steps.filter(isOther))
      return true
    } catch (error) {
      if (isTemporary(error)) {
        if (!this.stopped) this.timer = setTimeout(() => void this.flush(), this.nextPause())
        return false
      }
      this.failures = 0
      if (isLateCode(error, step, this.steps)) {
        this.change(this.steps.map((other) => (isOther(other) ? other : { ...other, held: true })))
      } else this.change(this.steps.filter((other) => other.booking !== step.booking))
      this.refused(error, step)
      return true
    }
  }

  /** Sends a step after its images. A sent image is stored as such, because the server refuses it after the step. */
  private async send(step: TappedStep): Promise<BookingView> {
    for (const image of step.images ?? []) {
      if (image.isSent) continue
      const view = await this.calls.upload(step, image)
      if (view) storeBooking(view)
      this.change(
        this.steps.map((other) =>
          other.key === step.key && other.images
            ? {
                ...other,
                images: other.images.map((one) =>
                  one.file === image.file ? { ...one, isSent: true as const } : one,
                ),
              }
            : other,
        ),
      )
    }
    return this.calls.step(step)
  }

  private nextPause(): number {
    return Math.min(longestRetryMs, firstRetryMs * 2 ** this.failures++)
  }

  private change(steps: readonly TappedStep[]): void {
    if (this.left) return
    const kept = new Set(imagesOf(steps).map(({ file }) => file))
    this.calls.forget(imagesOf(this.steps).filter(({ file }) => !kept.has(file)))
    const stays = new Set(steps.map(({ key }) => key))
    for (const { key } of this.steps) if (!stays.has(key)) this.ended.add(key)
    this.steps = steps
    this.kept.write([...this.others(), ...steps])
    for (const listener of this.listeners) listener()
  }

  /** What only another page knows; it stays stored, until that page sends it. */
  private others(): readonly TappedStep[] {
    const known = new Set(this.steps.map(({ key }) => key))
    return this.kept.read().filter(({ key }) => !known.has(key) && !this.ended.has(key))
  }
}

const imagesOf = (steps: readonly TappedStep[]) => steps.flatMap(({ images = [] }) => images)

/** Refusals of a stop's proofs, which the courier can give again. */
const proofErrors: readonly string[] = [
  'otp_wait',
  'proof_needed',
  'wait_at_stop',
  'wrong_label',
  'amount_changed',
]

/** True for a wrong code or proof of a trip that may have been driven since the tap. */
function isLateCode(error: unknown, step: TappedStep, steps: readonly TappedStep[]): boolean {
  if (!(error instanceof ApiError)) return false
  const isProof = (step.stop !== undefined || step.step === 'start') && proofErrors.includes(error.key)
  if (error.key !== 'wrong_otp' && !isProof) return false
  return serverNow() - step.at > lateMs || steps.some((other) => isLater(other, step))
}

/** The end of a delivery is queued together with its last stop, so it does not show that the courier drove on. */
function isLater(other: TappedStep, step: TappedStep): boolean {
  if (other.key === step.key || other.booking !== step.booking) return false
  return step.stop === undefined || (other.step !== 'reach' && other.step !== 'close')
}
