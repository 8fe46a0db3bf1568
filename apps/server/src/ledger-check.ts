import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, readConfig } from './config.ts'
import { checkLedger, formatCheck, isConsistent } from './features/ledger-check/check-ledger.ts'
import { migrate } from './platform/database/migrate.ts'
import { openForReading } from './platform/database/open-database.ts'
import { DatabaseUnavailableError } from './platform/database/postgres-errors.ts'
import { describeError, silentLog } from './platform/log/log.ts'

/** The command that replays the ledger and compares it with every balance, whether or not a server is running. */

class NotChecked extends Error {}

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

const printableErrors = [ConfigError, DatabaseUnavailableError, NotChecked]

/** Prints what was found; returns the exit code. */
export async function runLedgerCheck(): Promise<0 | 1> {
  try {
    const { lines, right } = await check()
    process.stdout.write(`${lines.join('\n')}\n`)
    return right ? 0 : 1
  } catch (error) {
    const isPrintable = printableErrors.some((kind) => error instanceof kind)
    const message = isPrintable
      ? (error as Error).message
      : (describeError(error) as { stack?: string }).stack
    process.stderr.write(`\n${message}\n\n`)
    return 1
  }
}
