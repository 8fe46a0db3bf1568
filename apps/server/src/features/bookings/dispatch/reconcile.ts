import { dispatchAt } from '@hansom/domain/dispatch/timing'
import { paymentTimeMs } from '@hansom/domain/booking/create'
import { ratingTimeMs } from '@hansom/domain/booking/settle'
import type { BookingStatus } from '@hansom/domain/booking/status'
import type { Pool } from 'pg'
import type { Log } from '../../../platform/log/log.ts'
import type { CurrentSettings } from '../../settings/service.ts'
import { bookingJson, type RequestRow, requestJson } from '../store/rows.ts'
import type { BookingJobs } from './jobs.ts'

export interface ReconcileDeps {
  pool: Pool
  jobs: BookingJobs
  settings: { current(): Promise<CurrentSettings> }
  now(): number
}

/**
 * Enqueues anew what every open booking waits for, or only those of some statuses. A job that exists already comes
 * twice, which its handler bears; one that was lost, with a job queue that was emptied say, would leave a rider
 * waiting for ever. Returns how many bookings were looked at.
 */
export async function reconcileBookings(
  { pool, jobs, settings, now }: ReconcileDeps,
  statuses: readonly BookingStatus[] = ['PAYMENT_PENDING', 'NEW', 'PAID'],
): Promise<number> {
  const current = await settings.current()
  const reply = await pool.query<{ booking: object; requests: object[] }>(
    `select to_jsonb(b) as booking,
        (select coalesce(jsonb_agg(to_jsonb(r)), '[]') from booking_requests r where r.booking_id = b.id) as requests
      from bookings b where b.status = any($1)`,
    [statuses],
  )
  for (const row of reply.rows) {
    const booking = bookingJson.read(row.booking)
    const { id, wave } = booking
    const schedule = (job: 'expire_payment' | 'complete_unrated', at: number) =>
      jobs.enqueue(id, wave, { kind: 'schedule', job, at })
    if (booking.status === 'PAYMENT_PENDING')
      await schedule('expire_payment', booking.bookingDate + paymentTimeMs)
    else if (booking.status === 'PAID')
      await schedule('complete_unrated', (booking.closed_at ?? now()) + ratingTimeMs)
    else if (current.autoDispatch) {
      const lapse = lastLapse(row.requests.map((request) => requestJson.read(request)))
      const at = Math.max(dispatchAt(booking, current, now()), lapse)
      await jobs.enqueue(id, wave, { kind: 'dispatch', booking: id, at })
    }
  }
  return reply.rows.length
}

/** Dispatches the bookings that waited for an admin, whenever dispatch is switched on. */
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
        deps.log.error({ err: error }, 'bookings that wait could not be dispatched'),
      )
    }
    wasOn = autoDispatch
  })
}

function lastLapse(requests: readonly RequestRow[]): number {
  return Math.max(0, ...requests.map((request) => request.expires_at ?? 0))
}
