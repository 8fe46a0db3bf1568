import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from './config.ts'
import { checkLedger, formatCheck, isConsistent } from './features/ledger-check/check-ledger.ts'
import { migrate } from './platform/database/migrate.ts'
import { openForReading } from './platform/database/open-database.ts'
import { silentLog } from './platform/log/log.ts'

/** The command that replays the ledger and compares it with every balance, whether or not a server is running. */

/** There is nothing to check; `message` is printed as is. */
export class NotChecked extends Error {}

async function check(): Promise<{ lines: string[]; right: boolean }> {
  const { databaseUrl, databaseDirectUrl, dataDir } = readConfig()
  if (databaseUrl === undefined && !existsSync(join(dataDir, 'postgres'))) {
    throw new NotChecked(
      `No database found in ${dataDir}. Start the server first, or set DATA_DIR or DATABASE_URL.`,
    )
  }
  const { database, beside } = await openForReading({ databaseUrl, databaseDirectUrl, dataDir }, silentLog())
  try {
    // A database with a running server is migrated by that server.
    if (!beside) await migrate(database)
    const found = await checkLedger(database.pool)
    return { lines: formatCheck(found), right: isConsistent(found) }
  } finally {
    await database.close()
  }
}

/** Prints what was found; returns the exit code. */
export async function runLedgerCheck(): Promise<0 | 1> {
  const { lines, right } = await check()
  process.stdout.write(`${lines.join('\n')}\n`)
  return right ? 0 : 1
}
