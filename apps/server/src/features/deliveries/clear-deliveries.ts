import { type Storage, storedPath } from '../../adapters/storage/port.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'

export interface ClearDeps {
  database: Pick<Database, 'pool'>
  storage: Pick<Storage, 'remove'>
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
  const clear = async (rows: readonly { id: string; numbers: number[] }[]) => {
    for (const { id, numbers } of rows) {
      const paths = [
        storedPath.bookingImage(id, 'pickup_image'),
        storedPath.bookingImage(id, 'deliver_image'),
        ...numbers.flatMap((n) => [
          storedPath.stopImage(id, n, 'deliver_image'),
          storedPath.stopImage(id, n, 'signature'),
        ]),
      ]
      await Promise.all(paths.map((path) => storage.remove(path)))
    }
    await pool.query(
      `with proofs as (delete from delivery_proofs where booking_id = any($1::uuid[])),
          stops as (update delivery_stops set person = '', phone = '', email = null, instructions = null, code = null,
            done_location = null, received_by = null, scanned = null where booking_id = any($1::uuid[]))
        update deliveries set cleared_at = $2 where booking_id = any($1::uuid[])`,
      [rows.map(({ id }) => id), clock.now()],
    )
    return rows.length
  }

  const stopNumbers =
    '(select array_agg(s.n) from delivery_stops s where s.booking_id = d.booking_id) as numbers'

  return {
    clearEnded: async (before, limit) => {
      const { rows } = await pool.query<{ id: string; numbers: number[] }>(
        `select d.booking_id as id, ${stopNumbers} from deliveries d join ended_trips t on t.id = d.booking_id
          where d.cleared_at is null and d.booking_id < $1 and t.ended_at < $2 order by d.booking_id limit $3`,
        [idsUntil(before), before, limit],
      )
      return clear(rows)
    },
    clearSender: async (customer, limit) => {
      const { rows } = await pool.query<{ id: string; numbers: number[] }>(
        `select d.booking_id as id, ${stopNumbers} from ended_trips t join deliveries d on d.booking_id = t.id
          where t.customer = $1 and d.cleared_at is null limit $2`,
        [customer, limit],
      )
      return clear(rows)
    },
  }
}
