import { dispatchAt } from '@hansom/domain/dispatch/timing'
import { paymentTimeMs } from '@hansom/domain/booking/create'
import { ratingTimeMs } from '@hansom/domain/booking/settle'
import type { Pool } from 'pg'
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
 * At start, enqueues anew what every open booking waits for. A job that exists already comes twice, which its
 * handler bears; one that was lost, with a job queue that was emptied say, would leave a rider waiting for ever.
 * Returns how many bookings were looked at.
 */
export async function reconcileBookings({ pool, jobs, settings, now }: ReconcileDeps): Promise<number> {
  const current = await settings.current()
  const reply = await pool.query<{ booking: object; requests: object[] }>(
    `select to_jsonb(b) as booking,
        (select coalesce(jsonb_agg(to_jsonb(r)), '[]') from booking_requests r where r.booking_id = b.id) as requests
      from bookings b where b.status in ('PAYMENT_PENDING', 'NEW', 'PAID')`,
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

function lastLapse(requests: readonly RequestRow[]): number {
  return Math.max(0, ...requests.map((request) => request.expires_at ?? 0))
}
