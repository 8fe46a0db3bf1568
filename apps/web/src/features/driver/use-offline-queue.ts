import { isTemporary } from '@hansom/client/api-error'
import type { BookingView } from '@hansom/contract/bookings'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { leaving } from '../../entities/users/leave-question.ts'
import { api } from '../../lib/api.ts'
import { imageStore } from '../../lib/image-store.ts'
import { useLiveStatus } from '../../lib/live.ts'
import { currentMe, onSessionChange } from '../../lib/session.ts'
import { uploadPicture } from '../../lib/upload.ts'
import { DriverOutbox, type OutboxCalls } from './offline-queue.ts'
import { proofPath } from './stop-steps.ts'
import type { TakenImage, TakenStep, TappedStep } from './trip-commands.ts'

/** The refusal of a step. */
export interface StepRefusal {
  error: unknown
  step: TappedStep
}

let current: { uid: string; outbox: DriverOutbox } | null = null
const refusals = new Set<(refusal: StepRefusal) => void>()

/** The unsent steps and positions of the signed-in driver. */
export function driverOutboxOf(uid: string): DriverOutbox {
  if (current?.uid !== uid) {
    const calls: OutboxCalls = {
      report: (positions, signal) => api.tracking.report({ positions }, { signal: inTime(signal) }),
      upload: sendImage,
      step: sendStep,
      forget: (images) => {
        for (const { file } of images) void imageStore.remove(file)
      },
    }
    const refused = (error: unknown, step: TappedStep) => {
      leaving.refusedSteps += 1
      for (const listener of refusals) listener({ error, step })
    }
    current = { uid, outbox: new DriverOutbox(uid, calls, refused) }
  }
  return current.outbox
}
onSessionChange(() => {
  if (current?.uid !== currentMe()?.uid) {
    current?.outbox.leave()
    current = null
  }
})

/** Sends what waits, as far as the connection allows. */
export async function sendOutbox(uid: string): Promise<void> {
  const { steps, flushPositions } = driverOutboxOf(uid)
  try {
    await steps.flush()
    await flushPositions()
  } catch (error) {
    if (!isTemporary(error)) throw error
  }
}

/**
 * The steps and positions of the driver `known` that are not sent yet, and the last refusal; sends them when the
 * connection returns. `bookings`: the open ones; a trip that is not among them or has started needs no code. A session
 * that ends meanwhile (null) changes nothing, because the same user may return.
 */
export function useDriverOutbox(known: string | null, bookings: readonly BookingView[] | undefined) {
  const last = useRef<DriverOutbox | null>(null)
  // Asked each time: one that its user has left takes nothing more when they are back.
  if (known !== null || last.current === null) last.current = driverOutboxOf(known ?? '')
  const outbox = last.current
  const [refusal, setRefusal] = useState<StepRefusal | null>(null)
  useEffect(() => {
    refusals.add(setRefusal)
    return () => void refusals.delete(setRefusal)
  }, [])
  const steps = useSyncExternalStore(outbox.steps.subscribe, outbox.steps.list)
  const status = useLiveStatus()

  useEffect(() => {
    if (status !== 'reconnecting') void outbox.steps.flush()
  }, [outbox, status])
  useEffect(() => {
    const flush = () => void outbox.steps.resume()
    addEventListener('online', flush)
    return () => {
      removeEventListener('online', flush)
      outbox.steps.stop()
    }
  }, [outbox])

  useEffect(() => {
    for (const step of steps) {
      if (!step.held || !bookings) continue
      if (!isAwaited(step, bookings)) outbox.steps.forgetHeld(step.booking)
    }
  }, [outbox, steps, bookings])

  return {
    outbox,
    steps,
    refusal,
    add: (step: TakenStep) => {
      setRefusal(null)
      return outbox.steps.add(step)
    },
  }
}

/** Timeout of a call on a dead connection, ms. */
const answerMs = 15_000
const inTime = (signal: AbortSignal) => AbortSignal.any([signal, AbortSignal.timeout(answerMs)])

/** True while the server still waits for the code or proof of a held step. */
function isAwaited({ booking, stop: n }: TappedStep, bookings: readonly BookingView[]): boolean {
  const view = bookings.find(({ id }) => id === booking)
  if (n === undefined) return view?.status === 'ARRIVED'
  const stop = view?.delivery?.stops.find((one) => one.n === n)
  return view?.status === 'STARTED' && stop?.outcome === null
}

/** Uploads an image of a step; null if the device has lost it, which the step's refusal then shows. Throws an ApiError. */
async function sendImage(
  { booking, stop }: TappedStep,
  { kind, file }: TakenImage,
  signal: AbortSignal,
): Promise<BookingView | null> {
  const image = await imageStore.get(file)
  if (image === null) return null
  signal.throwIfAborted()
  const path = proofPath(booking, stop ?? 0, kind)
  return (await uploadPicture('PUT', path, image, () => {}, signal)) as BookingView
}

/** Sends a step to the server. Throws an ApiError. */
function sendStep(tapped: TappedStep, signal: AbortSignal): Promise<BookingView> {
  const { booking: id, step, otp, at, key, stop = 0, name, unsigned, code, scan, cash, reason } = tapped
  const { collected, amount } = tapped
  const options = { context: { idempotencyKey: key }, signal: inTime(signal) }
  const given = <Value extends object>(values: Value) =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Value>
  if (step === 'confirm_cash') return api.bookings.confirm_cash({ id }, options)
  if (step === 'start') return api.bookings.start({ id, at, ...given({ otp, scan, cash }) }, options)
  if (step === 'deliver') {
    return api.bookings.deliver({ id, at, stop, ...given({ name, unsigned, code, scan, cash }) }, options)
  }
  if (step === 'fail_drop') {
    if (!reason) throw new TypeError('a failed drop has a reason')
    return api.bookings.fail_drop({ id, at, stop, reason }, options)
  }
  if (step === 'close' && collected) return api.bookings.close({ id, at, collected, amount }, options)
  return api.bookings[step]({ id, at }, options)
}
