import type { BookingView } from '@hansom/contract/bookings'
import type { RemovalReason } from '@hansom/contract/live'
import { useEffect, useRef, useState } from 'react'
import { callAttention, useRepeatedAttention } from '../../lib/alert.ts'
import { api } from '../../lib/api.ts'
import { serverNow, useServerNow } from '../../lib/clock.ts'
import { idempotentCall } from '../../lib/idempotent-call.ts'
import { isRemoval, storeBooking, useLive } from '../../lib/live.ts'
import { useSettings } from '../../lib/settings.ts'

/** The outcome of a request this driver answered or viewed. */
export type RequestOutcome =
  | { kind: Exclude<RemovalReason, 'answered'> }
  | { kind: 'refused'; error: unknown }

/** Display time of an outcome, ms. */
const outcomeMs = 12_000

/**
 * The open requests and functions to answer them. A new one triggers the alert; if the setting says so, repeatedly
 * until it is answered or expires.
 */
export function useRequests(silent: boolean) {
  const [answering, setAnswering] = useState<string | null>(null)
  const [outcome, setOutcome] = useState<RequestOutcome | null>(null)
  const heard = useRef(new Set<string>())
  const mine = useRef<string | null>(null)
  const topic = useLive('requests', null, {
    onEvent: (change) => {
      if (!isRemoval(change) || change.remove === mine.current) return
      if (change.why && change.why !== 'answered') setOutcome({ kind: change.why })
    },
  })
  useEffect(() => {
    if (outcome === null) return
    const timer = setTimeout(() => setOutcome(null), outcomeMs)
    return () => clearTimeout(timer)
  }, [outcome])
  useServerNow(1000)
  const now = serverNow()
  const requests = (topic.data ?? []).filter(
    ({ request }) => !request?.expires_at || request.expires_at > now,
  )

  const ids = requests.map(({ id }) => id).join()
  useEffect(() => {
    const fresh = ids.split(',').filter((id) => id && !heard.current.has(id))
    // During a trip the next one is only listed; it sounds once the driver can accept it.
    if (fresh.length === 0 || silent) return
    for (const id of fresh) heard.current.add(id)
    setOutcome(null)
    callAttention('request')
  }, [ids, silent])

  const { CarHornRepeat } = useSettings()
  useRepeatedAttention(CarHornRepeat && !silent && requests.length > 0 && answering === null)

  const answer = async (request: BookingView, give: () => Promise<BookingView | { ok: true }>) => {
    setAnswering(request.id)
    mine.current = request.id
    setOutcome(null)
    try {
      const view = await give()
      if ('id' in view) storeBooking(view)
    } catch (error) {
      setOutcome({ kind: 'refused', error })
    } finally {
      setAnswering(null)
    }
  }

  return {
    requests,
    answering,
    outcome,
    current: topic.current,
    accept: (request: BookingView) =>
      answer(request, () => idempotentCall('accept', { id: request.id }, api.bookings.accept)),
    decline: (request: BookingView) =>
      answer(request, () => idempotentCall('decline', { id: request.id }, api.bookings.decline)),
  }
}
