import { resolve } from 'node:path'
import { isLoopbackUrl, loopbackHosts } from './adapters/payments/options.ts'
import { type PaymentOptions, readPayments, withTestPayments } from './adapters/payments/registry.ts'
import { type BaseMapConfig, baseMapConfig, baseMapProblems } from './config/base-map.ts'
import { environment } from './config/environment.ts'
import {
  type ExternalServices,
  externalServices,
  type SocialClients,
  socialClients,
} from './config/external-services.ts'
import { type MapServicesConfig, readMapServices } from './config/map-services.ts'
import { type PushConfig, pushConfig } from './config/push-services.ts'

/** The server's configuration from environment variables, checked once at startup. */
export type Config = ExternalServices &
  PushConfig &
  SocialClients & {
    production: boolean
    /** Demo accounts, demo data and the simulated city; never reachable from another machine. */
    demo: boolean
    host: string
    port: number
    /** An explicit port is never replaced by another one; the default may be. */
    portGiven: boolean
    /** Absolute path of the folder with all of the server's data. */
    dataDir: string
    /** An external PostgreSQL; without it, the embedded one runs under `dataDir`. */
    databaseUrl: string | undefined
    /** PostgreSQL itself, where a pooler is at `databaseUrl`. */
    databaseDirectUrl: string | undefined
    /** A streaming replica of the external PostgreSQL, which answers reports. */
    databaseReplicaUrl: string | undefined
    /** Connects several servers with one database; undefined: this server is alone. */
    redisUrl: string | undefined
    /** The map regions to serve; undefined: those that `maps:use` chose, otherwise the packaged one. */
    mapRegions: string[] | undefined
    mapServices: MapServicesConfig
    /** The map that browsers draw instead of our own tiles. */
    baseMap: BaseMapConfig | null
    /** The public URL, without a trailing slash; undefined: the address that the server listens on. */
    publicUrl: string | undefined
    /** IP addresses and networks of trusted proxies; loopback is always trusted. */
    trustedProxies: string[]
    /** Signs sessions; undefined: generated once and stored under `dataDir`. */
    authSecret: string | undefined
    /** The bearer token of `/metrics`; undefined: only a demo shows it. */
    metricsToken: string | undefined
    /** The name under which traces are sent; null: nothing is traced. */
    tracedAs: string | null
    logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent'
    /** Speed of the demo's clock as a multiple of real time. */
    demoSpeed: number
    demoDrivers: number
    demoRiders: number
    category: 'taxi' | 'delivery'
    /** Days until rows that are not needed permanently are deleted; 0: never. */
    retention: {
      tracks: number
      bookingEvents: number
      notifications: number
      paymentMessages: number
      audit: number
      deliveries: number
      chats: number
      /** Stores rows as compressed files before deleting them. */
      archive: boolean
    }
    /** The most emails and text messages of a day. */
    messageLimits: Record<'mails' | 'texts', { total: number; person: number; address: number }>
    /** The configured payment providers. */
    payments: PaymentOptions
  }

/** All problems with the environment; `message` can be printed as is. */
export class ConfigError extends Error {
  readonly problems: string[]

