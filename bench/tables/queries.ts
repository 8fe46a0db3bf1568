import { bookingsTableSpec } from '@hansom/contract/bookings-table'
import type { TableSpec } from '@hansom/contract/tables'
import { usersTableSpec } from '@hansom/contract/users-table'
import type { Actor } from '@hansom/domain/access/relation'
import { noDriverFound } from '@hansom/domain/bookings/status'
import { cityDay } from '@hansom/domain/time/city-time'
import type { Pool } from 'pg'
import type { TableQuery } from '../../apps/server/src/platform/tables/table.ts'

/** One table query of one user. */
export interface QueryCase {
  table: 'bookings' | 'users'
  actor: Actor
  query: TableQuery
}

/** The users in the queries: those with many bookings and those with few in the seeded city. */
interface Known {
  admin: Actor
  fleets: { many: string; few: string }
  drivers: { many: string; few: string }
  riders: { many: string; few: string }
  carTypes: string[]
  /** The cells with the most and the fewest pickups. */
  areas: number[]
  plate: string
  email: string
}

type Filters = Omit<TableQuery, 'sort' | 'cursor' | 'limit'>

/** Search terms: frequent, occasional, unique, at the start of words, absent. */
const commonWords = [
  'avenida',
  'maria',
  'rodriguez',
  'maria rodriguez',
  'an',
  'zulema',
  'zu',
  'xqzywk',
  'arocena zunino',
]

/** Combines every sort in both directions with no filter, every filter, search terms, and common pairs of filters. */
export async function makeQueries(pool: Pool, now: number, timezone: string): Promise<QueryCase[]> {
  const known = await findKnown(pool)
  const days = spans(now, timezone)
  const fleetadmin: Actor = { id: known.fleets.many, role: 'fleetadmin', approved: true }
  const words = [...commonWords, known.plate].map((q) => ({ q }))
  const ofBookings: Filters[] = [
    {},
    ...choices(bookingsTableSpec, 'status'),
    { status: 'COMPLETE,PAID' },
    { status: 'PENDING,PAYMENT_PENDING' },
    ...choices(bookingsTableSpec, 'payment_mode'),
    ...flags('bookLater'),
    ...ofOperations(known.areas),
    ...ofOperations(known.areas).map((filter) => ({ ...filter, tripdate: days[1] })),
    ...days.map((tripdate) => ({ tripdate })),
    ...known.carTypes.map((car_type_id) => ({ car_type_id })),
    ...Object.values(known.riders).map((customer) => ({ customer })),
    ...Object.values(known.drivers).map((driver) => ({ driver })),
    ...words,
    ...words.map((word) => ({ ...word, status: 'CANCELLED' })),
    { q: 'maria', status: 'PENDING' },
    { q: 'maria', tripdate: days[0] },
    { q: 'zulema', tripdate: days[0] },
    ...days.flatMap((tripdate) => ['COMPLETE', 'PENDING'].map((status) => ({ tripdate, status }))),
    { status: 'PENDING', payment_mode: 'card' },
    { bookLater: 'true', payment_mode: 'wallet_card', status: 'CANCELLED' },
  ]
  const fleets = Object.values(known.fleets).flatMap((id) => [
    { fleetadmin: id },
    { fleetadmin: id, status: 'PENDING' },
    { fleetadmin: id, status: 'CANCELLED' },
    { fleetadmin: id, tripdate: days[1] },
    { fleetadmin: id, q: 'zulema' },
  ])
  const ofPeople: Filters[] = [
    {},
    ...flags('approved'),
    { approval: 'waiting' },
    ...days.map((createdAt) => ({ createdAt })),
    ...words,
    { q: known.email },
    { q: 'maria', approved: 'false' },
    { q: 'city.example', approved: 'true' },
  ]
  const ofDrivers: Filters[] = [
    ...ofPeople,
    ...flags('queue'),
    ...flags('driverActiveStatus'),
    ...flags('located'),
    ...known.carTypes.map((car_type_id) => ({ car_type_id })),
  ]
  const fleetFilter = { fleetadmin: known.fleets.many }
  const types = ['rider', 'driver', 'fleetadmin', 'admin']
  return [
    ...questionsFor('bookings', known.admin, bookingsTableSpec.sorts, [...ofBookings, ...fleets]),
    ...questionsFor('bookings', fleetadmin, bookingsTableSpec.sorts, ofBookings),
    ...questionsFor('users', known.admin, usersTableSpec.sorts, [
      ...ofPeople,
      ...types.flatMap((usertype) =>
        (usertype === 'driver'
          ? [...ofDrivers, fleetFilter]
          : [...ofPeople, ...(usertype === 'rider' ? flags('guest') : [])]
        ).map((more) => ({
          ...more,
          usertype,
        })),
      ),
    ]),
    ...questionsFor(
      'users',
      fleetadmin,
      usersTableSpec.sorts.filter((sort) => sort !== 'walletBalance'),
      ofDrivers,
    ),
  ]
}

