import type { Settings } from '@hansom/domain/settings/settings'
import type { Database } from '../../platform/database/database.ts'
import type { Log } from '../../platform/log/log.ts'
import type { SettingsService } from './service.ts'
import { settingsTable } from './table.ts'

export interface CategoryDeps {
  database: Database
  settings: Pick<SettingsService, 'update'>
  log: Log
}

/**
 * Stores the installation's category at the first start. From then on the stored one applies; a different configuration
 * is logged as a warning.
 */
export async function storeCategory(
  { database, settings, log }: CategoryDeps,
  configured: Settings['category'],
): Promise<void> {
  await database.withTransaction(async (tx) => {
    const [row] = await tx.db.select().from(settingsTable)
    const stored = row?.value.category
    if (stored === undefined) await settings.update(tx, { category: configured })
    else if (stored !== configured) {
      log.warn(
        { stored, configured },
        'CATEGORY differs from the category stored at the first start and is ignored',
      )
    }
  })
}
