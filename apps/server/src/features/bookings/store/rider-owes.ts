import type { Booking } from '@hansom/domain/booking/booking'
import type { RiderFacts } from '@hansom/domain/booking/facts'
import type { Pool } from 'pg'
import { bookingJson } from './rows.ts'

/** What `riderOwes` reads. */
export interface RiderOwes {
  balance: number
  unpaid: object[]
  contested: number
}

/**
 * SQL for what the customer of booking `b`, with the user row `c`, owes besides it: trips that wait to be paid, and outstanding
 * amounts that an objection contests.
 */
export const riderOwes = `jsonb_build_object('balance', c.wallet_balance,
  'unpaid', (select coalesce(jsonb_agg(to_jsonb(p) order by p.closed_at, p.id), '[]') from bookings p
    where p.customer = b.customer and p.status = 'PENDING' and p.id <> b.id and p.objection is distinct from 'open'),
  'contested', (select coalesce(sum(p.outstanding_amount), 0) from bookings p
    where p.customer = b.customer and p.objection = 'open' and p.status in ('PAID', 'COMPLETE')))`

export function readRiderOwes({ balance, unpaid, contested }: RiderOwes): RiderFacts {
  return {
    walletBalance: balance,
    unpaid: unpaid.map((one): Booking => bookingJson.read(one)),
    contested,
  }
}

/** A rider's trips that wait to be paid, oldest first; those the rider objects to are left out. */
export async function readUnpaid(pool: Pool, rider: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select id from bookings where customer = $1 and status = 'PENDING' and objection is distinct from 'open'
      order by closed_at, id`,
    [rider],
  )
  return rows.map(({ id }) => id)
}
