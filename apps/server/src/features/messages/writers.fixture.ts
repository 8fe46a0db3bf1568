import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { createLanguagesService } from '../languages/service.ts'
import type { CurrentSettings } from '../settings/service.ts'
import { createWriters, type Writers } from './write-messages.ts'

/** Writers with the shipped languages of a test database. */
export function testWriters(
  { database, clock }: { database: Database; clock: Clock },
  current: () => Promise<CurrentSettings>,
): Writers {
  const settings = { current, languagesChanged: async () => {}, onChange: () => {} }
  return createWriters(createLanguagesService({ database, clock, settings }), settings)
}
