import type { PublicSettings } from '@hansom/contract/settings'
import type { Region } from '../../adapters/maps/port.ts'
import type { CurrentSettings } from './types.ts'

/** What every visitor may know of the settings, with the mapped city. */
export function publicView(settings: CurrentSettings, region: Region, demo: boolean): PublicSettings {
  const {
    negativeBalance: _negativeBalance,
    AllowDeliveryPickupImageCapture: _pickupImage,
    AllowFinalDeliveryImageCapture: _finalImage,
    dispatch: _dispatch,
    ...open
  } = settings
  const { name, center, bounds, attribution } = region
  return { ...open, region: { name, center, bounds, attribution }, demo }
}
