import { countDemoPeople } from './features/demo/remove-demo.ts'
import type { Database } from './platform/database/database.ts'

/** The database still holds a demo; `message` is made to be printed as it is. */
export class DemoLeftError extends Error {
  override name = 'DemoLeftError'
}

/** Throws DemoLeftError when there are people of a demo: anybody could sign in as its admin. */
export async function refuseDemoLeft(database: Pick<Database, 'db' | 'describe'>): Promise<void> {
  const people = await countDemoPeople(database.db)
  if (people === 0) return
  throw new DemoLeftError(
    `The database (${database.describe()}) still holds the demo: ${people} people, one of them an admin, whose ` +
      'passwords everybody knows.\n' +
      'Remove it, with the same DATA_DIR or DATABASE_URL as here:  npm run demo:remove\n' +
      'Or give the service a place of its own, by DATA_DIR or DATABASE_URL. The demo itself starts with DEMO=on.',
  )
}
