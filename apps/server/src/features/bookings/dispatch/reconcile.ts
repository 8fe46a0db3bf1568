import { dispatchAt } from '@hansom/domain/dispatch/timing'
import { paymentTimeMs } from '@hansom/domain/bookings/create'
import { ratingTimeMs } from '@hansom/domain/bookings/settle'
import type { BookingStatus } from '@hansom/domain/bookings/status'
import type { Pool } from 'pg'
import type { Log } from '../../../platform/log/log.ts'
import type { CurrentSettings } from '../../settings/service.ts'
import { bookingJson, type RequestRow, requestJson } from '../store/rows.ts'
import type { BookingJobs, WantedJob } from './jobs.ts'

export interface ReconcileDeps {
  pool: Pool
  jobs: BookingJobs
  settings: { current(): Promise<CurrentSettings> }
  now(): number
}

/** Bookings per query. */
const batchSize = 200

/**
 * Enqueues the missing jobs of open bookings, optionally of some statuses only: after the job queue was emptied, for
 * instance, a rider would wait forever. Returns the number of bookings enqueued.
 */
export async function reconcileBookings(
  deps: ReconcileDeps,
  statuses: readonly BookingStatus[] = ['PAYMENT_PENDING', 'NEW', 'PAID'],
): Promise<number> {
  const waiting = await deps.jobs.waiting()
  let enqueued = 0
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const reply = await deps.pool.query<OpenBooking>(
      `select b.id, to_jsonb(b) as booking,
          (select coalesce(jsonb_agg(to_jsonb(r)), '[]') from booking_requests r where r.booking_id = b.id) as requests
        from bookings b where b.status = any($1) and b.id > $2 order by b.id limit $3`,
      [statuses, after, batchSize],
    )
    const jobless = reply.rows.filter(({ id }) => !waiting.has(id))
    const current = await deps.settings.current()
    const wanted = jobless.flatMap((row) => wantedBy(row, current, deps.now()))
    await deps.jobs.enqueue(wanted)
    enqueued += wanted.length
    const last = reply.rows.at(-1)
    if (last === undefined || reply.rows.length < batchSize) return enqueued
    after = last.id
  }
}

interface OpenBooking {
  id: string
  booking: object
  requests: object[]
}

/** Empty when the booking waits for an admin. */
function wantedBy(row: OpenBooking, settings: CurrentSettings, now: number): WantedJob[] {
  const booking = bookingJson.read(row.booking)
  const { id, wave } = booking
  const schedule = (job: 'expire_payment' | 'complete_unrated', at: number): WantedJob[] => [
    { booking: id, wave, effect: { kind: 'schedule', job, at } },
  ]
  if (booking.status === 'PAYMENT_PENDING')
    return schedule('expire_payment', booking.bookingDate + paymentTimeMs)
  if (booking.status === 'PAID')
    return schedule('complete_unrated', (booking.closed_at ?? now) + ratingTimeMs)
  if (!settings.autoDispatch) return []
  const lapse = lastLapse(row.requests.map((request) => requestJson.read(request)))
  const at = Math.max(dispatchAt(booking, settings, now), lapse)
  return [{ booking: id, wave, effect: { kind: 'dispatch', booking: id, at } }]
}

/** Dispatches the bookings that wait for an admin whenever automatic dispatch is switched on. */
export async function dispatchWhenSwitchedOn(
  deps: ReconcileDeps & {
    settings: { onChange(listener: (settings: CurrentSettings) => void): void }
    log: Log
  },
): Promise<void> {
  let wasOn = (await deps.settings.current()).autoDispatch
  deps.settings.onChange(({ autoDispatch }) => {
    if (autoDispatch && !wasOn) {
      reconcileBookings(deps, ['NEW']).catch((error: unknown) =>
        deps.log.error({ err: error }, 'failed to dispatch waiting bookings'),
      )
    }
    wasOn = autoDispatch
  })
}

function lastLapse(requests: readonly RequestRow[]): number {
  return Math.max(0, ...requests.map((request) => request.expires_at ?? 0))
}