function questionsFor(
  table: QueryCase['table'],
  actor: Actor,
  sorts: readonly string[],
  filterSets: readonly Filters[],
): QueryCase[] {
  const both = sorts.flatMap((sort) => [sort, `-${sort}`])
  return filterSets.flatMap((filters) => both.map((sort) => ({ table, actor, query: { ...filters, sort } })))
}

function choices(spec: TableSpec, name: string): Filters[] {
  const filter = spec.filters[name]
  return filter?.kind === 'choice' ? filter.values.map((value) => ({ [name]: value })) : []
}

/** The filters behind the operator's figures; hours of the night and of the evening. */
const ofOperations = (areas: readonly number[]): Filters[] => [
  ...choices(bookingsTableSpec, 'outcome'),
  { reason: noDriverFound },
  ...[3, 18].map((hour) => ({ hour: `${hour}..${hour}` })),
  ...areas.map((area) => ({ area: `${area}..${area}` })),
  ...['offered', 'accepted', 'arrived'].flatMap(flags),
]

const flags = (name: string): Filters[] => ['true', 'false'].map((value) => ({ [name]: value }))

/** The last day, the last month, one month long ago, and everything until a year ago. */
function spans(now: number, timezone: string): [string, string, string, string] {
  const day = (ago: number) => cityDay(now - ago * 24 * 3600 * 1000, timezone)
  return [`${day(1)}..${day(0)}`, `${day(30)}..`, `${day(630)}..${day(600)}`, `..${day(365)}`]
}

async function findKnown(pool: Pool): Promise<Known> {
  const ids = async (text: string) => (await pool.query<{ id: string }>(text)).rows.map(({ id }) => id)
  const [plate] = await ids(
    `select vehicle_number as id from users where usertype = 'driver' order by id limit 1`,
  )
  const [email] = await ids(`select email as id from users where usertype = 'rider' order by id limit 1`)
  return {
    admin: { id: '01890000-0000-7000-8000-000000000001', role: 'admin', approved: true },
    fleets: await ends(pool, 'fleetadmin'),
    drivers: await ends(pool, 'driver'),
    riders: await ends(pool, 'customer'),
    areas: await areasOf(pool),
    carTypes: await ids('select id from car_types order by position'),
    plate: plate ?? '',
    email: email ?? '',
  }
}

async function areasOf(pool: Pool): Promise<number[]> {
  const { rows } = await pool.query<{ area: number }>(
    'select area from report_operations where area is not null group by area order by count(*) desc',
  )
  return [rows[0], rows.at(-1)].flatMap((row) => (row ? [row.area] : []))
}

async function ends(pool: Pool, column: string): Promise<{ many: string; few: string }> {
  const { rows } = await pool.query<{ many: string; few: string }>(
    `select (array_agg(id order by count desc))[1] as many, (array_agg(id order by count))[1] as few
      from (select ${column} as id, count(*) from bookings where ${column} is not null group by 1) counted`,
  )
  return rows[0] ?? { many: '', few: '' }
}
