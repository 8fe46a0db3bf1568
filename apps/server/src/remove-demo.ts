import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError, readConfig } from './config.ts'
import { type OthersThanDemo, removeDemo } from './features/demo/remove-demo.ts'
import type { Database } from './platform/database/database.ts'
import { DatabaseUnavailableError } from './platform/database/database-error.ts'
import { isServed } from './platform/database/is-served.ts'
import { migrate } from './platform/database/migrate.ts'
import { openDatabase } from './platform/database/open-database.ts'
import { describeError } from './platform/log/describe-error.ts'
import { silentLog } from './platform/log/log.ts'

/** The command that takes the demo out of a database, so that the database can serve in earnest. */

const withOthersFlag = '--with-everybody'

class NotRemoved extends Error {}

async function remove(): Promise<string> {
  const { databaseUrl, dataDir } = readConfig()
  const unknown = process.argv.slice(2).filter((argument) => argument !== withOthersFlag)
  if (unknown.length > 0)
    throw new NotRemoved(`What is ${unknown.join(' ')}? There is only ${withOthersFlag}.`)
  if (databaseUrl === undefined && !existsSync(join(dataDir, 'postgres'))) {
    return `There is no database in ${dataDir}, so no demo either.`
  }
  const database = await openDatabase({ databaseUrl, dataDir }, silentLog())
  try {
    await migrate(database)
    // The embedded database is ours alone once it is open.
    if (!database.exclusive && (await isServed(database.pool))) {
      throw new NotRemoved('A server is still running on this database: stop it first.')
    }
    return await removeFrom(database, dataDir)
  } finally {
    await database.close()
  }
}

async function removeFrom(database: Database, dataDir: string): Promise<string> {
  const removal = await removeDemo(database, { withOthers: process.argv.includes(withOthersFlag) })
  if (removal.kind === 'none') return `There is no demo in ${database.describe()}.`
  if (removal.kind === 'others') throw new NotRemoved(wouldBeLost(removal.others))
  await rm(join(dataDir, 'simulator-password'), { force: true })
  return (
    `The demo is gone from ${database.describe()}: ${removal.people} people with all their trips and money, and its ` +
    'settings, car types, promos and reasons.\nThe next start outside of the demo prints the link for the first admin.'
  )
}

function wouldBeLost({ people, some, bookings }: OthersThanDemo): string {
  const more = people > some.length ? [`and ${people - some.length} more`] : []
  return (
    `Nothing was removed: besides the demo's there are ${people} people with ${bookings} bookings, and bookings and ` +
    `money cannot be taken apart.\n${[...some, ...more].map((line) => `  ${line}\n`).join('')}` +
    `To keep them, leave this database as it is and give the service another one, by DATA_DIR or DATABASE_URL.\n` +
    `To remove them as well:  npm run demo:remove -- ${withOthersFlag}`
  )
}

const forPeople = [ConfigError, DatabaseUnavailableError, NotRemoved]

try {
  process.stdout.write(`\n${await remove()}\n\n`)
  process.exit(0)
} catch (error) {
  const isForPeople = forPeople.some((kind) => error instanceof kind)
  const told = isForPeople ? (error as Error).message : (describeError(error) as { stack?: string }).stack
  process.stderr.write(`\n${told}\n\n`)
  process.exit(1)
}
