import type { DriverState, Position } from '@hansom/contract/tracking'
import { Refusal } from '@hansom/domain/error-keys'
import { blocksOf } from '@hansom/domain/users/driver-blocks'
import type { Pool } from 'pg'
import type { DriverIndex } from '../../../adapters/driver-index/port.ts'
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
}

/** What a driver's console shows: whether requests can come, and why not, and today's work in the city's time. */
export async function readDriverState(
  { pool, driverIndex }: StateDeps,
  driver: string,
  settings: CurrentSettings,
  now: number,
): Promise<DriverState> {
  const reply = await pool.query<StateRow>({
    name: 'driver-state',
    text: `select u.driver_active_status as active, u.queue, u.approved, u.car_type_id, u.wallet_balance,
        count(b.id) as trips, coalesce(sum(b.driver_share), 0)::bigint as earnings
      from users u left join bookings b on b.driver = u.id and b.status in ('PAID', 'COMPLETE')
        and b.closed_at >= (extract(epoch from date_trunc('day', to_timestamp($2 / 1000.0), $3)) * 1000)::bigint
      where u.id = $1 and u.usertype = 'driver' group by u.id`,
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
        located_at: location && location.at,
        carType: row.car_type_id,
        walletBalance: row.wallet_balance,
      },
      { negativeBalance: settings.negativeBalance, now },
    ),
    today: { trips: row.trips, earnings: row.earnings, cash_owed: Math.max(0, -row.wallet_balance) },
  }
}
