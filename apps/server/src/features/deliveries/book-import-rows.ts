import type { BookingRequest } from '@hansom/contract/bookings'
import { staysQueued } from '@hansom/domain/deliveries/import'
import { type ErrorKey, Refusal } from '@hansom/domain/error-keys'
import type { Database } from '../../platform/database/database.ts'
import type { BookingsService } from '../bookings/service.ts'
import { nextQueued, type QueuedRow, storeOutcome, waitForAll } from './import-store.ts'

export interface QueueDeps {
  database: Database
  bookings: Pick<BookingsService, 'create'>
}

/**
 * Books a sender's queued rows, the oldest first, until one has to wait: then all wait, with its reason. Returns false
 * if time is up, `until` as of `performance.now`. Two runs at once, or one that is repeated after a crash, book each row
 * once.
 */
export async function bookQueuedRows({ database, bookings }: QueueDeps, uid: string, until: number) {
  for (;;) {
    const row = await nextQueued(database.pool, uid)
    if (!row) return true
    const outcome = await bookRow(bookings, uid, row)
    if ('reason' in outcome && staysQueued(outcome.reason)) {
      await waitForAll(database.pool, uid, outcome.reason)
      return true
    }
    await storeOutcome(database.pool, row, outcome)
    if (performance.now() > until) return false
  }
}

type Outcome = { booking: string } | { reason: ErrorKey }

async function bookRow(bookings: QueueDeps['bookings'], uid: string, row: QueuedRow): Promise<Outcome> {
  // At the set time, or now if that has passed meanwhile. The key finds the booking of an earlier attempt with either.
  const requests = [requestOf(row, row.plan.tripdate), ...(row.plan.tripdate ? [requestOf(row, null)] : [])]
  let reason: ErrorKey = 'conflict'
  for (const request of requests) {
    try {
      const actor = { id: uid, role: 'rider', approved: true } as const
      const { booking } = await bookings.create(actor, request, `import-${row.import_id}-${row.n}`)
      return { booking: booking.id }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      reason = error.key
      if (reason !== 'past_booking_error' && reason !== 'idempotency_mismatch') break
    }
  }
  return { reason }
}

function requestOf({ data, plan }: QueuedRow, tripdate: number | null): BookingRequest {
  const { pickup, drop, car_type_id, parcelTypeIndex, optionIndex, window } = plan
  return {
    pickup,
    drop,
    car_type_id,
    payment_mode: 'wallet',
    bookLater: tripdate !== null,
    ...(tripdate !== null && { tripdate }),
    instructionData: {
      deliveryPerson: data.person,
      deliveryPersonPhone: data.phone,
      deliveryEmail: data.email,
      deliveryInstructions: [data.instructions, data.reference].filter(Boolean).join(' · ').slice(0, 300),
      parcelTypeIndex,
      optionIndex,
      ...(window && { window }),
    },
  }
}
