import type { FareOffer } from '@hansom/contract/bookings'
import type { CarType } from '@hansom/contract/car-types'
import type { PublicSettings } from '@hansom/contract/settings'
import { startLanguage } from './i18n.ts'
import { storeSettings } from './settings.ts'

const settings: PublicSettings = {
  appName: 'Hansom',
  CompanyName: 'Hansom',
  CompanyWebsite: '',
  CompanyTerms: '',
  contact_email: '',
  FacebookHandle: '',
  TwitterHandle: '',
  InstagramHandle: '',
  AppleStoreLink: '',
  PlayStoreLink: '',
  symbol: '$',
  code: 'USD',
  decimal: 0,
  swipe_symbol: false,
  convert_to_mile: false,
  otp_secure: false,
  driver_approval: false,
  email_verify: false,
  FacebookLoginEnabled: false,
  AppleLoginEnabled: false,
  MobileLoginEnabled: false,
  AllowCountrySelection: false,
  country: 'UY',
  restrictCountry: '',
  baseMap: null,
  bonus: 0,
  RiderWithDraw: false,
  bank_fields: false,
  autoDispatch: true,
  driverRadius: 10,
  CarHornRepeat: false,
  panic: false,
  AllowCriticalEditsAdmin: true,
  AllowDeliveryPickupImageCapture: false,
  AllowFinalDeliveryImageCapture: false,
  deliveryCode: false,
  deliveryName: false,
  deliverySignature: false,
  deliveryScan: false,
  deliveryWaitMinutes: 3,
  timezone: 'UTC',
  category: 'taxi',
  deliveryCash: false,
  mapServices: [],
  callService: null,
  region: {
    name: 'City',
    center: { lat: 0, lng: 0 },
    bounds: [-1, -1, 1, 1],
    attribution: '',
    countries: [],
  },
  languagesVersion: 1,
  demo: false,
  cardAvailable: false,
  version: 1,
}

export const economy: CarType = {
  translations: {},
  id: '0192f5d4-7b1c-7c3d-8e2f-1a2b3c4d5e6f',
  name: 'Economy',
  image: null,
  base_fare: 1,
  rate_per_unit_distance: 1,
  rate_per_hour: 1,
  min_fare: 1,
  convenience_fees: 1,
  convenience_fee_type: 'flat',
  extra_info: '',
  seats: 4,
  cancelSlab: [],
  parcelTypes: [],
  options: [],
}

export const fareOffer: FareOffer = {
  carType: economy,
  fare: {
    base: 10_000,
    distance: 0,
    time: 0,
    extras: 0,
    minimum_top_up: 0,
    return_leg: 0,
    trip_cost: 10_000,
    convenience_fees: 0,
    driver_share: null,
  },
  pickupS: 60,
  nearby: 1,
}

/** Stores complete public settings for a test. */
export function storeTestSettings(changes: Partial<PublicSettings> = {}): void {
  storeSettings({ ...settings, ...changes })
}

/** Starts in English with the given texts; other keys are shown as they are. */
export function startEnglish(texts: Record<string, string> = {}): void {
  const english = { langName: 'English', langLocale: 'en', dateLocale: 'en', default: true } as const
  startLanguage({ ...english, direction: 'ltr', keyValuePairs: texts }, [])
}
