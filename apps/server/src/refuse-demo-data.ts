import { countDemoUsers } from './features/demo/remove-demo.ts'
import type { Database } from './platform/database/database.ts'

/** The database contains a demo that cannot be used; `message` is printed as is. */
export class DemoDataError extends Error {
  override name = 'DemoDataError'
}

/** Throws DemoDataError when demo users exist: anyone could sign in as the demo's admin. */
export async function refuseDemoData(database: Pick<Database, 'db' | 'describe'>): Promise<void> {
  const people = await countDemoUsers(database.db)
  if (people === 0) return
  throw new DemoDataError(
    `The database (${database.describe()}) still contains the demo: ${people} users, including an admin, whose ` +
      'passwords are public.\n' +
      'Remove it, using the same DATA_DIR or DATABASE_URL:  npm run demo:remove\n' +
      'Or set DATA_DIR or DATABASE_URL to a separate database. To start the demo itself, set DEMO=on.',
  )
}

/** The demo's trips are not on the map that is served. */
export function demoElsewhere(database: Pick<Database, 'describe'>, place: string): DemoDataError {
  return new DemoDataError(
    `The demo in this database (${database.describe()}) is in another place than ${place}.\n` +
      `To replace it by a demo of ${place}, using the same DATA_DIR or DATABASE_URL:  npm run demo:remove  and start again\n` +
      'To keep it, set DATA_DIR to another folder and import the map there.',
  )
}
