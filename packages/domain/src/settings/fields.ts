import { type Strategy, strategies } from '../dispatch/strategies.ts'
import type { Category } from './settings.ts'

/** The kind of a setting's value, which decides its input and its check. Amounts are 10^-4 of the currency unit. */
export type FieldKind =
  | { kind: 'text'; least: number; most: number }
  /** An http or https URL, or empty. */
  | { kind: 'link' }
  /** A page on a site: its URL, or only the handle, which is appended to `site`. */
  | { kind: 'handle'; site: string }
  | { kind: 'email' }
  | { kind: 'flag' }
  | { kind: 'whole'; from: number; to: number }
  /** A length in the city's unit. */
  | { kind: 'distance'; from: number; to: number }
  /** From 0 to 100 percent, scaled by 10^4. */
  | { kind: 'percentage' }
  | { kind: 'amount'; error?: 'proper_bonus' }
  | { kind: 'currency' }
  /** ISO 3166 alpha-2; empty is allowed where `optional`. */
  | { kind: 'country'; optional: boolean }
  | { kind: 'timezone' }
  /** One of the strategies of dispatch. */
  | { kind: 'choice'; options: readonly Strategy[] }

/** The section of a field: the last three are on the page of the app's names, the others on the settings page. */
export const settingSections = [
  'currency',
  'security',
  'safety',
  'referral',
  'advanced',
  'driver',
  'delivery',
  'receipts',
  'names',
  'links',
  'contact',
] as const
export type SettingSection = (typeof settingSections)[number]

export type SettingField = FieldKind & {
  section: SettingSection
  /** Shown next to the field, because days and seconds cannot be guessed. */
  unit?: 'digits' | 'percent' | 'distance' | 'seconds' | 'minutes' | 'drivers' | 'currency'
  /** Not shown on any screen, because it has no effect yet. */
  hidden?: true
  /** Applies in one category only. */
  only?: Category
}

const link = { kind: 'link' } as const
const flag = { kind: 'flag' } as const

