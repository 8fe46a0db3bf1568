import { isOneOf } from '@hansom/domain/bookings/status'
import { Refusal } from '@hansom/domain/error-keys'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import { lockBooking, publishBeside } from '../bookings/service.ts'
import { deliveryStopsTable } from './table.ts'

interface InstructionsDeps {
  database: Pick<Database, 'withTransaction'>
  clock: Pick<Clock, 'now'>
  outbox: Outbox
}

/**
 * Changes the recipient's instructions of an open stop and publishes the booking, unless the text is the same. Throws
 * too_late once it is closed.
 */
export async function changeInstructions(
  { database, clock, outbox }: InstructionsDeps,
  booking: string,
  stop: number,
  instructions: string,
): Promise<void> {
  const { booking_id, n, outcome, sender_instructions } = deliveryStopsTable
  await database.withTransaction(async (tx) => {
    const at = clock.now()
    const record = await lockBooking(tx, booking, at)
    if (!record || !isOneOf(['NEW', 'ACCEPTED', 'ARRIVED', 'STARTED'], record.booking.status)) {
      throw new Refusal('too_late')
    }
    const stored = record.delivery?.stops.find((one) => one.n === stop)
    if (stored?.outcome === null && stored.instructions === (instructions || null)) return
    const changed = await tx.db
      .update(deliveryStopsTable)
      .set({
        instructions: instructions || null,
        sender_instructions: sql`coalesce(${sender_instructions}, ${deliveryStopsTable.instructions})`,
      })
      .where(and(eq(booking_id, booking), eq(n, stop), isNull(outcome)))
      .returning({ n })
    if (changed.length === 0) throw new Refusal('too_late')
    await publishBeside({ outbox }, tx, booking, {
      at,
      by: { role: 'recipient', id: null },
      command: 'add_instructions',
      changes: [{ field: 'instructions', from: null, to: stop }],
    })
  })
}
