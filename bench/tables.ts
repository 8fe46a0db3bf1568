import { pathToFileURL } from 'node:url'
import { viewBooking } from '@hansom/domain/access/visible-booking'
import { countBookings, listBookings } from '../apps/server/src/features/bookings/store/list-bookings.ts'
import { readSettings } from '../apps/server/src/features/settings/service.ts'
import { countUsers, listUsers } from '../apps/server/src/features/users/admin/list-users.ts'
import type { Database } from '../apps/server/src/platform/database/database.ts'
import type { TableQuery } from '../apps/server/src/platform/tables/table.ts'
import { openSeededDatabase } from './seeded-database.ts'
import { makeQueries, type QueryCase } from './tables/queries.ts'

/**
 * The tables of bookings and users with a million bookings and 50,000 users: every sort in both directions with every
 * filter and with common, rare and absent search terms, as admin and as fleet admin; the first page, the next page, and
 * the count. `ours` is the slowest query in milliseconds (each the median of three, after one that fills the caches),
 * `p95` the 95th percentile. The limit is the back office's target.
 */
export interface TablesLine {
  job: string
  unit: string
  ours: number
  peer: number
  peer_name: string
  ratio: number
  p95: number
  questions: number
  slowest: string
}

const limitMs = 150
const pageRows = 50

interface Timed {
  what: string
  name: string
  ms: number
}

export async function run(): Promise<TablesLine[]> {
  const seeded = await openSeededDatabase()
  try {
    const timed = await askAll(seeded.database)
    const slow = timed.filter(({ ms }) => ms > limitMs).sort((a, b) => b.ms - a.ms)
    for (const { what, name, ms } of slow) console.error(`${ms.toFixed(0)} ms  ${what}  ${name}`)
    return ['bookings', 'users'].flatMap((table) => [
      lineOf(
        `tables ${table}`,
        timed.filter(({ what }) => what.startsWith(`${table} page`)),
      ),
      lineOf(
        `tables ${table} count`,
        timed.filter(({ what }) => what === `${table} count`),
      ),
    ])
  } finally {
    await seeded.close()
  }
}

function lineOf(job: string, timed: readonly Timed[]): TablesLine {
  const sorted = [...timed].sort((a, b) => a.ms - b.ms)
  const slowest = sorted.at(-1)
  const ours = rounded(slowest?.ms ?? 0)
  const p95 = rounded(sorted[Math.floor(sorted.length * 0.95)]?.ms ?? 0)
  const line = { job, unit: 'ms', ours, peer: limitMs, peer_name: 'limit', ratio: rounded(limitMs / ours) }
  return { ...line, p95, questions: timed.length, slowest: slowest?.name ?? '' }
}

const rounded = (value: number) => Math.round(value * 10) / 10

async function askAll(database: Database): Promise<Timed[]> {
  const settings = { ...(await readSettings(database.db)), AllowCriticalEditsAdmin: true }
  const { timezone } = settings
  const time = { now: Date.now(), timezone, hidesContacts: false }
  const shown = { hidesContacts: false, fileUrl: () => null, timezone }
  const page = {
    bookings: async ({ actor }: QueryCase, query: TableQuery) => {
      const { items, next } = await listBookings(database, actor, query, time)
      return { items: items.map((booking) => viewBooking(booking, actor, settings)), next }
    },
    users: ({ actor }: QueryCase, query: TableQuery) => listUsers(database.db, actor, query, shown),
  }
  const count = {
    bookings: ({ actor, query }: QueryCase) => countBookings(database, actor, query, time),
    users: ({ actor, query }: QueryCase) => countUsers(database.db, actor, query, shown),
  }
  const questions = await makeQueries(database.pool, time.now, timezone)
  const counted = new Set<string>()
  const timed: Timed[] = []
  for (const question of questions) {
    const { table, actor, query } = question
    const name = `${actor.role} ${new URLSearchParams(query as Record<string, string>)}`
    const first = { ...query, limit: pageRows }
    const { next } = await page[table](question, first)
    timed.push({ what: `${table} page`, name, ms: await median(() => page[table](question, first)) })
    if (next !== null) {
      const after = { ...first, cursor: next }
      timed.push({ what: `${table} page after`, name, ms: await median(() => page[table](question, after)) })
    }
    const { sort: _sort, ...filters } = query
    const key = `${table} ${actor.role} ${JSON.stringify(filters)}`
    if (counted.has(key)) continue
    counted.add(key)
    await count[table](question)
    timed.push({ what: `${table} count`, name, ms: await median(() => count[table](question)) })
  }
  return timed
}

async function median(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let time = 0; time < 3; time++) {
    const startedAt = performance.now()
    await work()
    times.push(performance.now() - startedAt)
  }
  return times.sort((a, b) => a - b)[1] as number
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const line of await run()) console.log(JSON.stringify(line))
}
