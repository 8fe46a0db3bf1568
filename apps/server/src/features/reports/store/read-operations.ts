import type { OperationFiguresView, OperationsView } from '@hansom/contract/reports'
import { areaCenter, type Outcome, outcomes } from '@hansom/domain/reports/operations'
import { cityDayStart, nextDay } from '@hansom/domain/time/city-time'
import { type SQL, sql } from 'drizzle-orm'
import type { Maps } from '../../../adapters/maps/port.ts'
import type { Queries } from '../../../platform/database/transaction.ts'
import { fieldError } from '../../../platform/tables/where.ts'
import { allTrips, zone } from './periods.ts'

/** The most areas and reasons shown. */
const mostAreas = 20
const mostReasons = 50

export interface OperationsQuery {
  scope: string
  /** Days in the city's time zone, both included. */
  from: string
  to: string
}

type Counts = Record<Outcome, number> & {
  by: 'total' | 'hour' | 'day' | 'car_type_id' | 'area'
  key: string | null
  bookings: number
  offers: number
  offered: number
  accepted: number
  acceptances: number
  accept: number[] | null
  pickup: number[] | null
}

/**
 * The operator's figures of a period; without requests to drivers for a fleet, whose bookings other fleets' drivers were asked
 * for as well. Throws invalid_input for a day that does not exist.
 */
export async function readOperations(
  queries: Queries,
  maps: Pick<Maps, 'address'>,
  { scope, from, to }: OperationsQuery,
): Promise<OperationsView> {
  const known = await queries.execute<{ timezone: string }>(sql`select ${zone} as timezone`)
  const timezone = known.rows[0]?.timezone ?? 'UTC'
  const [start, end] = [cityDayStart(from, timezone), cityDayStart(nextDay(to) ?? to, timezone)]
  if (start === null || end === null) throw fieldError('from')
  const where = sql.join(
    [
      sql`o.outcome is not null and o.tripdate >= ${start}::bigint and o.tripdate < ${end}::bigint`,
      ...(scope === allTrips ? [] : [sql`o.fleetadmin = ${scope}::uuid`]),
    ],
    sql` and `,
  )
  const { rows } = await queries.execute<Counts>(sql`
    with found as materialized (
      select o.*, to_timestamp(o.tripdate / 1000.0) at time zone ${timezone} as local
        from report_operations o where ${where})
    ${sql.join(
      groupings.map(([by, key]) => countBy(by, key)),
      sql` union all `,
    )}`)
  const reasons = await queries.execute<{ outcome: Outcome; reason: string | null; count: number }>(sql`
    select outcome, reason, count(*)::int as count from report_operations o
      where ${where} and outcome <> 'completed' group by 1, 2 order by 3 desc, 1, 2 limit ${mostReasons}`)
  const names = await queries.execute<{ id: string; name: string }>(sql`select id, name from car_type_facts`)
  const nameOf = new Map(names.rows.map(({ id, name }) => [id, name]))
  const counted = scope === allTrips ? rows : rows.map((row) => ({ ...row, ...noRequests }))
  const of = (by: Counts['by']) => counted.filter((row) => row.by === by)
  const total = of('total')[0]
  return {
    timezone,
    from,
    to,
    total: total ? figuresOf(total) : noFigures,
    hours: of('hour')
      .map((row) => ({ hour: Number(row.key), ...figuresOf(row) }))
      .sort((one, other) => one.hour - other.hour),
    days: of('day')
      .map((row) => ({ day: String(row.key), ...figuresOf(row) }))
      .sort((one, other) => one.day.localeCompare(other.day)),
    carTypes: of('car_type_id')
      .map((row) => ({
        car_type_id: String(row.key),
        name: nameOf.get(String(row.key)) ?? '',
        ...figuresOf(row),
      }))
      .sort(byBookings),
    areas: await Promise.all(
      of('area')
        .map((row) => ({ area: Number(row.key), ...figuresOf(row) }))
        .sort((one, other) => byBookings(one, other) || one.area - other.area)
        .slice(0, mostAreas)
        .map(async (one) => ({ ...one, ...(await namedArea(maps, one.area)) })),
    ),
    reasons: reasons.rows,
  }
}

const byBookings = (one: { bookings: number }, other: { bookings: number }) => other.bookings - one.bookings

const groupings = [
  ['total', sql`null`],
  ['hour', sql`extract(hour from local)::int::text`],
  ['day', sql`local::date::text`],
  ['car_type_id', sql`car_type_id::text`],
  ['area', sql`area::text`],
] as const satisfies readonly (readonly [Counts['by'], SQL])[]

const outcomeCounts = sql.raw(
  outcomes.map((one) => `count(*) filter (where outcome = '${one}')::int as "${one}"`).join(', '),
)

/** Counts the found rows by one key. */
function countBy(by: Counts['by'], key: SQL): SQL {
  return sql`
    select ${by} as by, ${key} as key, count(*)::int as bookings, ${outcomeCounts}, sum(offers)::int as offers,
        count(*) filter (where offers > 0)::int as offered,
        count(*) filter (where offers > 0 and acceptances > 0)::int as accepted,
        sum(least(acceptances, offers))::int as acceptances,
        percentile_disc(array[0.5, 0.9]) within group (order by accept_ms) as accept,
        percentile_disc(array[0.5, 0.9]) within group (order by pickup_ms) as pickup
      from found group by 2`
}

function figuresOf(row: Counts): OperationFiguresView {
  const { bookings, offers, offered, accepted, acceptances } = row
  return {
    bookings,
    outcomes: Object.fromEntries(outcomes.map((one) => [one, row[one]])) as Record<Outcome, number>,
    offers,
    offered,
    accepted,
    acceptances,
    acceptS: secondsOf(row.accept),
    pickupS: secondsOf(row.pickup),
  }
}

const noRequests = { offers: 0, offered: 0, accepted: 0, acceptances: 0 }

const noFigures: OperationFiguresView = {
  bookings: 0,
  outcomes: Object.fromEntries(outcomes.map((one) => [one, 0])) as Record<Outcome, number>,
  ...noRequests,
  acceptS: null,
  pickupS: null,
}

/** Both are null where nothing was measured. */
function secondsOf(ms: readonly (number | null)[] | null): { median: number; p90: number } | null {
  const [median, p90] = ms ?? []
  if (median == null || p90 == null) return null
  return { median: Number(median) / 1000, p90: Number(p90) / 1000 }
}

/** An area with what the map calls its center: the neighborhood or town, else the nearest street. */
async function namedArea(maps: Pick<Maps, 'address'>, area: number) {
  const center = areaCenter(area)
  const place = await maps.address(center).catch(() => null)
  const name = place?.detail.split(',')[0]?.trim() || place?.label || ''
  return { name, ...center }
}
