import { z } from 'zod'
import { base } from './base.ts'
import { amount, instant } from './shapes.ts'

/** What every visitor may know of the settings. */
export const publicSettings = z.object({
  appName: z.string(),
  CompanyName: z.string(),
  CompanyWebsite: z.string(),
  CompanyTerms: z.string(),
  contact_email: z.string(),
  FacebookHandle: z.string(),
  TwitterHandle: z.string(),
  InstagramHandle: z.string(),
  AppleStoreLink: z.string(),
  PlayStoreLink: z.string(),
  symbol: z.string(),
  code: z.string(),
  decimal: z.int(),
  swipe_symbol: z.boolean(),
  convert_to_mile: z.boolean(),
  otp_secure: z.boolean(),
  driver_approval: z.boolean(),
  email_verify: z.boolean(),
  FacebookLoginEnabled: z.boolean(),
  AppleLoginEnabled: z.boolean(),
  MobileLoginEnabled: z.boolean(),
  AllowCountrySelection: z.boolean(),
  country: z.string(),
  restrictCountry: z.string(),
  bonus: amount,
  RiderWithDraw: z.boolean(),
  bank_fields: z.boolean(),
  autoDispatch: z.boolean(),
  driverRadius: z.number(),
  CarHornRepeat: z.boolean(),
  panic: z.boolean(),
  AllowCriticalEditsAdmin: z.boolean(),
  timezone: z.string(),
  category: z.enum(['taxi', 'delivery']),
  /** The mapped city: where the map opens, and what it covers. */
  region: z.object({
    name: z.string(),
    center: z.object({ lat: z.number(), lng: z.number() }),
    bounds: z.tuple([z.number(), z.number(), z.number(), z.number()]),
    attribution: z.string(),
  }),
  /** True on a demo: accounts and outbox may be shown. */
  demo: z.boolean(),
  /** Grows with every change. */
  version: z.int(),
})
export type PublicSettings = z.infer<typeof publicSettings>

export const settingsContract = {
  get: base.route({ method: 'GET', path: '/api/v1/settings', tags: ['settings'] }).output(publicSettings),
  /** The server's clock. `speed` is above 1 only on a demo whose time is sped up. */
  clock: base
    .route({ method: 'GET', path: '/api/v1/clock', tags: ['settings'] })
    .output(z.object({ now: instant, speed: z.number().positive() })),
}
