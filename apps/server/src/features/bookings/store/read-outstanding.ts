import type { OutstandingView } from '@hansom/contract/bookings'
import type { Actor } from '@hansom/domain/access/relation'
import { contestedOf, outstandingOf, unpaidOf } from '@hansom/domain/bookings/amounts'
import { mayCollect } from '@hansom/domain/users/eligibility'
import type { Pool, PoolClient } from 'pg'
import type { CurrentSettings } from '../../settings/service.ts'
import { type RiderOwes, readRiderOwes, riderOwes } from './read-bookings.ts'

/** A rider's trips that wait for payment, oldest first, without contested ones. */
export async function readUnpaid(pool: Pool, rider: string): Promise<string[]> {
  const { rows } = await pool.query<{ owes: RiderOwes }>(
    `select ${riderOwes} as owes from user_facts c where c.id = $1`,
    [rider],
  )
  return rows.flatMap(({ owes }) => unpaidOf(readRiderOwes(owes)).map(({ id }) => id))
}

/** Those of some users who owe nothing that would be collected. */
export async function readDebtFree(client: PoolClient, users: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ id: string; owes: RiderOwes }>(
    `select c.id, ${riderOwes} as owes from user_facts c where c.id = any($1::uuid[])`,
    [users],
  )
  return rows.flatMap(({ id, owes }) => (outstandingOf(readRiderOwes(owes)) > 0 ? [] : id))
}

interface OwesRow {
  owes: RiderOwes
  fees: OutstandingView['fees']
}

/** A person's outstanding amount and its parts. */
export async function readOutstanding(
  pool: Pool,
  { id, role }: Actor,
  settings: CurrentSettings,
): Promise<OutstandingView> {
  const { rows } = await pool.query<OwesRow>(
    `select ${riderOwes} as owes,
        (select coalesce(jsonb_agg(jsonb_build_object('id', b.id, 'booking_id', b.booking_id, 'at', d.at,
            'amount', d.open, 'kind', case b.status when 'CANCELLED' then 'fee' else 'trip' end)
            order by d.at, d.booking), '[]')
          from booking_dues d join bookings b on b.id = d.booking where d.rider = c.id and d.open > 0) as fees
      from user_facts c where c.id = $1`,
    [id],
  )
  const { owes, fees } = rows[0] ?? { owes: { balance: 0, trips: [] }, fees: [] }
  const rider = readRiderOwes(owes)
  const { walletBalance } = rider
  const isDriver = role === 'driver'
  return {
    total: outstandingOf(rider),
    below: Math.max(0, -walletBalance),
    contested: contestedOf(rider),
    trips: rider.trips
      .filter(({ status }) => status === 'PENDING')
      .map((trip) => ({
        id: trip.id,
        booking_id: trip.booking_id,
        at: trip.tripdate,
        amount: trip.payableAmount,
        contested: trip.objection === 'open',
      })),
    fees,
    limit:
      isDriver && settings.negativeBalance && settings.driverDebtLimit > 0 ? settings.driverDebtLimit : null,
    cash_blocked: isDriver && !mayCollect(walletBalance, { ...settings, payment_mode: 'cash' }),
  }
}

/** What was returned to a booking's rider: refunds, also pending ones, and the waived part of its due; and the latter alone. */
export interface Returned {
  returned: number
  waived: number
}

export async function readReturned(pool: Pool, booking: string): Promise<Returned> {
  const { rows } = await pool.query<Returned>(
    `select returned_amount($1) as returned,
      coalesce((select d.waived from booking_dues d where d.booking = $1), 0)::bigint as waived`,
    [booking],
  )
  return rows[0] ?? { returned: 0, waived: 0 }
}
