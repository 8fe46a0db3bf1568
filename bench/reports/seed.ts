import type { Pool } from 'pg'

/** How large the city is. */
export interface CitySize {
  bookings: number
  riders: number
  drivers: number
  fleets: number
}

const carType = '01890000-0000-7000-8000-000000000001'
const idOf = (kind: number, number: string) =>
  `('01890000-0000-7000-${8000 + kind}-' || lpad((${number})::text, 12, '0'))::uuid`

/**
 * A city with two years of bookings up to `now` (epoch ms): nine in ten driven, one cancelled, a few hundred under way.
 * Written with the triggers of the reports off, as a bulk load should be; `rebuild_reports` makes the sums.
 */
export async function seedCity(pool: Pool, size: CitySize, now: number): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0; set synchronous_commit = off')
    await client.query(
      `insert into car_types (id, name, base_fare, rate_per_unit_distance, rate_per_hour, min_fare, convenience_fees,
        convenience_fee_type, created_at) values ($1, 'Economy', 1, 1, 1, 1, 1, 'percentage', 0)`,
      [carType],
    )
    const people = async (kind: number, usertype: string, count: number, more: string, values: string) =>
      client.query(
        `insert into users (id, created_at, first_name, last_name, email, usertype, approved, referral_id ${more})
          select ${idOf(kind, 'n')}, 0, '${usertype}', n::text, '${usertype}' || n || '@bench.test', '${usertype}', true,
            '${usertype}' || n ${values} from generate_series(0, ${count - 1}) n`,
      )
    await people(1, 'fleetadmin', size.fleets, '', '')
    await people(2, 'rider', size.riders, '', '')
    await people(
      3,
      'driver',
      size.drivers,
      ', car_type_id, vehicle_number, fleetadmin',
      `, '${carType}', 'SBA ' || n, case when n % 2 = 0 then ${idOf(1, `n / 2 % ${size.fleets}`)} end`,
    )
    await client.query('alter table bookings disable trigger user')
    await client.query(bookings(size), [now])
    await client.query('alter table bookings enable trigger user')
    await client.query(`select rebuild_reports('America/Montevideo')`)
    await client.query('vacuum (analyze) bookings')
    await client.query('analyze')
  } finally {
    // Its settings end with the connection.
    client.release(true)
  }
}

/** The last few hundred are under way; of the rest every tenth was cancelled. Fees and shares differ from trip to trip. */
function bookings({ bookings: count, riders, drivers, fleets }: CitySize): string {
  return `
    insert into bookings (id, booking_id, status, car_type_id, car_type, fare_rule, cancel_slab, decimal, convert_to_mile,
        currency, customer, customer_name, customer_email, driver, fleetadmin, pickup, "drop", route, estimate,
        estimate_distance, estimate_time, tripdate, booking_date, book_later, cancelled_by, trip_cost, convenience_fees,
        driver_share, fare_parts, discount_amount, payment_mode)
      select ${idOf(4, 'n')}, 'B' || n, status, '${carType}', 'Economy', '{}', '[]', 2, false, 'UYU',
          ${idOf(2, `mix % ${riders}`)}, 'rider', 'rider@bench.test',
          case when status not in ('NEW', 'PAYMENT_PENDING') then ${idOf(3, 'driver')} end,
          case when status not in ('NEW', 'PAYMENT_PENDING') and driver % 2 = 0
            then ${idOf(1, `driver / 2 % ${fleets}`)} end,
          '{"lat": -34.9, "lng": -56.17, "add": "a"}', '{"lat": -34.88, "lng": -56.12, "add": "b"}', '', fee + share, 5,
          600, tripdate, tripdate, false, case status when 'CANCELLED' then 'rider' end, fee + share, fee, share, '{}',
          case when mix % 13 = 0 then (fee + share) / 10 else 0 end, 'cash'
        from (
          select n, mix, mix / 7 % ${drivers} as driver, 50000 + mix % 90001 as fee, 400000 + mix % 1700011 as share,
              ($1::bigint - 730::bigint * 86400000 + n::bigint * 730 * 86400000 / ${count}) as tripdate,
              case when n < ${count - 800} then case when n % 10 = 0 then 'CANCELLED' else 'COMPLETE' end
                when n % 4 = 0 then 'PENDING' when n % 4 = 1 then 'NEW' else 'PAID' end as status
            from (select n, (n::bigint * 2654435761 % 4294967296) as mix from generate_series(0, ${count - 1}) n) mixed) rows`
}
