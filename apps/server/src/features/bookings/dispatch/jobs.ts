import { Refusal } from '@hansom/domain/error-keys'
import type { BookingJob } from '@hansom/domain/bookings/decision'
import { z } from 'zod'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { Jobs, NewJob } from '../../../platform/jobs/jobs.ts'
import { readUnpaid } from '../store/rider-owes.ts'
import type { LaterEffect } from '../booking-changed-event.ts'
import { type GivenCommand, runCommand } from '../run-command.ts'
import { askNextWave, type WaveDeps } from './wave.ts'

const dispatchJob = 'booking.dispatch'
const commandJob = 'booking.command'
const collectJob = 'booking.collect_from_wallet'
const tellAssignedJob = 'booking.tell_assigned'

const dispatchData = z.object({ booking: z.uuid(), wave: z.int() })
const commandData = z.object({
  booking: z.uuid(),
  job: z.enum(['expire_payment', 'capture_payment', 'complete_unrated']),
})
const bookingData = z.object({ booking: z.uuid() })

export interface BookingJobsDeps extends WaveDeps {
  jobs: Jobs
  /** Notifies drivers assigned early that the trip is due. */
  notifyAssigned(booking: string): Promise<void>
}

/** A job that an effect of a booking requires. `wave` is the number of waves at the time of the decision. */
export interface WantedJob {
  booking: string
  wave: number
  effect: Extract<LaterEffect, { kind: 'dispatch' | 'schedule' }>
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
  })

  jobs.define(commandJob, { schema: commandData, concurrency: 2 }, async ({ booking, job }) => {
    try {
      await runCommand(deps, { booking, by: { actor: 'system', id: null }, ...systemCommand(job) })
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
          by: { actor: 'system', id: null },
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
    enqueue: (wanted, tx) => jobs.sendMany(wanted.map(jobOf), tx),
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
