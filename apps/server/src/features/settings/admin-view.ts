import type { AdminSettings } from '@hansom/contract/settings'
import { valuesOf } from '@hansom/domain/settings/values'
import type { CurrentSettings } from './types.ts'

/** All settings, for editing by an admin. */
export function adminView(
  settings: CurrentSettings,
  facts: Pick<AdminSettings, 'currencyInUse' | 'licensed' | 'licenceRefused'>,
): AdminSettings {
  const { version, category } = settings
  return {
    version,
    category,
    ...facts,
    values: valuesOf(settings),
  }
}
