import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError, readConfig } from './config.ts'
import { type OtherUsers, removeDemo } from './features/demo/remove-demo.ts'
import type { Database } from './platform/database/database.ts'
import { migrate } from './platform/database/migrate.ts'
import { hasRunningServer, openDatabase } from './platform/database/open-database.ts'
import { DatabaseUnavailableError } from './platform/database/postgres-errors.ts'
import { silentLog } from './platform/log/log.ts'
import { printError } from './platform/log/print-error.ts'

/** The command that removes the demo from a database, so that it can be used in production. */

const withOthersFlag = '--with-everybody'

class NotRemoved extends Error {}

async function remove(): Promise<string> {
  const { databaseUrl, databaseDirectUrl, dataDir } = readConfig()
  const unknown = process.argv.slice(2).filter((argument) => argument !== withOthersFlag)
  if (unknown.length > 0)
    throw new NotRemoved(`Unknown argument: ${unknown.join(' ')}. The only option is ${withOthersFlag}.`)
  if (databaseUrl === undefined && !existsSync(join(dataDir, 'postgres'))) {
    return `No database found in ${dataDir}, so there is no demo to remove.`
  }
  const database = await openDatabase({ databaseUrl, databaseDirectUrl, dataDir }, silentLog())
  try {
    await migrate(database)
    // An opened embedded database is exclusively ours.
    if (!database.exclusive && (await hasRunningServer(database.pool))) {
      throw new NotRemoved('A server is still using this database. Stop it first.')
    }
    return await removeFrom(database, dataDir)
  } finally {
    await database.close()
  }
}

async function removeFrom(database: Database, dataDir: string): Promise<string> {
  const removal = await removeDemo(database, {
    withOthers: process.argv.includes(withOthersFlag),
    removeFolder: (folder) => rm(join(dataDir, 'files', folder), { recursive: true, force: true }),
  })
  if (removal.kind === 'none') return `No demo found in ${database.describe()}.`
  if (removal.kind === 'others') throw new NotRemoved(wouldBeLost(removal.others))
  await rm(join(dataDir, 'simulator-password'), { force: true })
  return (
    `Removed the demo from ${database.describe()}: ${removal.people} users with all their trips and money, and its ` +
    'settings, car types, promos and cancel reasons.\nThe next start outside demo mode prints the link for creating the first admin.'
  )
}

function wouldBeLost({ people, some, bookings }: OtherUsers): string {
  const more = people > some.length ? [`and ${people - some.length} more`] : []
  return (
    `Nothing was removed: the database also contains ${people} other users with ${bookings} bookings, and bookings and ` +
    `money cannot be separated.\n${[...some, ...more].map((line) => `  ${line}\n`).join('')}` +
    `To keep them, leave this database unchanged and set DATA_DIR or DATABASE_URL to another one.\n` +
    `To remove them too:  npm run demo:remove -- ${withOthersFlag}`
  )
}

const printableErrors = [ConfigError, DatabaseUnavailableError, NotRemoved]

try {
  process.stdout.write(`\n${await remove()}\n\n`)
  process.exit(0)
} catch (error) {
  printError(error, printableErrors)
  process.exit(1)
}
