import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { Config } from './config.ts'
import { checkLedger, isConsistent } from './features/ledger-check/check-ledger.ts'
import { type Database, DatabasePool } from './platform/database/database.ts'
import { appliedMigrations, findServerFolder } from './platform/database/migrate.ts'
import { hasRunningServer, openForReading } from './platform/database/open-database.ts'
import { readVersion } from './platform/database/open-outside.ts'
import { isPooled, missingLimits } from './platform/database/pooler.ts'
import { readLag } from './platform/database/replica.ts'
import { countSharedServers } from './platform/database/shared-servers.ts'
import { failedByName, hasQueue, mostOverdue } from './platform/jobs/job-table.ts'
import { silentLog } from './platform/log/log.ts'

/** What an examination found. A problem must be mended; a warning is worth reading. Texts contain no secret. */
export interface Finding {
  level: 'ok' | 'warning' | 'problem'
  text: string
}

export const ok = (text: string): Finding => ({ level: 'ok', text })
export const warning = (text: string): Finding => ({ level: 'warning', text })
export const problem = (text: string): Finding => ({ level: 'problem', text })

/** Examines the database and the work in it. An embedded one is started for it, unless it runs. */
export async function checkDatabase(
  config: Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'dataDir'> & {
    /** Several servers use it. */
    isShared: boolean
  },
): Promise<Finding[]> {
  const { databaseUrl, databaseDirectUrl, isShared, dataDir } = config
  if (databaseUrl === undefined && !existsSync(join(dataDir, 'postgres')))
    return [ok('No database yet: the first start creates it')]
  let database: Database
  try {
    database = (await openForReading({ databaseUrl, databaseDirectUrl, dataDir }, silentLog())).database
  } catch (error) {
    return [problem((error as Error).message)]
  }
  try {
    // A server that is alone uses DATABASE_DIRECT_URL only.
    const isUsed = databaseDirectUrl !== undefined && isShared
    const limits = isUsed && databaseUrl !== undefined ? await checkPooler(databaseUrl) : []
    return [ok(database.describe()), ...limits, ...(await checkContent(database))]
  } catch (error) {
    return [problem(`The database cannot be read: ${(error as Error).message}`)]
  } finally {
    await database.close()
  }
}

/** The limits of a statement hold behind a pooler only as settings of the role. */
async function checkPooler(url: string): Promise<Finding[]> {
  const pool = new DatabasePool({ connectionString: url, max: 1, connectionTimeoutMillis: 10_000 })
  try {
    const client = await pool.connect()
    const pooled = await isPooled(client).finally(() => client.release())
    if (!pooled) return []
    const missing = await missingLimits(pool)
    if (missing === null) return [ok('The pooler answers, and statements through it have a time limit')]
    return [
      problem(
        `Statements outside of transactions have no time limit behind the pooler. Execute, and restart the pooler: ${missing}`,
      ),
    ]
  } catch (error) {
    return [problem(`The pooler at DATABASE_URL does not answer: ${(error as Error).message}`)]
  } finally {
    await pool.end()
  }
}

const mostLagS = 30

export async function checkReplica({
  databaseReplicaUrl: url = '',
  databaseDirectUrl,
  databaseUrl,
}: Pick<Config, 'databaseReplicaUrl' | 'databaseDirectUrl' | 'databaseUrl'>): Promise<Finding> {
  const pool = new DatabasePool({ connectionString: url, max: 1, connectionTimeoutMillis: 10_000 })
  const lag = await readLag(pool).finally(() => pool.end())
  if (lag === null)
    return problem(
      'The replica at DATABASE_REPLICA_URL does not answer, or is none. Until then, reports are read from the database.',
    )
  const [own, followed] = await Promise.all(
    [databaseDirectUrl ?? databaseUrl, url].map((connectionString) =>
      readVersion({ connectionString, connectionTimeoutMillis: 10_000 }, '').catch(() => undefined),
    ),
  )
  if (own?.identity === null || followed?.identity === null)
    return problem(
      'Which database the replica follows cannot be read, and reports need it. Allow the users of both URLs to execute ' +
        'pg_control_system(), or unset DATABASE_REPLICA_URL.',
    )
  if (own !== undefined && own.identity !== followed?.identity)
    return problem(
      'The replica at DATABASE_REPLICA_URL follows another database. Until then, reports are read from the database.',
    )
  const text = `The replica for reports is ${lag.toFixed(1)} s behind`
  return lag <= mostLagS
    ? ok(text)
    : problem(`${text}: reports are read from the database. Look at the replica's log and its disk.`)
}

const mostSkewMs = 2_000
const overdueS = 120

async function checkContent(database: Database): Promise<Finding[]> {
  const { pool } = database
  const findings = [await checkClock(database)]
  const client = await pool.connect()
  const applied = await appliedMigrations(client).finally(() => client.release())
  const known = readMigrationFiles({ migrationsFolder: findServerFolder('migrations') }).map(
    ({ hash }) => hash,
  )
  const pending = known.filter((hash) => !applied.has(hash)).length
  const newer = [...applied].filter((hash) => !known.includes(hash)).length
  if (newer > 0) {
    findings.push(
      problem(
        'A newer version has used this database. Install that version, or restore a backup of this one.',
      ),
    )
    return findings
  }
  if (pending > 0) {
    findings.push(
      warning(`The next start changes the database (${pending} migrations): make a backup before.`),
    )
    return findings
  }
  findings.push(ok('The database belongs to this version'))
  const check = await checkLedger(pool)
  findings.push(
    isConsistent(check)
      ? ok(`The ledger is consistent (${check.entries} entries)`)
      : problem(
          `The ledger has ${check.found} differences. Run npm run ledger:check, and see docs/operating.md.`,
        ),
  )
  const { rows } = await pool.query<{ parked: number }>('select count(*)::int as parked from parked_events')
  const parked = rows[0]?.parked ?? 0
  // Before its first start, a database has no jobs.
  if (!(await hasQueue(pool))) return findings
  const failed = (await failedByName(pool)).reduce((sum, { count }) => sum + count, 0)
  findings.push(
    parked + failed === 0
      ? ok('No background work has failed')
      : problem(
          `${parked} events and ${failed} jobs have failed for good. An admin retries or discards them on the dashboard.`,
        ),
  )
  const [late, isServed] = [await mostOverdue(pool), await hasRunningServer(pool, 0)]
  if (!isServed) findings.push(ok('No server uses the database now'))
  else if (late > overdueS)
    findings.push(
      problem(
        `Jobs are overdue by ${Math.round(late)} s: the server is overloaded or stuck. Look at its log.`,
      ),
    )
  else {
    const count = await countSharedServers(pool)
    const servers = count > 1 ? `${count} servers use` : 'A server uses'
    findings.push(ok(`${servers} the database, and no job is overdue`))
  }
  return findings
}

async function checkClock({ pool }: Database): Promise<Finding> {
  // The first query may have to connect.
  await pool.query('select 1')
  const before = Date.now()
  const { rows } = await pool.query<{ now: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now',
  )
  const after = Date.now()
  const now = rows[0]?.now ?? 0
  const skew = Math.max(0, before - now, now - after)
  if (skew <= mostSkewMs) return ok('The clocks of server and database agree')
  return problem(
    `The clocks of server and database differ by ${(skew / 1_000).toFixed(1)} s. Switch on NTP on both machines.`,
  )
}
