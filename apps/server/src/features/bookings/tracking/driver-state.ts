import type { DriverState, Position } from '@hansom/contract/tracking'
import { Refusal } from '@hansom/domain/error-keys'
import { blocksOf } from '@hansom/domain/users/driver-blocks'
import type { Pool } from 'pg'
import type { DriverIndex } from '../../../adapters/driver-index/port.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { CurrentSettings } from '../../settings/service.ts'

interface StateRow {
  active: boolean
  queue: boolean
  approved: boolean
  car_type_id: string | null
  wallet_balance: number
  trips: number
  earnings: number
}

export interface StateDeps {
  pool: Pool
  driverIndex: DriverIndex
  clock: Pick<Clock, 'now' | 'elapsed'>
}

/**
 * The state of a driver's console: whether requests can arrive, why not, and the day's earnings in the city's time
 * zone. These equal the amount earned on the earnings page for today: trips by tripdate, cancellation fees and bonuses,
 * less refunds. Bonuses are looked up by the people they were paid for (the driver and people they referred), which
 * avoids scanning all bonuses of the day.
 */
export async function readDriverState(
  { pool, driverIndex, clock }: StateDeps,
  driver: string,
  settings: CurrentSettings,
): Promise<DriverState> {
  const now = clock.now()
  const reply = await pool.query<StateRow>({
    name: 'driver-state',
    text: `select u.driver_active_status as active, u.queue, u.approved, u.car_type_id, u.wallet_balance,
        work.trips, (work.brought + bonus.sum - refund.sum)::bigint as earnings
      from users u,
        lateral (select date_trunc('day', to_timestamp($2 / 1000.0) at time zone $3) as midnight) city,
        lateral (select (extract(epoch from midnight at time zone $3) * 1000)::bigint as starts,
          (extract(epoch from (midnight + interval '1 day') at time zone $3) * 1000)::bigint as ends) day,
        lateral (select count(*) filter (where b.status <> 'CANCELLED') as trips,
            coalesce(sum(case b.status when 'CANCELLED' then b.cancellation_fee else b.driver_share end
            - coalesce((select d.open + d.waived from dues d where d.booking_id = b.id), 0)), 0) as brought
          from bookings b where b.driver = u.id and b.tripdate >= day.starts and b.tripdate < day.ends
            and b.status in ('PAID', 'COMPLETE', 'CANCELLED')) work,
        lateral (select coalesce(sum(l.amount), 0) as sum
          from (select u.id union all select n.id from users n where n.signup_via_referral = u.id) newcomer
            join ledger_entries e on e.key = 'referral:' || newcomer.id
            join ledger_legs l on l.entry_id = e.id and l.user_id = u.id
          where e.at >= day.starts and e.at < day.ends) bonus,
        lateral (select coalesce(sum(r.amount), 0) as sum from refunds r
          where r.driver = u.id and r.at >= day.starts and r.at < day.ends and r.state <> 'failed') refund
      where u.id = $1 and u.usertype = 'driver'`,
    values: [driver, now, settings.timezone],
  })
  const row = reply.rows[0]
  if (!row) throw new Refusal('not_found')
  const seen = await driverIndex.get(driver)
  const location: Position | null = seen && {
    lat: seen.lat,
    lng: seen.lng,
    at: seen.at,
    bearing: seen.bearing,
  }
  return {
    driverActiveStatus: row.active,
    queue: row.queue,
    approved: row.approved,
    location,
    blocked: blocksOf(
      {
        id: driver,
        usertype: 'driver',
        approved: row.approved,
        queue: row.queue,
        driverActiveStatus: row.active,
        location,
        // The age counts from when the server heard from the driver: clocks may have been set since.
        located_at: seen && now - (clock.elapsed() - seen.heardAt),
        carType: row.car_type_id,
        walletBalance: row.wallet_balance,
      },
      { ...settings, now },
    ),
    today: { trips: row.trips, earnings: row.earnings, cash_owed: Math.max(0, -row.wallet_balance) },
  }
}
