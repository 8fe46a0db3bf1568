import type { Database } from './platform/database/database.ts'
import { isServed } from './platform/database/is-served.ts'
import type { Log } from './platform/log/log.ts'

/** Nobody waits long for a word of warning; a server that was killed has gone by then. */
const patienceMs = 300

/**
 * Says so when another server works on this database. No money is counted twice then, but where drivers are and what is
 * told live is known to one server alone: people of one would not hear of what happens at the other.
 */
export async function warnOfSecondServer(
  database: Pick<Database, 'exclusive' | 'pool'>,
  log: Pick<Log, 'warn'>,
): Promise<void> {
  if (database.exclusive || !(await isServed(database.pool, patienceMs))) return
  log.warn(
    'another server works on this database: stop one of them, live news do not reach the people of both',
  )
}
