import { placeServices, routeServices } from '@hansom/domain/geo/map-services'
import { z } from 'zod'
import {
  falsy,
  fcmServiceAccount,
  httpUrl,
  integer,
  isEllipticKey,
  isNetwork,
  mapArea,
  mapServerUrl,
  originOf,
  phoneNumbers,
  postgresUrl,
  redisUrl,
  serviceUrl,
  siteUrl,
  smtpUrl,
  tilesUrl,
  truthy,
} from './schemas.ts'

const retentionAdvice = 'must be 0 (forever) or a whole number of days from 7 to 36500'
const messageLimit = integer(0, 10_000_000, 'must be a whole number of messages')
const retentionDays = integer(0, 36_500, retentionAdvice).refine(
  (days) => days === 0 || days >= 7,
  retentionAdvice,
)

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const

/** Every environment variable and its conversion, except those of payment providers, which each provider declares. */
export const environment = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test'], 'must be production, development or test'),
  PORT: integer(0, 65535, 'must be a whole number from 0 to 65535').optional(),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  DATABASE_REPLICA_URL: postgresUrl.optional(),
  REDIS_URL: redisUrl.optional(),
  MAP_REGION: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine(
      (parts) =>
        parts.every((part) => /^[a-z0-9-]{1,62}$/.test(part)) && new Set(parts).size === parts.length,
      'must be names of imported maps separated by commas, such as monaco; npm run maps:list shows them',
    )
    .optional(),
  MAP_STYLE_URL: serviceUrl.optional(),
  MAP_STYLE_URL_DARK: serviceUrl.optional(),
  MAP_TILES_URL: tilesUrl.optional(),
  MAP_ATTRIBUTION: z.string().max(300, 'must have at most 300 characters').optional(),
  MAP_HOSTS: z
    .string()
    .transform((text) => text.split(',').map((part) => originOf(part.trim())))
    .refine(
      (origins): origins is string[] => !origins.includes(null),
      'must be hosts separated by commas, such as tiles.example or https://tiles.example:8443',
    )
    .default([]),
  PUBLIC_URL: siteUrl.optional(),
  TRUSTED_PROXIES: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine(
      (parts) => parts.every(isNetwork),
      'must be IP addresses or networks separated by commas, such as 10.0.0.5 or 10.0.0.0/8',
    )
    .default([]),
  AUTH_SECRET: z
    .string()
    .min(32, 'must have at least 32 characters; leave it out to generate one in DATA_DIR')
    .optional(),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  // The exporter of traces reads these itself, with the others of OpenTelemetry.
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url('must be a URL').optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.url('must be a URL').optional(),
  OTEL_SDK_DISABLED: z.string().optional(),
  OTEL_SERVICE_NAME: z.string().default('hansom'),
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info'),
  DEMO: z
    .string()
    .refine((text) => [...truthy, ...falsy].includes(text.toLowerCase()), 'must be on or off')
    .transform((text) => truthy.includes(text.toLowerCase()))
    .optional(),
  DEMO_SPEED: z
    .string()
    .refine((text) => Number(text) >= 0.1 && Number(text) <= 100, 'must be a number from 0.1 to 100')
    .transform(Number)
    .default(1),
  DEMO_DRIVERS: integer(0, 10_000, 'must be a whole number from 0 to 10000').default(40),
  DEMO_RIDERS: integer(0, 10_000, 'must be a whole number from 0 to 10000').default(6),
  CATEGORY: z.enum(['taxi', 'delivery'], 'must be taxi or delivery').default('taxi'),
  KEEP_TRACKS_DAYS: retentionDays.default(30),
  KEEP_BOOKING_EVENTS_DAYS: retentionDays.default(1095),
  KEEP_NOTIFICATIONS_DAYS: retentionDays.default(365),
  KEEP_PAYMENT_MESSAGES_DAYS: retentionDays.default(550),
  KEEP_AUDIT_DAYS: retentionDays.default(1095),
  KEEP_DELIVERY_DATA_DAYS: retentionDays.default(180),
  KEEP_CHATS_DAYS: retentionDays.default(90),
  KEEP_ARCHIVE: z
    .string()
    .refine((text) => [...truthy, ...falsy].includes(text.toLowerCase()), 'must be on or off')
    .transform((text) => truthy.includes(text.toLowerCase()))
    .default(false),
  PLACES_SERVICE: z.enum(placeServices, `must be one of ${placeServices.join(', ')}`).optional(),
  ROUTES_SERVICE: z.enum(routeServices, `must be one of ${routeServices.join(', ')}`).optional(),
  GOOGLE_MAPS_KEY: z.string().optional(),
  GOOGLE_MAPS_URL: serviceUrl.optional(),
  MAPBOX_TOKEN: z.string().optional(),
  MAPBOX_URL: serviceUrl.optional(),
  PHOTON_URL: mapServerUrl.optional(),
  NOMINATIM_URL: mapServerUrl.optional(),
  OSRM_URL: mapServerUrl.optional(),
  VALHALLA_URL: mapServerUrl.optional(),
  MAP_DAILY_BUDGET: z
    .string()
    .regex(/^\d{1,6}(\.\d{1,2})?$/, 'must be an amount in US dollars, such as 25 or 7.50')
    .transform(Number)
    .optional(),
  MAP_DAILY_CALLS: integer(0, 100_000_000, 'must be a whole number of calls').optional(),
  MAP_AREA: mapArea.optional(),
  MAP_AREA_NAME: z.string().trim().min(1).max(80, 'must be at most 80 characters').optional(),
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^([^<>@\r\n]+<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/,
      'must look like rides@example.org or Rides <rides@example.org>',
    )
    .optional(),
  MAIL_DAILY_LIMIT: messageLimit.default(20_000),
  MAIL_DAILY_LIMIT_PERSON: messageLimit.default(60),
  SMS_DAILY_LIMIT: messageLimit.default(5_000),
  SMS_DAILY_LIMIT_PERSON: messageLimit.default(60),
  SMS_URL: serviceUrl.optional(),
  SMS_KEY: z.string().optional(),
  SMS_SECRET: z.string().optional(),
  SMS_FROM: z
    .string()
    .regex(/^(\+?\d{3,15}|[A-Za-z0-9 ]{1,11})$/, 'must be a number, or a name of up to 11 letters and digits')
    .optional(),
  VOICE_ACCOUNT: z.string().optional(),
  VOICE_TOKEN: z.string().optional(),
  VOICE_NUMBERS: phoneNumbers.optional(),
  VOICE_URL: serviceUrl.optional(),
  VAPID_PUBLIC_KEY: z.string().optional(),
  VAPID_PRIVATE_KEY: z.string().optional(),
  VAPID_SUBJECT: z
    .string()
    .regex(/^(https:\/\/|mailto:)\S+$/, 'must be an https or mailto URL, such as mailto:push@rides.example')
    .optional(),
  PUSH_HOSTS: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim().toLowerCase()))
    .refine(
      (parts) => parts.every((part) => /^\.?[a-z0-9.-]+(:\d{1,5})?$/.test(part)),
      'must be hosts separated by commas, such as push.example, .push.example for all its subdomains, or 127.0.0.1:9000',
    )
    .default([]),
  FCM_SERVICE_ACCOUNT: fcmServiceAccount.optional(),
  FCM_URL: serviceUrl.optional(),
  EXPO_ACCESS_TOKEN: z.string().optional(),
  EXPO_URL: serviceUrl.optional(),
  FACEBOOK_CLIENT_ID: z.string().optional(),
  FACEBOOK_CLIENT_SECRET: z.string().optional(),
  FACEBOOK_DIALOG_URL: httpUrl.optional(),
  FACEBOOK_GRAPH_URL: httpUrl.optional(),
  APPLE_CLIENT_ID: z.string().optional(),
  APPLE_TEAM_ID: z.string().optional(),
  APPLE_KEY_ID: z.string().optional(),
  APPLE_PRIVATE_KEY: z
    .string()
    // \n represents a line break, so that the key fits on one line.
    .transform((text) => text.replaceAll('\\n', '\n'))
    .refine(isEllipticKey, 'must be the content of the .p8 file from Apple')
    .optional(),
  APPLE_URL: httpUrl.optional(),
  LICENCE_URL: serviceUrl.optional(),
  LICENCE_PROJECT: z.string().max(100).optional(),
  STORAGE_S3_BUCKET: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
      'must be a bucket name: 3 to 63 characters of a-z, 0-9, . and -',
    )
    .optional(),
  STORAGE_S3_REGION: z.string().optional(),
  STORAGE_S3_ENDPOINT: httpUrl.optional(),
  STORAGE_S3_KEY: z.string().optional(),
  STORAGE_S3_SECRET: z.string().optional(),
})

/** Every supported variable, except those of payment providers. */
export const variableNames: readonly string[] = environment.keyof().options

export type Environment = z.infer<typeof environment>
