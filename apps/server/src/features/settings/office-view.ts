import type { OfficeSettings } from '@hansom/contract/settings'
import { valuesOf } from '@hansom/domain/settings/values'
import type { CurrentSettings } from './types.ts'

/** All settings, for editing by an admin. */
export function officeView(
  settings: CurrentSettings,
  facts: Pick<OfficeSettings, 'currencyInUse' | 'licensed' | 'licenceRefused'>,
): OfficeSettings {
  const { version, category } = settings
  return {
    version,
    category,
    ...facts,
    values: valuesOf(settings),
  }
}
