import type { StrategyFigures } from '../dispatch/strategies.ts'
import { type Amount, unit } from '../money/amount.ts'

/** What an installation offers, fixed at its first start. */
export const categories = ['taxi', 'delivery'] as const
export type Category = (typeof categories)[number]

/** All settings of an installation. Names are the public ones; amounts are 10^-4 of the currency unit. */
export interface Settings {
  appName: string
  CompanyName: string
  CompanyWebsite: string
  CompanyTerms: string
  contact_email: string
  FacebookHandle: string
  TwitterHandle: string
  InstagramHandle: string
  AppleStoreLink: string
  PlayStoreLink: string
  symbol: string
  code: string
  decimal: number
  swipe_symbol: boolean
  convert_to_mile: boolean
  otp_secure: boolean
  driver_approval: boolean
  email_verify: boolean
  FacebookLoginEnabled: boolean
  AppleLoginEnabled: boolean
  MobileLoginEnabled: boolean
  AllowCountrySelection: boolean
  /** Default country for phone entry, ISO 3166 alpha-2. */
  country: string
  /** Place search is limited to this country, ISO 3166 alpha-2; empty for no limit. */
  restrictCountry: string
  bonus: Amount
  RiderWithDraw: boolean
  /** Off: a driver with a negative balance gets no cash requests. */
  negativeBalance: boolean
  /** A driver who owes more gets no cash requests; 0 is no limit. */
  driverDebtLimit: Amount
  /** The most that one top-up may add to a wallet; 0 is no limit. */
  topUpLimit: Amount
  bank_fields: boolean
  autoDispatch: boolean
  /** In the city's unit of distance. */
  driverRadius: number
  CarHornRepeat: boolean
  panic: boolean
  AllowDeliveryPickupImageCapture: boolean
  AllowFinalDeliveryImageCapture: boolean
  /** What a courier must present at each drop: the recipient's code, their name, their signature, the scanned label. */
  deliveryCode: boolean
  deliveryName: boolean
  deliverySignature: boolean
  deliveryScan: boolean
  /** Senders may choose that the fee is collected in cash; otherwise deliveries are paid in advance. */
  deliveryCash: boolean
  /** Minutes that a courier is planned to spend at each drop. */
  deliveryStopMinutes: number
  /** Minutes that a courier must wait at a stop before reporting that no one is there. */
  deliveryWaitMinutes: number
  /** Most open deliveries of one sender. */
  maxOpenDeliveries: number
  AllowCriticalEditsAdmin: boolean
  /** Shown on receipts. */
  CompanyAddress: string
  tax_number: string
  /** Precedes the number of every receipt. */
  receipt_prefix: string
  /** The name of the tax, such as VAT; empty when receipts show none. */
  tax_name: string
  /** The tax that prices contain, for the ride and for the booking fee: percent scaled by 10^4. */
  fare_tax_rate: number
  fee_tax_rate: number
  /** IANA name; the time zone of reports and Book Later. */
  timezone: string
  category: Category
  /** Incremented with every change of a language or its texts, so that open pages reload them. */
  languagesVersion: number
  /** The strategy where no rule of dispatch applies, and what holds for all. */
  dispatch: StrategyFigures & {
    /** Minutes before tripdate at which a Book Later trip is dispatched. */
    leadMinutes: number
    /** Minutes of searching after which a booking raises the alarm on the dispatch screen; 0 never does. */
    alarmAfter: number
  }
}

/** The settings of a new installation. */
export const defaultSettings: Settings = {
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
  code: 'UYU',
  decimal: 0,
  swipe_symbol: false,
  convert_to_mile: false,
  otp_secure: true,
  driver_approval: true,
  email_verify: false,
  FacebookLoginEnabled: false,
  AppleLoginEnabled: false,
  MobileLoginEnabled: false,
  AllowCountrySelection: true,
  country: 'UY',
  restrictCountry: 'UY',
  bonus: 0,
  RiderWithDraw: false,
  negativeBalance: true,
  driverDebtLimit: 0,
  topUpLimit: 100_000 * unit,
  bank_fields: false,
  autoDispatch: true,
  driverRadius: 10,
  CarHornRepeat: false,
  panic: false,
  AllowDeliveryPickupImageCapture: false,
  AllowFinalDeliveryImageCapture: false,
  deliveryCode: false,
  deliveryName: false,
  deliverySignature: false,
  deliveryScan: false,
  deliveryCash: false,
  deliveryStopMinutes: 3,
  deliveryWaitMinutes: 3,
  maxOpenDeliveries: 500,
  AllowCriticalEditsAdmin: true,
  CompanyAddress: '',
  tax_number: '',
  receipt_prefix: '',
  tax_name: '',
  fare_tax_rate: 0,
  fee_tax_rate: 0,
  timezone: 'America/Montevideo',
  category: 'taxi',
  languagesVersion: 0,
  dispatch: {
    strategy: 'waves',
    waveSize: 10,
    waveSeconds: 30,
    firstRadius: 4,
    batchSeconds: 5,
    ageing: 60,
    fairness: 0,
    soonFreeMinutes: 0,
    leadMinutes: 15,
    alarmAfter: 3,
  },
}
