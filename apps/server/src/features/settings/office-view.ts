import type { OfficeSettings } from '@hansom/contract/settings'
import { valuesOf } from '@hansom/domain/settings/values'
import type { CurrentSettings } from './types.ts'

/** All settings as an admin edits them. */
export function officeView(
  settings: CurrentSettings,
  { currencyInUse, licensed }: Pick<OfficeSettings, 'currencyInUse' | 'licensed'>,
): OfficeSettings {
  const { version, category, AllowCriticalEditsAdmin } = settings
  return {
    version,
    category,
    currencyInUse,
    licensed,
    AllowCriticalEditsAdmin,
    values: valuesOf(settings),
  }
}
