import type { Pool } from 'pg'
import { ConfigError, readConfig } from './config.ts'
import { fillLargeCity } from './features/large-city/fill-city.ts'
import { readSettings } from './features/settings/service.ts'
import type { Database } from './platform/database/database.ts'
import { DatabaseUnavailableError } from './platform/database/database-error.ts'
import { isServed } from './platform/database/is-served.ts'
import { migrate } from './platform/database/migrate.ts'
import { openDatabase } from './platform/database/open-database.ts'
import { describeError } from './platform/log/describe-error.ts'
import { silentLog } from './platform/log/log.ts'

/** The command that fills a database with the people and bookings of a large city, to see how everything does there. */

class NotSeeded extends Error {}

const usage = 'npm run seed -- --bookings 1000000 --users 50000 [--yes]'

interface Wanted {
  bookings: number
  users: number
  /** Also into a database that holds people. */
  yes: boolean
}

function readWanted(words: readonly string[]): Wanted {
  const wanted: Wanted = { bookings: 1_000_000, users: 50_000, yes: false }
  const rest = [...words]
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--yes') {
      wanted.yes = true
      continue
    }
    const name = (['bookings', 'users'] as const).find((known) => word === `--${known}`)
    const value = name === undefined ? Number.NaN : Number(rest.shift())
    if (name === undefined || !Number.isInteger(value) || value < 0 || value > 20_000_000) {
      throw new NotSeeded(`${word} is not understood. It is said like this:  ${usage}`)
    }
    wanted[name] = value
  }
  if (wanted.users < 20) throw new NotSeeded('A city has twenty people at least.')
  return wanted
}

async function seed(): Promise<string> {
  const wanted = readWanted(process.argv.slice(2))
  const { databaseUrl, dataDir } = readConfig()
  const database = await openDatabase({ databaseUrl, dataDir }, silentLog())
  try {
    await migrate(database)
    // The embedded database is ours alone once it is open.
    if (!database.exclusive && (await isServed(database.pool))) {
      throw new NotSeeded('A server is still running on this database: stop it first.')
    }
    if (!wanted.yes) await refusePeople(database.pool)
    return await fill(database, wanted)
  } finally {
    await database.close()
  }
}

async function refusePeople(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ people: number }>('select count(*)::int as people from users')
  const people = rows[0]?.people ?? 0
  if (people === 0) return
  throw new NotSeeded(
    `Nothing was made: this database holds ${people} people, and what is made cannot be told from what is theirs.\n` +
      'Choose another one, by DATA_DIR or DATABASE_URL, or say --yes.',
  )
}

async function fill(database: Database, { bookings, users }: Wanted): Promise<string> {
  const settings = await readSettings(database.db)
  const begun = performance.now()
  const told = (line: string) => process.stderr.write(`${line}\n`)
  await fillLargeCity(database, {
    bookings,
    users,
    settings,
    now: Date.now(),
    told,
  })
  const seconds = Math.round((performance.now() - begun) / 1000)
  return `${users} people and ${bookings} bookings are in ${database.describe()}, made in ${seconds} s.`
}

const forPeople = [ConfigError, DatabaseUnavailableError, NotSeeded]

try {
  process.stdout.write(`\n${await seed()}\n\n`)
  process.exit(0)
} catch (error) {
  const isForPeople = forPeople.some((kind) => error instanceof kind)
  const told = isForPeople ? (error as Error).message : (describeError(error) as { stack?: string }).stack
  process.stderr.write(`\n${told}\n\n`)
  process.exit(1)
}
