import type { PoolClient } from 'pg'
import { planCityRoutes } from './plan.ts'

/** The city's units and currency, and the end of its history: epoch ms. */
export interface CityUnits {
  now: number
  currency: string
  decimal: number
  convert_to_mile: boolean
}

const yearMs = 365 * 24 * 3600 * 1000
const routeCount = 2_000
const batch = 50_000
/** Bookings in progress at `now`. */
const maxOpen = 500

/**
 * Creates bookings of the two years until `now`, more recent than old ones, in the order of their trips: most COMPLETE,
 * one in seven CANCELLED, some PAID or PENDING, and a few hundred in progress. Fares follow the car types' rules. Call
 * it with triggers off; it needs `made_people`. `told` gets the number of bookings so far.
 */
export async function fillBookings(
  client: PoolClient,
  count: number,
  city: CityUnits,
  told: (made: number) => void,
): Promise<void> {
  await prepare(client)
  const people = await client.query<{ riders: number; drivers: number }>(
    `select (select count(*)::int from made_people where usertype = 'rider') as riders,
      (select count(*)::int from made_drivers) as drivers`,
  )
  const { riders, drivers } = people.rows[0] ?? { riders: 0, drivers: 0 }
  const open = Math.min(maxOpen, Math.floor(count / 20), Math.floor(drivers / 2))
  const offset = Math.floor(Math.random() * 1e8)
  for (let from = 1; from <= count; from += batch) {
    const to = Math.min(count, from + batch - 1)
    const values = [from, to, count, open, riders, drivers, routeCount, city.now, 2 * yearMs]
    await client.query(insertion, [...values, city.currency, city.decimal, city.convert_to_mile, offset])
    told(to)
  }
  await client.query('drop table made_ways, made_drivers')
  await settleUsers(client)
}

async function prepare(client: PoolClient): Promise<void> {
  await client.query(
    `create temporary table made_ways on commit drop as
      select ordinality as n, way from jsonb_array_elements($1) with ordinality t(way, ordinality)`,
    [JSON.stringify(planCityRoutes(routeCount))],
  )
  await client.query(`create temporary table made_drivers on commit drop as
    select p.n, u.id, u.first_name || ' ' || u.last_name as name, u.mobile, u.vehicle_number, u.vehicle_make,
        u.vehicle_model, u.fleetadmin, c.id as car_type_id, c.name as car_type, c.image, c.cancel_slab, c.base_fare,
        c.rate_per_unit_distance, c.rate_per_hour, c.min_fare, c.convenience_fees, c.convenience_fee_type,
        jsonb_build_object('base_fare', c.base_fare, 'rate_per_unit_distance', c.rate_per_unit_distance, 'rate_per_hour',
          c.rate_per_hour, 'min_fare', c.min_fare, 'convenience_fees', c.convenience_fees, 'convenience_fee_type',
          c.convenience_fee_type) as fare_rule
      from made_people p join users u on u.id = p.id join car_types c on c.id = u.car_type_id
      where p.usertype = 'driver'`)
  await client.query('create unique index on made_drivers (n)')
  await client.query('create unique index on made_ways (n)')
  await client.query('analyze made_ways, made_drivers')
}

/** Sets which drivers are on a trip, and the users' ratings. */
async function settleUsers(client: PoolClient): Promise<void> {
  await client.query(`update users set queue = true from bookings b
    where b.driver = users.id and b.status in ('ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED')`)
  await client.query(`update users set rating_sum = r.sum, rating_count = r.count
    from (select driver, sum(rating) as sum, count(*) as count from bookings where rating is not null group by driver) r
    where r.driver = users.id and exists (select from made_people where id = users.id)`)
}

/**
 * $1..$2 numbers, $3 total, $4 in progress, $5 riders, $6 drivers, $7 routes, $8 now, $9 the time span, $10 currency,
 * $11 decimal, $12 miles, $13 first booking code. Bookings in progress come last, each with a different driver.
 */
