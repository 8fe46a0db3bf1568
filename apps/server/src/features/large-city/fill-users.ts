import type { PoolClient } from 'pg'
import { firstNames, lastNames } from './plan.ts'

/** Numbers of people by user type. */
export interface Crowd {
  fleets: number
  drivers: number
  riders: number
}

/** About one user in seventeen drives, and a fleet has about eighty drivers, as in a city of 50,000. */
export function crowdOf(users: number): Crowd {
  const drivers = Math.max(1, Math.round(users * 0.06))
  const fleets = Math.max(1, Math.round(drivers / 75))
  return { fleets, drivers, riders: Math.max(1, users - drivers - fleets) }
}

const yearMs = 365 * 24 * 3600 * 1000

/**
 * Creates fleet admins, drivers and riders of the last three years before `now`, who cannot sign in. Creates the
 * temporary table `made_people` (numbered from 1 for each user type) and the functions for ids and letters.
 */
export async function fillUsers(
  client: PoolClient,
  crowd: Crowd,
  now: number,
  currency: string,
): Promise<void> {
  // Version 7 UUIDs sort by creation time.
  await client.query(`create or replace function pg_temp.id_at(at bigint) returns uuid language sql volatile as $$
    select (lpad(to_hex(at), 12, '0') || '7' || substr(r, 1, 3) || '8' || substr(r, 4, 15))::uuid
      from md5(random()::text) r $$`)
  await client.query(
    `create temporary table made_people on commit drop as
      select n, usertype, at as created_at, pg_temp.id_at(at) as id, first_name, last_name,
          search_fold(first_name) || '.' || search_fold(last_name) || '.' || left(usertype, 1) || n || '@city.example'
            as email,
          '+5988' || kind || lpad(n::text, 6, '0') as mobile, luck, luck2
        from (
          select n, usertype, kind, ($1 - $2 * least(0.999, random() * 1.02)) ::bigint as at, random() as luck,
              random() as luck2,
              ($3::text[])[1 + floor(power(random(), 1.8) * cardinality($3::text[]))::int] as first_name,
              ($4::text[])[1 + floor(power(random(), 1.8) * cardinality($4::text[]))::int] as last_name
            from (values ('fleetadmin', 7, $5::int), ('driver', 8, $6::int), ('rider', 9, $7::int)) t(usertype, kind, most),
              generate_series(1, most) n) chosen`,
    [now, 3 * yearMs, firstNames, lastNames, crowd.fleets, crowd.drivers, crowd.riders],
  )
  await client.query(`create index on made_people (usertype, n)`)
  await client.query('analyze made_people')
  await client.query(
    `insert into users (id, created_at, first_name, last_name, email, mobile, usertype, approved, referral_id,
        created_by_admin, fleetadmin, car_type_id, vehicle_make, vehicle_model, vehicle_number, other_info,
        driver_active_status, lat, lng, bearing, located_at)
      select p.id, p.created_at, p.first_name, p.last_name, p.email, p.mobile, p.usertype, p.luck > 0.01,
          search_fold(p.first_name) || '-' || left(p.usertype, 1) || p.n, p.usertype = 'fleetadmin', f.id, c.id,
          case when c.id is not null then (array['Suzuki', 'Chevrolet', 'Hyundai', 'Renault', 'BYD'])[1 + p.n % 5] end,
          case when c.id is not null then (array['Celerio', 'Onix', 'HB20', 'Kwid', 'Dolphin'])[1 + p.n % 5] end,
          case when c.id is not null then 'S' || chr(65 + p.n % 26) || chr(65 + p.n / 26 % 26) || ' '
            || lpad((p.n * 7919 % 10000)::text, 4, '0') end,
          case when c.id is not null then (array['White', 'Silver', 'Grey', 'Red', 'Blue'])[1 + p.n / 5 % 5] end,
          isdriver and p.luck > 0.01 and p.luck2 < 0.4,
          case when isdriver then -34.9 + (p.luck - 0.5) * 0.06 end,
          case when isdriver then -56.15 + (p.luck2 - 0.5) * 0.2 end,
          case when isdriver then floor(p.luck * 360) end, case when isdriver then $1::bigint end
        from made_people p
          cross join lateral (select p.usertype = 'driver' as isdriver) is_a
          left join made_people f on isdriver and p.luck < 0.9 and f.usertype = 'fleetadmin'
            and f.n = 1 + floor(power(p.luck2, 1.2) * $2)::int
          left join (select id, row_number() over (order by position, id) - 1 as place, count(*) over () as types
            from car_types where archived_at is null) c
            on isdriver and c.place = floor(power(p.luck, 1.5) * c.types)::int`,
    [now, crowd.fleets],
  )
  // Wallet balances need ledger entries too.
  await client.query(
    `create temporary table made_credits on commit drop as
      select u.id as uid, pg_temp.id_at($1) as entry, 10000 * (1 + floor(p.luck2 * 2000))::bigint as amount
        from made_people p join users u on u.id = p.id where p.luck > 0.7 and p.usertype <> 'fleetadmin'`,
    [now],
  )
  await client.query(
    `insert into ledger_entries (id, at, kind, key, currency)
      select entry, $1, 'admin_credit', 'made:' || uid, $2 from made_credits`,
    [now, currency],
  )
  await client.query(`insert into ledger_legs (entry_id, position, account, user_id, amount, balance)
    select entry, 1, 'adjustment', null, -amount, null from made_credits
    union all select entry, 2, 'user:' || uid, uid, amount, amount from made_credits`)
  await client.query('update users set wallet_balance = amount from made_credits where id = uid')
}
