import type { OutstandingView } from '@hansom/contract/bookings'
import type { Person } from '@hansom/domain/access/relation'
import { contestedOf, outstandingOf } from '@hansom/domain/bookings/outstanding'
import { mayCollect } from '@hansom/domain/users/eligibility'
import type { Pool } from 'pg'
import type { CurrentSettings } from '../../settings/service.ts'
import { type RiderOwes, readRiderOwes, riderOwes } from './rider-owes.ts'

interface OwesRow {
  owes: RiderOwes
  fees: OutstandingView['fees']
}

/** A person's outstanding amount and its parts. */
export async function readOutstanding(
  pool: Pool,
  { id, usertype }: Person,
  settings: CurrentSettings,
): Promise<OutstandingView> {
  const { rows } = await pool.query<OwesRow>(
    `select ${riderOwes} as owes,
        (select coalesce(jsonb_agg(jsonb_build_object('id', b.id, 'booking_id', b.booking_id, 'at', d.at,
            'amount', d.open, 'kind', case b.status when 'CANCELLED' then 'fee' else 'trip' end)
            order by d.at, d.booking_id), '[]')
          from dues d join bookings b on b.id = d.booking_id where d.rider = c.id and d.open > 0) as fees
      from users c where c.id = $1`,
    [id],
  )
  const { owes, fees } = rows[0] ?? { owes: { balance: 0, trips: [] }, fees: [] }
  const rider = readRiderOwes(owes)
  const { walletBalance } = rider
  const isDriver = usertype === 'driver'
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
