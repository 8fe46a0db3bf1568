import type { BookingView } from '@hansom/contract/bookings'
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { api } from '../../lib/api.ts'
import { useLiveStatus } from '../../lib/live.ts'
import { currentMe, onSessionChange } from '../../lib/session.ts'
import { DriverOutbox, keptPositions, keptSteps } from './offline-queue.ts'
import { forgetOthers } from './per-user-storage.ts'
import type { TakenStep, TappedStep } from './trip-commands.ts'
import { keptTrip } from './use-cancelled-trip.tsx'

// Sign-out removes the data; the same user finds unsent steps after signing in again.
onSessionChange(() => {
  const uid = currentMe()?.uid ?? null
  for (const name of [keptSteps, keptPositions, keptTrip]) forgetOthers(localStorage, name, uid)
})

/** The refusal of a step. */
export interface StepRefusal {
  error: unknown
  step: TappedStep
}

/**
 * The steps and positions of the driver `known` that are not sent yet, and the last refusal; sends them when the
 * connection returns. `bookings`: the open ones; a trip that is not among them or has started needs no code. A session
 * that ends meanwhile (null) changes nothing, because the same user may return.
 */
export function useDriverOutbox(known: string | null, bookings: readonly BookingView[] | undefined) {
  const last = useRef('')
  if (known !== null) last.current = known
  const uid = last.current
  const [refusal, setRefusal] = useState<StepRefusal | null>(null)
  const outbox = useMemo(
    () =>
      new DriverOutbox(
        uid,
        {
          report: (positions) =>
            api.tracking.report({ positions }, { signal: AbortSignal.timeout(answerMs) }),
          step: sendStep,
        },
        (error, step) => setRefusal({ error, step }),
      ),
    [uid],
  )
  const steps = useSyncExternalStore(outbox.steps.subscribe, outbox.steps.list)
  const status = useLiveStatus()

  useEffect(() => {
    if (status !== 'reconnecting') void outbox.steps.flush()
  }, [outbox, status])
  useEffect(() => {
    const flush = () => void outbox.steps.flush()
    addEventListener('online', flush)
    return () => {
      removeEventListener('online', flush)
      outbox.steps.stop()
    }
  }, [outbox])

  useEffect(() => {
    for (const { held, booking } of steps) {
      if (!held || !bookings) continue
      if (bookings.find(({ id }) => id === booking)?.status !== 'ARRIVED') outbox.steps.forgetHeld(booking)
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

/** Sends a step to the server. Throws an ApiError. */
function sendStep({ booking: id, step, otp, at, key, collected, amount }: TappedStep): Promise<BookingView> {
  const options = { context: { idempotencyKey: key }, signal: AbortSignal.timeout(answerMs) }
  if (step === 'confirm_cash') return api.bookings.confirm_cash({ id }, options)
  if (step === 'start') return api.bookings.start(otp ? { id, otp, at } : { id, at }, options)
  if (step === 'close' && collected) return api.bookings.close({ id, at, collected, amount }, options)
  return api.bookings[step]({ id, at }, options)
}
