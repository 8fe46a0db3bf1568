import { placeServices, routeServices } from '@hansom/domain/geo/map-services'
import {
  type SettingField,
  type SettingName,
  type SettingValues,
  settingFields,
} from '@hansom/domain/settings/fields'
import { categories } from '@hansom/domain/settings/settings'
import { z } from 'zod'
import { base } from './base.ts'
import { amount, instant, rowVersion } from './shapes.ts'

/** The settings that are public to every visitor. */
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
  /** The proofs that a courier gives; see `proofsFor` of the domain. */
  AllowDeliveryPickupImageCapture: z.boolean(),
  AllowFinalDeliveryImageCapture: z.boolean(),
  deliveryCode: z.boolean(),
  deliveryName: z.boolean(),
  deliverySignature: z.boolean(),
  deliveryScan: z.boolean(),
  /** Minutes that a courier waits at a stop before no one is there. */
  deliveryWaitMinutes: z.number(),
  timezone: z.string(),
  category: z.enum(categories),
  deliveryCash: z.boolean(),
  /** The mapped city: the initial view of the map, and its bounds. */
  region: z.object({
    name: z.string(),
    center: z.object({ lat: z.number(), lng: z.number() }),
    bounds: z.tuple([z.number(), z.number(), z.number(), z.number()]),
    attribution: z.string(),
    /** ISO 3166-1 alpha-2. Place search finds nothing in others. */
    countries: z.array(z.string()),
  }),
  /** The outside services that receive addresses and positions; the map and the privacy policy name them. */
  mapServices: z.array(
    z.object({
      service: z.enum([...placeServices, ...routeServices]),
      name: z.string(),
      attribution: z.string(),
      /** Whether its terms allow a device to remember a chosen place. */
      mayRemember: z.boolean(),
      /** Whether its terms allow a device to show the results of an earlier search again. */
      mayReuse: z.boolean(),
    }),
  ),
  /** The service through which masked calls go, which the privacy policy names; null: no masked calls. */
  callService: z.string().nullable(),
  /** The map that browsers draw; null: our own tiles. The URLs may contain a key meant for browsers. */
  baseMap: z
    .object({
      /** URL of a MapLibre style. */
      style: z.string().nullable(),
      /** The same for dark pages; null: `style`. */
      styleDark: z.string().nullable(),
      /** Without `style`: the TileJSON of tiles with our layers, or their template with {z}, {x} and {y}. */
      tiles: z.string().nullable(),
      /** Shown on the map; null: what the style says. */
      attribution: z.string().nullable(),
    })
    .nullable(),
  /** Incremented with every change of a language or its texts. */
  languagesVersion: z.int(),
  /** True on a demo: the demo accounts and the mailbox may be shown. */
  demo: z.boolean(),
  /** A payment provider is set up. */
  cardAvailable: z.boolean(),
  /** Incremented with every change. */
  version: z.int(),
})
export type PublicSettings = z.infer<typeof publicSettings>

/** Wide enough for every field; the domain's rules check the value further and name the problem by key. */
function shapeOf(field: SettingField): z.ZodType {
  if (field.kind === 'flag') return z.boolean()
  const isNumber = ['whole', 'distance', 'percentage', 'amount'].includes(field.kind)
  return isNumber ? z.number().nullable() : z.string().max(1000)
}

type FieldShapes = { [Name in SettingName]: z.ZodType<SettingValues[Name]> }
type OptionalShapes = { [Name in SettingName]: z.ZodOptional<FieldShapes[Name]> }
const fields = Object.entries<SettingField>(settingFields)
const fieldShapes = Object.fromEntries(
  fields.map(([name, field]) => [name, shapeOf(field)]),
) as unknown as FieldShapes
const optionalShapes = Object.fromEntries(
  fields.map(([name, field]) => [name, shapeOf(field).optional()]),
) as unknown as OptionalShapes

/** All settings, as edited by an admin. */
export const adminSettings = z.object({
  version: z.int(),
  category: z.enum(categories),
  /** Bookings or money exist, so the currency cannot change. */
  currencyInUse: z.boolean(),
  /** A licence service is configured: a code can be sent with a change. */
  licensed: z.boolean(),
  /** The service refuses the licence: only admins can sign in. */
  licenceRefused: z.boolean(),
  values: z.object(fieldShapes),
})
export type AdminSettings = z.infer<typeof adminSettings>

/** Some fields, with the version as read. If it changed since, throws conflict with `data.current`. */
const settingsUpdate = z.strictObject({
  version: rowVersion,
  /** Checked by the licence service, if one is configured. Throws wrong_code. */
  license: z.string().trim().max(200).optional(),
  /**
   * With a change of `convert_to_mile`: converts the rates of all car types and the distances in the settings that are
   * not given. Otherwise the numbers stay as they are, for the other unit.
   */
  convertUnits: z.boolean().optional(),
  ...optionalShapes,
})

export const settingsContract = {
  get: base.route({ method: 'GET', path: '/api/v1/settings', tags: ['settings'] }).output(publicSettings),
  /** All fields, for admins. */
  all: base.route({ method: 'GET', path: '/api/v1/settings/all', tags: ['settings'] }).output(adminSettings),
  /**
   * Changes some fields. Throws demo_mode, conflict (`data.current`), wrong_code, proper_bonus, proper_email, and
   * invalid_input with the fields.
   */
  update: base
    .route({ method: 'PATCH', path: '/api/v1/settings', tags: ['settings'] })
    .input(settingsUpdate)
    .output(adminSettings),
  /** The server's clock. `speed` is above 1 only on a demo whose time is sped up. */
  clock: base
    .route({ method: 'GET', path: '/api/v1/clock', tags: ['settings'] })
    .output(z.object({ now: instant, speed: z.number().positive() })),
}

export const pagesContract = {
  /** Writes an error of a page into the server's log, under the id that the page shows. Texts are cut, not stored. */
  reportError: base
    .route({ method: 'POST', path: '/api/v1/page-errors', tags: ['pages'] })
    .input(
      z.strictObject({
        id: z.string().regex(/^[0-9a-f]{32}$/),
        message: z.string().max(500),
        stack: z.string().max(4_000),
        /** Of the page, without its search parameters. */
        path: z.string().max(200),
      }),
    )
    .output(z.object({ ok: z.literal(true) })),
}
