import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readConfig } from './config.ts'
import { checkLedger, formatCheck, isConsistent } from './features/ledger-check/check-ledger.ts'
import {
  BackupError,
  createBackup,
  filesInTheWay,
  isEmptyDatabase,
  readManifest,
  restoreBackup,
} from './platform/backup/backup.ts'
import { hasRunningServer, openDatabase, openForReading } from './platform/database/open-database.ts'
import { silentLog } from './platform/log/log.ts'

/** The commands `backup` and `restore`: the database at DATABASE_URL or under DATA_DIR, and the files under DATA_DIR. */

const overwriteFlag = '--overwrite'
const usage = `Usage:
  npm run backup -- [folder]                 back up into a new folder, while servers go on
  npm run restore -- folder [${overwriteFlag}]    restore it; no server may be running`

const say = (line: string) => process.stdout.write(`${line}\n`)

async function backup(folder: string, version: string): Promise<void> {
  const { databaseUrl, databaseDirectUrl, dataDir, objectStorage } = readConfig()
  if (databaseUrl === undefined && !existsSync(join(dataDir, 'postgres')))
    throw new BackupError(
      `No database found in ${dataDir}. Set DATA_DIR or DATABASE_URL to that of your server.`,
    )
  const { database } = await openForReading({ databaseUrl, databaseDirectUrl, dataDir }, silentLog())
  try {
    const { database: dump, files } = await createBackup({ database, dataDir, version }, folder)
    const rows = dump.tables.reduce((sum, table) => sum + table.rows, 0)
    say(
      `Backed up ${database.describe()} with ${rows} rows, and ${files.join(', ') || 'no files'}, into ${folder}`,
    )
    if (!files.includes('auth-secret'))
      say('The secret that signs sessions is not in it: keep AUTH_SECRET of your configuration.')
    if (objectStorage !== null)
      say('Pictures in the bucket are not in it: use the versions or copies of your storage.')
    say('It contains secrets and personal data: store it where only you can read it.')
  } finally {
    await database.close()
  }
}

async function restore(folder: string, overwrite: boolean): Promise<0 | 1> {
  const { databaseUrl, databaseDirectUrl, dataDir } = readConfig()
  const manifest = await readManifest(folder)
  const database = await openDatabase({ databaseUrl, databaseDirectUrl, dataDir }, silentLog())
  try {
    // An opened embedded database is exclusively ours.
    if (!database.exclusive && (await hasRunningServer(database.pool)))
      throw new BackupError('A server is still using this database. Stop it first.')
    const inTheWay = [
      ...((await isEmptyDatabase(database)) ? [] : [`the database ${database.describe()}`]),
      ...(await filesInTheWay(dataDir)).map((name) => join(dataDir, name)),
    ]
    if (inTheWay.length > 0 && !overwrite)
      throw new BackupError(
        `Nothing was restored, because this would be overwritten:\n${inTheWay.map((one) => `  ${one}\n`).join('')}` +
          `Choose an empty DATA_DIR or DATABASE_URL, or add ${overwriteFlag}.`,
      )
    await restoreBackup({ database, dataDir }, folder, manifest)
    say(
      `Restored the backup of ${manifest.at}, made by version ${manifest.version}, into ${database.describe()}`,
    )
    const check = await checkLedger(database.pool)
    say(formatCheck(check).join('\n'))
    return isConsistent(check) ? 0 : 1
  } finally {
    await database.close()
  }
}

export interface BackupCommand {
  /** `backup` or `restore`, and its arguments. */
  args: string[]
  /** The folder in which the command was typed: the path of a backup is relative to it. */
  typedIn: string
  /** Of this server. */
  version: string
}

/** Runs a command and prints its result; returns the exit code. Throws BackupError with what to do. */
export async function runBackupCommand({
  args: [command, ...given],
  typedIn,
  version,
}: BackupCommand): Promise<0 | 1> {
  const folders = given.filter((one) => one !== overwriteFlag)
  const overwrite = folders.length < given.length
  const [folder] = folders
  if (folders.length > 1 || folder?.startsWith('-')) throw new BackupError(usage)
  if (command === 'backup' && !overwrite) {
    const moment = new Date().toISOString().slice(0, 16).replace(':', '')
    await backup(resolve(typedIn, folder ?? `hansom-backup-${moment}`), version)
    return 0
  }
  if (command !== 'restore' || folder === undefined) throw new BackupError(usage)
  return restore(resolve(typedIn, folder), overwrite)
}
