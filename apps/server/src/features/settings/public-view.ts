import { type PublicSettings, publicSettings } from '@hansom/contract/settings'
import type { Region } from '../../adapters/maps/port.ts'
import type { CurrentSettings } from './types.ts'

const names = Object.keys(publicSettings.shape) as (keyof PublicSettings)[]

/**
 * What every visitor may know of the settings, with the mapped city: what the contract names and nothing else, also
 * where no contract looks, as in live events and in pages.
 */
export function publicView(
  settings: CurrentSettings,
  region: Region,
  installed: Pick<PublicSettings, 'demo' | 'cardAvailable'>,
): PublicSettings {
  const { name, center, bounds, attribution } = region
  const { demo, cardAvailable } = installed
  const known: PublicSettings = {
    ...settings,
    region: { name, center, bounds, attribution },
    demo,
    cardAvailable,
  }
  return Object.fromEntries(names.map((key) => [key, known[key]])) as PublicSettings
}
