import type { OutstandingView } from '@hansom/contract/bookings'
import type { Person } from '@hansom/domain/access/relation'
import { outstandingOf } from '@hansom/domain/booking/outstanding'
import { mayCollect } from '@hansom/domain/users/eligibility'
import type { Pool } from 'pg'
import type { CurrentSettings } from '../../settings/service.ts'
import { bookingJson } from './rows.ts'

interface OwesRow {
  balance: number
  unpaid: object[]
  contested: number
  fees: OutstandingView['fees']
}

/** What a person owes and what it consists of. */
export async function readOutstanding(
  pool: Pool,
  { id, usertype }: Person,
  settings: CurrentSettings,
): Promise<OutstandingView> {
  const { rows } = await pool.query<OwesRow>(
    `select u.wallet_balance as balance,
        (select coalesce(jsonb_agg(to_jsonb(p) order by p.closed_at, p.id), '[]') from bookings p
          where p.customer = u.id and p.status = 'PENDING') as unpaid,
        (select coalesce(sum(p.outstanding_amount), 0)::bigint from bookings p
          where p.customer = u.id and p.objection = 'open' and p.status in ('PAID', 'COMPLETE')) as contested,
        (select coalesce(jsonb_agg(jsonb_build_object('id', b.id, 'booking_id', b.booking_id, 'at', d.at,
            'amount', d.open, 'kind', case b.status when 'CANCELLED' then 'fee' else 'trip' end)
            order by d.at, d.booking_id), '[]')
          from dues d join bookings b on b.id = d.booking_id where d.rider = u.id and d.open > 0) as fees
      from users u where u.id = $1`,
    [id],
  )
  const row = rows[0] ?? { balance: 0, unpaid: [], contested: 0, fees: [] }
  const unpaid = row.unpaid.map((one) => bookingJson.read(one))
  const collected = unpaid.filter(({ objection }) => objection !== 'open')
  const { balance: walletBalance, contested, fees } = row
  const isDriver = usertype === 'driver'
  return {
    total: outstandingOf({ walletBalance, unpaid: collected, contested }),
    below: Math.max(0, -walletBalance),
    contested,
    trips: unpaid.map((trip) => ({
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
