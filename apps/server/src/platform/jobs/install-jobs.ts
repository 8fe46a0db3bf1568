import PgBoss from 'pg-boss'
import type { Database } from '../database/database.ts'

/** Creates the job queue on our own pool; `supervise` lets it expire, archive and delete jobs in the background. */
export function createBoss(database: Database, supervise: boolean): PgBoss {
  return new PgBoss({
    db: { executeSql: (text, values) => database.pool.query(text, values) },
    supervise,
    // We repeat jobs ourselves, by the application's clock, so pg-boss scheduling is off.
    schedule: false,
    maintenanceIntervalSeconds: 15,
    archiveCompletedAfterSeconds: 3600,
    // Permanently failed jobs stay until an admin handles them.
    archiveFailedAfterSeconds: 90 * 86_400,
    deleteAfterDays: 3,
  })
}

/** Creates the tables of the job queue if they are missing. */
export async function installJobs(database: Database): Promise<void> {
  const boss = createBoss(database, false)
  await boss.start()
  await boss.stop({ graceful: false })
}
