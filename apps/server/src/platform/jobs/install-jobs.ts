import PgBoss from 'pg-boss'
import type { Database } from '../database/database.ts'

/** The queue machinery on our own pool; `supervise` lets it expire, archive and delete in the background. */
export function createBoss(database: Database, supervise: boolean): PgBoss {
  return new PgBoss({
    db: { executeSql: (text, values) => database.pool.query(text, values) },
    supervise,
    // Repeated jobs are ours (they follow the application's clock), so its own timetable is off.
    schedule: false,
    maintenanceIntervalSeconds: 15,
    archiveCompletedAfterSeconds: 3600,
    // What has failed for good waits for an admin.
    archiveFailedAfterSeconds: 90 * 86_400,
    deleteAfterDays: 3,
  })
}

/** Makes the tables of the job queue where they are missing. */
export async function installJobs(database: Database): Promise<void> {
  const boss = createBoss(database, false)
  await boss.start()
  await boss.stop({ graceful: false })
}