  constructor(problems: string[]) {
    super(`Invalid configuration:\n${problems.map((line) => `  - ${line}`).join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/**
 * Parses environment variables into a checked configuration. An empty variable counts as unset. Throws ConfigError with
 * every problem found. `isCluster`: for `npm run cluster`, which makes what several servers need in common.
 */
export function loadConfig(
  variables: Record<string, string | undefined>,
  workingFolder: string,
  { isCluster = false } = {},
): Config {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value?.trim() !== ''))
  const parsed = environment.safeParse({ ...given, NODE_ENV: given.NODE_ENV ?? 'development' })
  if (!parsed.success) {
    throw new ConfigError([
      ...parsed.error.issues.map(
        (issue) => `${issue.path.join('.')} ${issue.message} (it is ${shown(issue.path[0], given)})`,
      ),
      ...incompleteGroups(given),
      ...baseMapProblems(given),
    ])
  }
  const values = parsed.data
  const production = values.NODE_ENV === 'production'
  const demo = values.DEMO ?? !production
  const read = readPayments(given)
  const { payments, problems: testProblems } = withTestPayments(read.payments, { demo, production })
  const maps = readMapServices(values)
  const problems = [
    ...incompleteGroups(given),
    ...baseMapProblems(given),
    ...maps.problems,
    ...read.problems,
    ...testProblems,
  ]
  if (demo && !loopbackHosts.includes(values.HOST)) {
    problems.push(
      `HOST is ${values.HOST}, but the demo has known passwords and listens on this machine only. ` +
        'Leave HOST out, or run without the demo: NODE_ENV=production, or DEMO=off',
    )
  }
  if (demo && values.PUBLIC_URL !== undefined && !isLoopbackUrl(values.PUBLIC_URL)) {
    problems.push(
      `PUBLIC_URL is ${values.PUBLIC_URL}, but the demo has known passwords and serves this machine only. ` +
        'Leave PUBLIC_URL out, or run without the demo: NODE_ENV=production, or DEMO=off',
    )
  }
  if (demo && values.TRUSTED_PROXIES.length > 0) {
    problems.push(
      'TRUSTED_PROXIES is set, but the demo has known passwords and accepts no proxy. ' +
        'Leave TRUSTED_PROXIES out, or run without the demo: NODE_ENV=production, or DEMO=off',
    )
  }
  if (!demo && values.DEMO_SPEED !== 1)
    problems.push('DEMO_SPEED only works in the demo: leave it out, or set DEMO=on')
  if (production && values.PUBLIC_URL === undefined && !loopbackHosts.includes(values.HOST)) {
    problems.push(
      'PUBLIC_URL is not set: the links in emails, the return from social sign-in and secure cookies need the ' +
        'public URL, such as https://rides.example',
    )
  }
  if (values.VOICE_NUMBERS !== undefined && values.PUBLIC_URL === undefined) {
    problems.push('VOICE_NUMBERS is set, but the voice service needs PUBLIC_URL to ask about calls')
  }
  for (const name of ['DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL'] as const) {
    if (values[name] !== undefined && values.DATABASE_URL === undefined)
      problems.push(`${name} is set, but DATABASE_URL is not`)
  }
  if (values.REDIS_URL !== undefined && !isCluster) {
    for (const name of sharedVariables) {
      if (given[name] === undefined)
        problems.push(`REDIS_URL is set, and servers that share a database all need the same ${name}`)
    }
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return {
    production,
    demo,
    host: values.HOST,
    port: values.PORT ?? 8080,
    portGiven: values.PORT !== undefined,
    dataDir: resolve(workingFolder, values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    databaseDirectUrl: values.DATABASE_DIRECT_URL,
    databaseReplicaUrl: values.DATABASE_REPLICA_URL,
    redisUrl: values.REDIS_URL,
    mapRegions: values.MAP_REGION,
    mapServices: maps.services,
    baseMap: baseMapConfig(values),
    publicUrl: values.PUBLIC_URL?.replace(/\/$/, ''),
    trustedProxies: values.TRUSTED_PROXIES,
    authSecret: values.AUTH_SECRET,
    metricsToken: values.METRICS_TOKEN,
    tracedAs:
      (values.OTEL_EXPORTER_OTLP_ENDPOINT ?? values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) === undefined ||
      values.OTEL_SDK_DISABLED === 'true'
        ? null
        : values.OTEL_SERVICE_NAME,
    logLevel: values.LOG_LEVEL,
    demoSpeed: values.DEMO_SPEED,
    demoDrivers: values.DEMO_DRIVERS,
    demoRiders: values.DEMO_RIDERS,
    category: values.CATEGORY,
    retention: {
      tracks: values.KEEP_TRACKS_DAYS,
      bookingEvents: values.KEEP_BOOKING_EVENTS_DAYS,
      notifications: values.KEEP_NOTIFICATIONS_DAYS,
      paymentMessages: values.KEEP_PAYMENT_MESSAGES_DAYS,
      audit: values.KEEP_AUDIT_DAYS,
      deliveries: values.KEEP_DELIVERY_DATA_DAYS,
      chats: values.KEEP_CHATS_DAYS,
      archive: values.KEEP_ARCHIVE,
    },
    messageLimits: {
      mails: {
        total: values.MAIL_DAILY_LIMIT,
        person: values.MAIL_DAILY_LIMIT_PERSON,
        address: values.MAIL_DAILY_LIMIT_PERSON,
      },
      texts: {
        total: values.SMS_DAILY_LIMIT,
        person: values.SMS_DAILY_LIMIT_PERSON,
        address: values.SMS_DAILY_LIMIT_PERSON,
      },
    },
    payments,
    ...externalServices(values),
    ...pushConfig(values),
    ...socialClients(values),
  }
}

/** The configuration of this process. Throws ConfigError. */
export function readConfig(): Config {
  return loadConfig(process.env, process.cwd())
}

/** The environment variables as they are, valid or not. */
export const givenVariables = (): Record<string, string | undefined> => process.env

/** What a single server would make for itself, and several need in common. */
const sharedVariables = ['DATABASE_URL', 'AUTH_SECRET', 'VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY']

const secretVariables = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_REPLICA_URL',
  'REDIS_URL',
  'AUTH_SECRET',
  'METRICS_TOKEN',
  'SMTP_URL',
  'SMS_URL',
  'LICENCE_URL',
  'SMS_SECRET',
  'VOICE_TOKEN',
  'VOICE_URL',
  'FACEBOOK_CLIENT_SECRET',
  'APPLE_PRIVATE_KEY',
  'STORAGE_S3_ENDPOINT',
  'STORAGE_S3_SECRET',
  'GOOGLE_MAPS_KEY',
  'GOOGLE_MAPS_URL',
  'MAPBOX_TOKEN',
  'MAPBOX_URL',
  'PHOTON_URL',
  'NOMINATIM_URL',
  'OSRM_URL',
  'VALHALLA_URL',
  // They may contain a key, which is public but would be stored in logs.
  'MAP_STYLE_URL',
  'MAP_STYLE_URL_DARK',
  'MAP_TILES_URL',
  'VAPID_PRIVATE_KEY',
  'FCM_SERVICE_ACCOUNT',
  'EXPO_ACCESS_TOKEN',
]

function shown(name: PropertyKey | undefined, given: Record<string, string | undefined>): string {
  const key = String(name)
  if (given[key] === undefined) return 'not set'
  return secretVariables.includes(key) ? 'not shown' : JSON.stringify(given[key])
}

/** Variables that must be set together; `optional` ones are only valid with the others. */
const groups: { what: string; needed: string[]; optional: string[] }[] = [
  { what: 'mail', needed: ['SMTP_URL', 'MAIL_FROM'], optional: [] },
  { what: 'text messages', needed: ['SMS_KEY', 'SMS_SECRET', 'SMS_FROM'], optional: ['SMS_URL'] },
  {
    what: 'masked calls',
    needed: ['VOICE_ACCOUNT', 'VOICE_TOKEN', 'VOICE_NUMBERS'],
    optional: ['VOICE_URL'],
  },
  {
    what: 'Facebook sign-in',
    needed: ['FACEBOOK_CLIENT_ID', 'FACEBOOK_CLIENT_SECRET'],
    optional: ['FACEBOOK_DIALOG_URL', 'FACEBOOK_GRAPH_URL'],
  },
  {
    what: 'Apple sign-in',
    needed: ['APPLE_CLIENT_ID', 'APPLE_TEAM_ID', 'APPLE_KEY_ID', 'APPLE_PRIVATE_KEY'],
    optional: ['APPLE_URL'],
  },
  { what: 'web push', needed: ['VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY'], optional: [] },
  { what: 'push to apps by FCM', needed: ['FCM_SERVICE_ACCOUNT'], optional: ['FCM_URL'] },
  { what: 'push to apps by Expo', needed: ['EXPO_ACCESS_TOKEN'], optional: ['EXPO_URL'] },
  { what: 'the licence service', needed: ['LICENCE_URL', 'LICENCE_PROJECT'], optional: [] },
  {
    what: 'object storage',
    needed: ['STORAGE_S3_BUCKET', 'STORAGE_S3_REGION', 'STORAGE_S3_KEY', 'STORAGE_S3_SECRET'],
    optional: ['STORAGE_S3_ENDPOINT'],
  },
]

/** Problems with groups of which only some variables are set. */
function incompleteGroups(given: Record<string, string | undefined>): string[] {
  return groups.flatMap(({ what, needed, optional }) => {
    const isSet = (name: string) => given[name] !== undefined
    const present = [...needed, ...optional].filter(isSet)
    const missing = needed.filter((name) => !isSet(name))
    if (present.length === 0 || missing.length === 0) return []
    return [
      `${present.join(', ')} ${present.length === 1 ? 'is' : 'are'} set, but ${what} also ` +
        `${missing.length === 1 ? 'needs' : 'need'} ${missing.join(', ')}`,
    ]
  })
}