const insertion = `
with chosen as materialized (
  select n, random() as r1, random() as r2, random() as r3, random() as r4, random() as r5, random() as r6,
    n - ($3::int - $4::int) as nth_open,
    $8::bigint - ($9::bigint * (1 - power(n / $3::float8, 0.8)))::bigint as at
  from generate_series($1::int, $2::int) n),
timed as (
  select *,
    case
      when nth_open > 0 then (array['NEW', 'NEW', 'NEW', 'PAYMENT_PENDING', 'ACCEPTED', 'ARRIVED', 'STARTED', 'STARTED',
        'STARTED', 'REACHED'])[1 + nth_open % 10]
      when r1 < 0.82 then 'COMPLETE' when r1 < 0.965 then 'CANCELLED' when r1 < 0.99 then 'PAID' else 'PENDING'
    end as status,
    case when nth_open > 0 then $8 - (r2 * 1800000)::bigint
      -- Few trips at night, most in the evening.
      else at - at % 86400000 + (3600000 * (array[3, 10, 11, 11, 12, 12, 13, 14, 15, 16, 16, 17, 18, 19, 20, 20, 21, 21,
        21, 22, 22, 23, 23, 24, 25])[1 + floor(r2 * 25)::int] + r3 * 3600000)::bigint - 86400000
    end as trip_at
  from chosen),
placed as (
  select t.*, status = 'NEW' and nth_open > 0 or r6 < 0.12 and nth_open <= 0 as book_later,
    case when status = 'NEW' then trip_at + 7200000 + (r3 * 172800000)::bigint else trip_at end as tripdate,
    status <> 'CANCELLED' and status not in ('NEW', 'PAYMENT_PENDING') or status = 'CANCELLED' and r4 < 0.5 as is_taken,
    1 + floor(power(r5, 1.7) * $5)::int as rider_n,
    case when nth_open > 0 then nth_open else 1 + floor(power(r4 * 2 - floor(r4 * 2), 1.3) * $6)::int end as driver_n,
    1 + floor((r1 * 1000 - floor(r1 * 1000)) * $7)::int as way_n
  from timed t),
counted as (
  select p.*, d.id as driver_id, d.name as driver_name, d.mobile as driver_mobile, d.vehicle_number, d.vehicle_make,
    d.vehicle_model, d.fleetadmin, d.car_type_id, d.car_type, d.image, d.fare_rule, d.cancel_slab, d.base_fare,
    w.way, (w.way->>'km')::float8 * (0.95 + 0.2 * r6) as km,
    (w.way->>'km')::float8 * (110 + 90 * r2) as seconds,
    d.rate_per_unit_distance, d.rate_per_hour, d.min_fare, d.convenience_fees as fee_rule, d.convenience_fee_type,
    case when book_later then tripdate - 3600000 - (r2 * 345600000)::bigint else tripdate - 240000 end as booked_at,
    power(10, 4 - least(4, greatest(0, $11::int)))::bigint as step
  from placed p join made_drivers d on d.n = p.driver_n join made_ways w on w.n = p.way_n),
priced as (
  select *, round(rate_per_unit_distance * case when $12::boolean then km / 1.609344 else km end)::bigint as by_distance,
    round(rate_per_hour * seconds / 3600)::bigint as by_time
  from counted),
fared as (
  select *, greatest(min_fare, base_fare + by_distance + by_time) as fare from priced),
costed as (
  select *, case convenience_fee_type when 'flat' then fee_rule else fare * fee_rule / 1000000 end as fee from fared),
rounded as (
  select *, round((fare + fee) / step::numeric)::bigint * step as trip_cost, round(fee / step::numeric)::bigint * step as fees
  from costed)
insert into bookings (id, booking_id, version, status, car_type_id, car_type, car_image, fare_rule, cancel_slab, decimal,
  convert_to_mile, currency, customer, customer_name, customer_contact, customer_email, driver, driver_name, driver_contact,
  vehicle_number, vehicle_make, vehicle_model, fleetadmin, pickup, drop, route, estimate, estimate_distance,
  estimate_time, distance, distance_filled, tripdate, booking_date, book_later, accepted_at, promised_arrival,
  driver_arrive_time, trip_start_time, trip_end_time, total_trip_time, closed_at, reason, cancelled_by, trip_cost,
  convenience_fees, driver_share, fare_parts, discount_amount, customer_paid, payment_mode, cash_payment_amount,
  used_wallet_money, card_payment_amount, promo_applied, rating)
select pg_temp.id_at(booked_at), code, case when is_done then 7 else 2 end, status, car_type_id, car_type, image, fare_rule,
  cancel_slab, $11, $12, $10, c.id, c.first_name || ' ' || c.last_name, c.mobile, c.email,
  case when is_taken then driver_id end, case when is_taken then driver_name end, case when is_taken then driver_mobile end,
  case when is_taken then vehicle_number end, case when is_taken then vehicle_make end,
  case when is_taken then vehicle_model end, case when is_taken then fleetadmin end,
  pg_temp.address(way->'from', r3), pg_temp.address(way->'to', r5), way->>'route', trip_cost, km, seconds,
  case when is_done then km end, case when is_done then 0 end, tripdate, booked_at, book_later,
  case when is_taken then tripdate - 200000 end, case when is_taken then tripdate end,
  case when is_driven then tripdate end, case when is_driven then tripdate + 60000 end,
  case when is_done then tripdate + 60000 + (seconds * 1000)::bigint end, case when is_done then seconds end,
  case when is_done then tripdate + 90000 + (seconds * 1000)::bigint end,
  case when status = 'CANCELLED' then (array['Changed my mind', 'Booked by mistake', 'The wait is too long',
    'No driver found'])[1 + floor(r2 * 4)::int] end,
  case when status <> 'CANCELLED' then null when r3 < 0.6 then 'rider' when r3 < 0.75 then 'driver'
    when r3 < 0.8 then 'admin' else 'system' end,
  trip_cost, fees, trip_cost - fees,
  jsonb_build_object('base', trip_cost - fees - by_distance - by_time, 'distance', by_distance, 'time', by_time, 'extras', 0,
    'minimum_top_up', 0, 'trip_cost', trip_cost, 'convenience_fees', fees, 'driver_share', trip_cost - fees),
  discount, paid, mode, case when mode = 'cash' then paid else 0 end, case when mode = 'wallet' then paid else 0 end,
  case when mode in ('card', 'wallet_card') then paid else 0 end, discount > 0,
  case when status = 'COMPLETE' and r5 < 0.6 then 5 - floor(power(r6, 4) * 4)::int end
from rounded
  join made_people c on c.usertype = 'rider' and c.n = rider_n
  cross join lateral (select status in ('PENDING', 'PAID', 'COMPLETE') as is_done,
    status in ('STARTED', 'REACHED', 'PENDING', 'PAID', 'COMPLETE') as is_driven,
    case when status in ('PAID', 'COMPLETE') and r2 < 0.05 then least(50 * step, trip_cost) else 0 end as discount,
    case when r6 < 0.62 then 'cash' when r6 < 0.85 then 'wallet' when r6 < 0.97 then 'card' else 'wallet_card' end as mode,
    pg_temp.code($13::bigint + rounded.n) as code) said
  cross join lateral (select case when status in ('PAID', 'COMPLETE') then trip_cost - discount else 0 end as paid) p
order by rounded.n`