/** Every setting an admin can change, by its public name; `dispatch.` is the group of that name. */
export const settingFields = {
  symbol: { section: 'currency', kind: 'text', least: 1, most: 8 },
  code: { section: 'currency', kind: 'currency' },
  decimal: { section: 'currency', kind: 'whole', from: 0, to: 4, unit: 'digits' },
  swipe_symbol: { section: 'currency', ...flag },

  otp_secure: { section: 'security', ...flag },
  email_verify: { section: 'security', ...flag },
  driver_approval: { section: 'security', ...flag },
  MobileLoginEnabled: { section: 'security', ...flag },
  FacebookLoginEnabled: { section: 'security', ...flag },
  AppleLoginEnabled: { section: 'security', ...flag },
  AllowCountrySelection: { section: 'security', ...flag },
  AllowCriticalEditsAdmin: { section: 'security', ...flag },

  panic: { section: 'safety', ...flag, only: 'taxi' },

  bonus: { section: 'referral', kind: 'amount', unit: 'currency', error: 'proper_bonus' },

  country: { section: 'advanced', kind: 'country', optional: false },
  restrictCountry: { section: 'advanced', kind: 'country', optional: true },
  timezone: { section: 'advanced', kind: 'timezone' },
  convert_to_mile: { section: 'advanced', ...flag },
  RiderWithDraw: { section: 'advanced', ...flag },
  bank_fields: { section: 'advanced', ...flag },
  negativeBalance: { section: 'advanced', ...flag },
  driverDebtLimit: { section: 'advanced', kind: 'amount', unit: 'currency' },
  topUpLimit: { section: 'advanced', kind: 'amount', unit: 'currency' },
  AllowDeliveryPickupImageCapture: { section: 'delivery', ...flag, only: 'delivery' },
  AllowFinalDeliveryImageCapture: { section: 'delivery', ...flag, only: 'delivery' },
  deliveryCode: { section: 'delivery', ...flag, only: 'delivery' },
  deliveryName: { section: 'delivery', ...flag, only: 'delivery' },
  deliverySignature: { section: 'delivery', ...flag, only: 'delivery' },
  deliveryScan: { section: 'delivery', ...flag, only: 'delivery' },
  deliveryCash: { section: 'delivery', ...flag, only: 'delivery' },
  deliveryStopMinutes: {
    section: 'delivery',
    kind: 'whole',
    from: 0,
    to: 60,
    unit: 'minutes',
    only: 'delivery',
  },
  deliveryWaitMinutes: {
    section: 'delivery',
    kind: 'whole',
    from: 0,
    to: 60,
    unit: 'minutes',
    only: 'delivery',
  },
  maxOpenDeliveries: { section: 'delivery', kind: 'whole', from: 1, to: 100_000, only: 'delivery' },

  autoDispatch: { section: 'driver', ...flag },
  driverRadius: { section: 'driver', kind: 'distance', from: 0, to: 500, unit: 'distance' },
  'dispatch.strategy': { section: 'driver', kind: 'choice', options: strategies },
  'dispatch.firstRadius': { section: 'driver', kind: 'distance', from: 0.1, to: 500, unit: 'distance' },
  'dispatch.waveSize': { section: 'driver', kind: 'whole', from: 1, to: 100, unit: 'drivers' },
  'dispatch.waveSeconds': { section: 'driver', kind: 'whole', from: 5, to: 600, unit: 'seconds' },
  'dispatch.batchSeconds': { section: 'driver', kind: 'whole', from: 1, to: 60, unit: 'seconds' },
  'dispatch.ageing': { section: 'driver', kind: 'whole', from: 0, to: 600, unit: 'seconds' },
  'dispatch.fairness': { section: 'driver', kind: 'whole', from: 0, to: 1800, unit: 'seconds' },
  'dispatch.soonFreeMinutes': { section: 'driver', kind: 'whole', from: 0, to: 10, unit: 'minutes' },
  'dispatch.leadMinutes': { section: 'driver', kind: 'whole', from: 1, to: 240, unit: 'minutes' },
  'dispatch.alarmAfter': { section: 'driver', kind: 'whole', from: 0, to: 240, unit: 'minutes' },
  CarHornRepeat: { section: 'driver', ...flag },

  CompanyAddress: { section: 'receipts', kind: 'text', least: 0, most: 300 },
  tax_number: { section: 'receipts', kind: 'text', least: 0, most: 40 },
  receipt_prefix: { section: 'receipts', kind: 'text', least: 0, most: 10 },
  tax_name: { section: 'receipts', kind: 'text', least: 0, most: 20 },
  fare_tax_rate: { section: 'receipts', kind: 'percentage', unit: 'percent' },
  fee_tax_rate: { section: 'receipts', kind: 'percentage', unit: 'percent' },

  appName: { section: 'names', kind: 'text', least: 1, most: 60 },
  CompanyName: { section: 'names', kind: 'text', least: 0, most: 120 },

  CompanyWebsite: { section: 'links', ...link },
  CompanyTerms: { section: 'links', ...link },
  FacebookHandle: { section: 'links', kind: 'handle', site: 'https://www.facebook.com/' },
  TwitterHandle: { section: 'links', kind: 'handle', site: 'https://x.com/' },
  InstagramHandle: { section: 'links', kind: 'handle', site: 'https://www.instagram.com/' },
  AppleStoreLink: { section: 'links', ...link },
  PlayStoreLink: { section: 'links', ...link },

  contact_email: { section: 'contact', kind: 'email' },
} as const satisfies Record<string, SettingField>

export type SettingName = keyof typeof settingFields
export const settingNames = Object.keys(settingFields) as SettingName[]

/** Null is a number field that was left empty. */
type ValueOf<Kind> = Kind extends 'flag'
  ? boolean
  : Kind extends 'whole' | 'distance' | 'percentage' | 'amount'
    ? number | null
    : string

/** The fields' values, as entered and sent. */
export type SettingValues = { [Name in SettingName]: ValueOf<(typeof settingFields)[Name]['kind']> }

/** The fields of a section for an installation's category, in the order of the table. */
export function fieldsOf(section: SettingSection, category: Category): SettingName[] {
  return settingNames.filter((name) => {
    const field: SettingField = settingFields[name]
    if (field.hidden || field.section !== section) return false
    return field.only === undefined || field.only === category
  })
}
