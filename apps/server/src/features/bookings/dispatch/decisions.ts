import type { DispatchDecision, RecentRequest } from '@hansom/contract/dispatch'
import type { Considered, ConsideredDriver, Strategy } from '@hansom/domain/dispatch/strategies'
import { Refusal } from '@hansom/domain/error-keys'
import type { Pool } from 'pg'

/** A decision about whom to ask, with the drivers it considered. */
export interface DecisionRecord extends Considered {
  booking_id: string
  wave: number
  at: number
  kind: 'ask' | 'wait' | 'none'
  strategy: Strategy
  rule: string | null
  radius: number
}

/** A driver sees the requests of this time, ms, and at most this number. */
const recentMs = 3 * 3_600_000
const mostRecent = 20
/** Distances that drivers see are rounded up to this, so that they reveal no pickup, km. */
const roundKm = 0.5

/** A repeated `wait` is written again after this time: a search that was restarted has other reasons, ms. */
const waitFreshMs = 30_000

/**
 * Records decisions, one for each wave of a booking. One that asked or gave up is taken once in a search, so it replaces
 * what is there: a `wait`, or a decision of a search that was restarted since. A `wait` replaces an older one, and a decision
 * of a wave that the booking, restarted, has not reached again.
 */
export async function recordDecisions(pool: Pool, records: readonly DecisionRecord[]): Promise<void> {
  if (records.length === 0) return
  const rows = records.map((record) => ({
    ...record,
    drivers: record.drivers.map((one) => ({
      ...one,
      km: rounded(one.km),
      arrivalS: Math.round(one.arrivalS),
      freeS: Math.round(one.freeS),
      idleS: Math.round(one.idleS),
    })),
    driver_ids: record.drivers.map(({ id }) => id),
  }))
  await pool.query({
    name: 'record-decisions',
    text: `insert into dispatch_decisions (booking_id, wave, at, kind, strategy, rule, radius_km, counts, drivers,
        driver_ids)
      select booking_id, wave, at, kind, strategy, rule, radius, counts, drivers, driver_ids
        from jsonb_to_recordset($1) as r(booking_id uuid, wave smallint, at bigint, kind text, strategy text, rule text,
          radius float8, counts jsonb, drivers jsonb, driver_ids uuid[])
      on conflict (booking_id, wave) do update set at = excluded.at, kind = excluded.kind, strategy = excluded.strategy,
        rule = excluded.rule, radius_km = excluded.radius_km, counts = excluded.counts, drivers = excluded.drivers,
        driver_ids = excluded.driver_ids
        where excluded.kind <> 'wait'
          or (dispatch_decisions.kind = 'wait' and excluded.at - dispatch_decisions.at >= $2)
          or (dispatch_decisions.kind <> 'wait' and exists (select from bookings b
            where b.id = excluded.booking_id and b.status = 'NEW' and b.wave < excluded.wave))`,
    values: [JSON.stringify(rows), waitFreshMs],
  })
}

const rounded = (km: number) => Math.round(km * 100) / 100

/** The decisions about a booking, the latest first, with the drivers' names. Throws not_found. */
export async function readDecisions(pool: Pool, booking: string): Promise<DispatchDecision[]> {
  const reply = await pool.query<{ found: boolean; decisions: DispatchDecision[] }>({
    name: 'read-decisions',
    text: `select exists (select from bookings where id = $1) as found, coalesce((select jsonb_agg(jsonb_build_object(
        'wave', d.wave, 'at', d.at, 'kind', d.kind, 'strategy', d.strategy, 'rule', d.rule, 'radiusKm', d.radius_km,
        'counts', d.counts,
        'drivers', (select coalesce(jsonb_agg(one || jsonb_build_object('name', coalesce(n.name, '')) order by place), '[]')
          from jsonb_array_elements(d.drivers) with ordinality as e(one, place)
          left join user_names n on n.id = (one->>'id')::uuid)) order by d.at desc, d.wave desc)
      from dispatch_decisions d where d.booking_id = $1), '[]') as decisions`,
    values: [booking],
  })
  const [row] = reply.rows
  if (!row?.found) throw new Refusal('not_found')
  return row.decisions
}

/**
 * What a driver's recent requests nearby came to, each request once: the driver's own distance, rounded, and nothing of
 * others or of the pickup.
 */
export async function readRecent(pool: Pool, driver: string, now: number): Promise<RecentRequest[]> {
  const reply = await pool.query<{ booking_id: string; at: number; own: ConsideredDriver }>({
    name: 'read-recent-requests',
    text: `select booking_id, at, jsonb_path_query_first(drivers, '$[*] ? (@.id == $id)', jsonb_build_object('id', $1::text)) as own
      from dispatch_decisions where driver_ids @> array[$1::uuid] and at > $2 and kind <> 'wait'
      order by at desc limit ${mostRecent * 5}`,
    values: [driver, now - recentMs],
  })
  const byBooking = new Map<string, RecentRequest>()
  for (const { booking_id, at, own } of reply.rows) {
    const known = byBooking.get(booking_id)
    // A later wave says only that the driver was asked before.
    if (known && own.reason !== 'offered') continue
    byBooking.set(booking_id, {
      at: known?.at ?? at,
      reason: own.reason,
      km: Math.max(1, Math.ceil(own.km / roundKm)) * roundKm,
    })
  }
  return [...byBooking.values()].slice(0, mostRecent)
}
