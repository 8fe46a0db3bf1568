import type { Pool } from 'pg'
import { ConfigError, readConfig } from './config.ts'
import { fillLargeCity } from './features/large-city/fill-city.ts'
import { readSettings } from './features/settings/service.ts'
import type { Database } from './platform/database/database.ts'
import { migrate } from './platform/database/migrate.ts'
import { hasRunningServer, openDatabase } from './platform/database/open-database.ts'
import { DatabaseUnavailableError } from './platform/database/postgres-errors.ts'
import { silentLog } from './platform/log/log.ts'
import { printError } from './platform/log/print-error.ts'

/** The command that fills a database with the users and bookings of a large city, for performance tests. */

class NotSeeded extends Error {}

const usage = 'npm run seed -- --bookings 1000000 --users 50000 [--yes]'

interface Options {
  bookings: number
  users: number
  /** Allows a database that already contains users. */
  yes: boolean
}

function readOptions(args: readonly string[]): Options {
  const options: Options = { bookings: 1_000_000, users: 50_000, yes: false }
  const rest = [...args]
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--yes') {
      options.yes = true
      continue
    }
    const name = (['bookings', 'users'] as const).find((known) => arg === `--${known}`)
    const value = name === undefined ? Number.NaN : Number(rest.shift())
    if (name === undefined || !Number.isInteger(value) || value < 0 || value > 20_000_000) {
      throw new NotSeeded(`Invalid argument: ${arg}. Usage:  ${usage}`)
    }
    options[name] = value
  }
  if (options.users < 20) throw new NotSeeded('At least 20 users are required.')
  return options
}

async function seed(): Promise<string> {
  const options = readOptions(process.argv.slice(2))
  const { databaseUrl, databaseDirectUrl, dataDir } = readConfig()
  const database = await openDatabase({ databaseUrl, databaseDirectUrl, dataDir }, silentLog())
  try {
    await migrate(database)
    // An opened embedded database is exclusively ours.
    if (!database.exclusive && (await hasRunningServer(database.pool))) {
      throw new NotSeeded('A server is still using this database. Stop it first.')
    }
    if (!options.yes) await refuseUsers(database.pool)
    return await fill(database, options)
  } finally {
    await database.close()
  }
}

async function refuseUsers(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ people: number }>('select count(*)::int as people from user_roles')
  const people = rows[0]?.people ?? 0
  if (people === 0) return
  throw new NotSeeded(
    `Nothing was created: this database contains ${people} users, and generated data cannot be told apart from theirs.\n` +
      'Set DATA_DIR or DATABASE_URL to another database, or pass --yes.',
  )
}

async function fill(database: Database, { bookings, users }: Options): Promise<string> {
  const settings = await readSettings(database.db)
  const startedAt = performance.now()
  const told = (line: string) => process.stderr.write(`${line}\n`)
  await fillLargeCity(database, {
    bookings,
    users,
    settings,
    now: Date.now(),
    onProgress: told,
  })
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  return `Created ${users} users and ${bookings} bookings in ${database.describe()} in ${seconds} s.`
}

const printableErrors = [ConfigError, DatabaseUnavailableError, NotSeeded]

try {
  process.stdout.write(`\n${await seed()}\n\n`)
  process.exit(0)
} catch (error) {
  printError(error, printableErrors)
  process.exit(1)
}
