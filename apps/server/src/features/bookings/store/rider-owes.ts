import type { Booking } from '@hansom/domain/bookings/booking'
import type { RiderFacts } from '@hansom/domain/bookings/facts'
import { unpaidOf } from '@hansom/domain/bookings/outstanding'
import type { Pool } from 'pg'
import { bookingJson } from './rows.ts'

/** The result of `riderOwes`. */
export interface RiderOwes {
  balance: number
  trips: object[]
}

/** SQL for the facts that debt rules need about the user row `c`. Selects only what the partial indexes cover. */
export const riderOwes = `jsonb_build_object('balance', c.wallet_balance,
  'trips', (select coalesce(jsonb_agg(to_jsonb(p) order by p.closed_at, p.id), '[]') from (
    select * from bookings where customer = c.id and status = 'PENDING'
    union all select * from bookings where customer = c.id and objection = 'open' and status <> 'PENDING') p))`

export function readRiderOwes({ balance, trips }: RiderOwes): RiderFacts {
  return { walletBalance: balance, trips: trips.map((one): Booking => bookingJson.read(one)) }
}

/** A rider's trips that wait for payment, oldest first, without contested ones. */
export async function readUnpaid(pool: Pool, rider: string): Promise<string[]> {
  const { rows } = await pool.query<{ owes: RiderOwes }>(
    `select ${riderOwes} as owes from users c where c.id = $1`,
    [rider],
  )
  return rows.flatMap(({ owes }) => unpaidOf(readRiderOwes(owes)).map(({ id }) => id))
}
