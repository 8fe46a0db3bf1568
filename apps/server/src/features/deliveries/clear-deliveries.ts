import type { Storage } from '../../adapters/storage/port.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { roundDrops, roundedPlace } from '../bookings/erase-from-bookings.ts'

export interface ClearDeps {
  database: Pick<Database, 'pool' | 'withTransaction'>
  storage: Pick<Storage, 'removeBooking'>
  clock: Pick<Clock, 'now'>
}

export interface DeliveryClearing {
  /**
   * Removes the data of recipients and the images of up to `limit` deliveries that ended before `before`, epoch ms.
   * Returns their number.
   */
  clearEnded(before: number, limit: number): Promise<number>
  /** The same for the deliveries of a deleted sender. */
  clearSender(customer: string, limit: number): Promise<number>
}

/** Booking ids begin with their time of creation in 48 bits (UUIDv7, RFC 9562 section 5.7). */
const idsUntil = (at: number) => {
  const hex = Math.max(0, at).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

export function createDeliveryClearing({ database, storage, clock }: ClearDeps): DeliveryClearing {
  const { pool } = database

  /** Files first: without its file, a row is found again by the next run. */
  const clear = async (rows: readonly { id: string }[]) => {
    // Also removes files without a row: those of an upload whose server was killed.
    for (const { id } of rows) await storage.removeBooking(id)
    const ids = rows.map(({ id }) => id)
    await database.withTransaction(async (tx) => {
      await roundDrops(tx, ids)
      await tx.client.query(
        `with proofs as (delete from delivery_proofs where booking_id = any($1::uuid[])),
            stops as (update delivery_stops set person = '', phone = '', email = null, instructions = null,
              sender_instructions = null, not_informed = null, code = null,
              done_location = null, received_by = null, scanned = null,
              place = case kind when 'drop' then ${roundedPlace('place')} else place end
              where booking_id = any($1::uuid[])),
            imported as (update delivery_import_rows set plan = null,
              data = data || '{"drop": "", "person": "", "phone": "", "email": "", "instructions": ""}'
              where booking_id = any($1::uuid[]))
          update deliveries set cleared_at = $2 where booking_id = any($1::uuid[])`,
        [ids, clock.now()],
      )
    })
    return rows.length
  }

  return {
    clearEnded: async (before, limit) => {
      const { rows } = await pool.query<{ id: string }>(
        `select d.booking_id as id from deliveries d join ended_trips t on t.id = d.booking_id
          where d.cleared_at is null and d.booking_id < $1 and t.ended_at < $2 order by d.booking_id limit $3`,
        [idsUntil(before), before, limit],
      )
      return clear(rows)
    },
    clearSender: async (customer, limit) => {
      const { rows } = await pool.query<{ id: string }>(
        `select d.booking_id as id from ended_trips t join deliveries d on d.booking_id = t.id
          where t.customer = $1 and d.cleared_at is null limit $2`,
        [customer, limit],
      )
      return clear(rows)
    },
  }
}
