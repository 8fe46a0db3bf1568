import { type AdminSettings, type PublicSettings, publicSettings } from '@hansom/contract/settings'
import { servedCountries } from '@hansom/domain/settings/region-settings'
import { valuesOf } from '@hansom/domain/settings/values'
import type { Region } from '../../adapters/maps/port.ts'
import type { CurrentSettings } from './table.ts'

const names = Object.keys(publicSettings.shape) as (keyof PublicSettings)[]

/**
 * Returns the public settings, with the mapped city: only fields in the contract, also where no contract filters them,
 * as in live events and pages.
 */
export function publicView(
  settings: CurrentSettings,
  region: Region,
  installed: Pick<PublicSettings, 'demo' | 'cardAvailable' | 'mapServices' | 'callService' | 'baseMap'>,
): PublicSettings {
  const { name, center, bounds, attribution } = region
  const { demo, cardAvailable, mapServices, callService, baseMap } = installed
  const countries = servedCountries(region)
  const known: PublicSettings = {
    ...settings,
    region: { name, center, bounds, attribution, countries },
    baseMap: baseMap && picked(baseMap),
    demo,
    cardAvailable,
    mapServices,
    callService,
  }
  return Object.fromEntries(names.map((key) => [key, known[key]])) as PublicSettings
}

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

/** Only what browsers need. */
function picked({ style, styleDark, tiles, attribution }: NonNullable<PublicSettings['baseMap']>) {
  return { style, styleDark, tiles, attribution }
}
