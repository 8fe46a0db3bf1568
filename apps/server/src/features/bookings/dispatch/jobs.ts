import { paymentTimeMs } from '@hansom/domain/bookings/create'
import type { BookingJob } from '@hansom/domain/bookings/decision'
import { ratingTimeMs } from '@hansom/domain/bookings/settle'
import type { BookingStatus } from '@hansom/domain/bookings/status'
import { dispatchAt } from '@hansom/domain/dispatch/timing'
import { Refusal } from '@hansom/domain/error-keys'
import type { Pool } from 'pg'
import { z } from 'zod'
import type { Database } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { Jobs, NewJob } from '../../../platform/jobs/jobs.ts'
import type { Log } from '../../../platform/log/log.ts'
import { type Origin, withOrigin } from '../../../platform/log/origin.ts'
import type { CurrentSettings } from '../../settings/service.ts'
import type { LaterEffect } from '../booking-changed-event.ts'
import { type GivenCommand, runCommand } from '../run-command.ts'
import { bookingJson, type RequestRow, requestJson } from '../store/read-bookings.ts'
import { readUnpaid } from '../store/read-outstanding.ts'
import type { BatchFailures } from './batch-bookings.ts'
import { runBatch } from './run-batch.ts'
import { askNextWave, nextBatchAt, type WaveDeps } from './wave.ts'

const dispatchJob = 'booking.dispatch'
const batchJob = 'booking.batch'
const commandJob = 'booking.command'
const collectJob = 'booking.collect_from_wallet'
const tellAssignedJob = 'booking.tell_assigned'

const dispatchData = z.object({ booking: z.uuid(), wave: z.int() })
const commandData = z.object({
  booking: z.uuid(),
  job: z.enum(['expire_payment', 'capture_payment', 'complete_unrated']),
})
const bookingData = z.object({ booking: z.uuid() })

interface BookingJobsDeps extends WaveDeps {
  database: Pick<Database, 'pool'>
  jobs: Jobs
  /** Notifies drivers assigned early that the trip is due. */
  notifyAssigned(booking: string): Promise<void>
}

/** A job that an effect of a booking requires. `wave` is the number of waves at the time of the decision. */
export interface WantedJob {
  booking: string
  wave: number
  effect: Extract<LaterEffect, { kind: 'dispatch' | 'schedule' }>
  /** By default that of the work that enqueues it. */
  origin?: Origin | undefined
}

export interface BookingJobs {
  /** Enqueues the jobs in one statement; with `tx`, only if it commits. */
  enqueue(wanted: readonly WantedJob[], tx?: Transaction): Promise<void>
  /** Pays a rider's unpaid trips from the wallet, as far as its balance allows. */
  collect(rider: string, tx: Transaction): Promise<void>
  /** Bookings with a waiting or active dispatch or scheduled command. */
  waiting(): Promise<ReadonlySet<string>>
}

/** Defines the jobs of bookings. Each is a no-op if its work is already done. */
export function defineBookingJobs(deps: BookingJobsDeps): BookingJobs {
  const { jobs } = deps
  jobs.define(dispatchJob, { schema: dispatchData, concurrency: 4 }, async ({ booking, wave }) => {
    const outcome = await askNextWave(deps, booking, wave)
    if (outcome.kind === 'early') await jobs.send(dispatchJob, { booking, wave }, { startAt: outcome.at })
    if (outcome.kind === 'batch') await sendBatch(outcome.at)
  })

  // One job for each moment and all bookings that wait for it, so that it belongs to no request.
  const sendBatch = (startAt: number) =>
    withOrigin(undefined, () => jobs.send(batchJob, {}, { startAt, singletonKey: `${batchJob} ${startAt}` }))
  const failures: BatchFailures = new Map()
  jobs.define(batchJob, { schema: z.object({}), concurrency: 1, timeoutS: 60 }, async () => {
    try {
      const { next, others } = await runBatch(deps, { failures })
      if (next !== null) await sendBatch(next)
      if (others.length === 0) return
      const own = new Set((await jobs.openData(dispatchJob)).map(({ booking }) => booking))
      const jobless = others.filter(({ booking }) => !own.has(booking))
      await jobs.sendMany(jobless.map((data) => ({ name: dispatchJob, data })))
    } catch (err) {
      // The queue's own pauses would grow while everyone waits.
      deps.log.error({ err }, 'failed to run a batch')
      const { dispatch } = await deps.settings.current()
      await sendBatch(nextBatchAt(deps.clock.now() + 1, dispatch.batchSeconds))
    }
  })

  jobs.define(commandJob, { schema: commandData, concurrency: 2 }, async ({ booking, job }) => {
    try {
      await runCommand(deps, { booking, by: { role: 'system', id: null }, ...systemCommand(job) })
    } catch (error) {
      // Paid, rated or cancelled in the meantime; or run too early because of a clock that was ahead.
      if (!(error instanceof Refusal)) throw error
      const from = error.key === 'too_early' ? error.data?.from : null
      if (typeof from === 'number') await jobs.send(commandJob, { booking, job }, { startAt: from })
    }
  })

  jobs.define(tellAssignedJob, { schema: bookingData }, ({ booking }) => deps.notifyAssigned(booking))

  jobs.define(collectJob, { schema: z.object({ rider: z.uuid() }), concurrency: 2 }, async ({ rider }) => {
    for (const booking of await readUnpaid(deps.database.pool, rider)) {
      try {
        await runCommand(deps, {
          booking,
          by: { role: 'system', id: null },
          command: 'pay_by_wallet',
          input: () => ({ command: 'pay_by_wallet' }),
        })
      } catch (error) {
        // Paid in the meantime, or more than the balance.
        if (!(error instanceof Refusal)) throw error
      }
    }
  })

  return {
    collect: async (rider, tx) => void (await jobs.send(collectJob, { rider }, { tx })),
    enqueue: (wanted, tx) =>
      jobs.sendMany(
        wanted.map((one) => ({ ...jobOf(one), origin: one.origin })),
        tx,
      ),
    async waiting() {
      const data = await Promise.all([dispatchJob, commandJob].map((name) => jobs.openData(name)))
      return new Set(data.flat().map((one) => String(one.booking)))
    },
  }
}

function jobOf({ booking, wave, effect }: WantedJob): NewJob {
  const startAt = effect.at
  if (effect.kind === 'dispatch') {
    const isThis = effect.booking === booking
    return { name: dispatchJob, data: { booking: effect.booking, wave: isThis ? wave : 0 }, startAt }
  }
  if (effect.job === 'tell_assigned') return { name: tellAssignedJob, data: { booking }, startAt }
  return { name: commandJob, data: { booking, job: effect.job }, startAt }
}

function systemCommand(job: Exclude<BookingJob, 'tell_assigned'>): Pick<GivenCommand, 'command' | 'input'> {
  switch (job) {
    case 'expire_payment':
      return { command: 'expire_payment', input: () => ({ command: 'expire_payment' }) }
    case 'capture_payment':
      return {
        command: 'capture_payment',
        input: () => ({ command: 'capture_payment', provider: '', amount: 0, payment: null }),
      }
    case 'complete_unrated':
      return { command: 'skip_rating', input: () => ({ command: 'skip_rating' }) }
  }
}

interface ReconcileDeps {
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
