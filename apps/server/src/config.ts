import { createPrivateKey } from 'node:crypto'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import { type PaymentOptions, readPayments } from './config/payments/read-payments.ts'
import { withTestPayments } from './config/payments/with-test-payments.ts'

/** What the server was told by its environment, checked once at start. */
export type Config = {
  production: boolean
  /** Demo accounts, demo data and the simulated city; never in reach of another machine. */
  demo: boolean
  host: string
  port: number
  /** A port that was asked for is never exchanged for another one; the default may be. */
  portGiven: boolean
  /** Absolute path of the folder that holds everything the server keeps. */
  dataDir: string
  /** An outside PostgreSQL; without it the embedded one runs under `dataDir`. */
  databaseUrl: string | undefined
  /** The address people use, without a slash at the end; undefined: the address listened on. */
  publicUrl: string | undefined
  /** Addresses and networks of proxies that say on whose behalf they ask; one on this machine always may. */
  trustedProxies: string[]
  /** Signs sessions; undefined: generated once and kept under `dataDir`. */
  authSecret: string | undefined
  logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** How many times faster than real time the demo's clock runs. */
  demoSpeed: number
  demoDrivers: number
  demoRiders: number
  category: 'taxi' | 'delivery'
  /** The mail server; null: mail is kept in the database. */
  mail: { smtpUrl: string; from: string } | null
  /** The text message service; null: text messages are kept in the database. `url` undefined: the service's own. */
  sms: { url: string | undefined; key: string; secret: string; from: string } | null
  /** Social sign-in; null: not offered. The addresses carry the version of the provider's interface. */
  facebook: { clientId: string; clientSecret: string; dialogUrl: string; graphUrl: string } | null
  /** `privateKey` is PEM; `url` is also the issuer of what Apple signs. */
  apple: { clientId: string; teamId: string; keyId: string; privateKey: string; url: string } | null
  /** A service that licenses the installation, and its name there; null: nobody is asked, and nothing locks. */
  licence: { url: string; project: string } | null
  /** S3-compatible object storage; null: files lie under `dataDir`. `endpoint` undefined: that of AWS. */
  objectStorage: {
    bucket: string
    region: string
    endpoint: string | undefined
    key: string
    secret: string
  } | null
  /** The payment providers that are set up. */
  payments: PaymentOptions
}

/** Everything wrong with the environment at once; `message` is made to be printed as it is. */
export class ConfigError extends Error {
  readonly problems: string[]

  constructor(problems: string[]) {
    super(`The configuration cannot be used:\n${problems.map((line) => `  - ${line}`).join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

const loopbackHosts = ['127.0.0.1', 'localhost', '::1']
const yes = ['1', 'true', 'on', 'yes']
const no = ['0', 'false', 'off', 'no']

const whole = (from: number, to: number, advice: string) =>
  z
    .string()
    .regex(/^\d+$/, advice)
    .transform(Number)
    .refine((value) => value >= from && value <= to, advice)

const siteUrl = z
  .string()
  .refine(
    (text) =>
      URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).pathname === '/',
    'must be an http or https address without a path, such as https://rides.example',
  )

const postgresUrl = z
  .string()
  .refine(
    (text) => URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol),
    'must look like postgresql://user:password@host:5432/name, or be left out for the embedded database',
  )

const smtpUrl = z
  .string()
  .refine(
    (text) =>
      URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol) && /^\/?$/.test(new URL(text).pathname),
    'must look like smtps://user:password@host:465 or smtp://user:password@host:587',
  )

const serviceUrl = z
  .string()
  .refine(
    (text) =>
      URL.canParse(text) &&
      (new URL(text).protocol === 'https:' ||
        (new URL(text).protocol === 'http:' && loopbackHosts.includes(new URL(text).hostname))),
    'must be an https address',
  )

const webAddress = z
  .string()
  .refine(
    (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
    'must be an http or https address, such as https://storage.example',
  )

/** `10.0.0.5`, `10.0.0.0/8`, `fd00::/8`: never everybody, who could then be anybody. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

function isEllipticKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'ec'
  } catch {
    return false
  }
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const

const environment = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test'], 'must be production, development or test'),
  PORT: whole(0, 65535, 'must be a whole number from 0 to 65535').optional(),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: postgresUrl.optional(),
  PUBLIC_URL: siteUrl.optional(),
  TRUSTED_PROXIES: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine(
      (parts) => parts.every(isNetwork),
      'must be addresses or networks with commas between, such as 10.0.0.5 or 10.0.0.0/8',
    )
    .default([]),
  AUTH_SECRET: z
    .string()
    .min(32, 'must have at least 32 characters; leave it out and one is made and kept in DATA_DIR')
    .optional(),
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info'),
  DEMO: z
    .string()
    .refine((text) => [...yes, ...no].includes(text.toLowerCase()), 'must be on or off')
    .transform((text) => yes.includes(text.toLowerCase()))
    .optional(),
  DEMO_SPEED: z
    .string()
    .refine((text) => Number(text) >= 0.1 && Number(text) <= 100, 'must be a number from 0.1 to 100')
    .transform(Number)
    .default(1),
  DEMO_DRIVERS: whole(0, 10_000, 'must be a whole number from 0 to 10000').default(40),
  DEMO_RIDERS: whole(0, 10_000, 'must be a whole number from 0 to 10000').default(0),
  CATEGORY: z.enum(['taxi', 'delivery'], 'must be taxi or delivery').default('taxi'),
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^([^<>@\r\n]+<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/,
      'must look like rides@example.org or Rides <rides@example.org>',
    )
    .optional(),
  SMS_URL: serviceUrl.optional(),
  SMS_KEY: z.string().optional(),
  SMS_SECRET: z.string().optional(),
  SMS_FROM: z
    .string()
    .regex(/^(\+?\d{3,15}|[A-Za-z0-9 ]{1,11})$/, 'must be a number, or a name of up to 11 letters and digits')
    .optional(),
  FACEBOOK_CLIENT_ID: z.string().optional(),
  FACEBOOK_CLIENT_SECRET: z.string().optional(),
  FACEBOOK_DIALOG_URL: webAddress.optional(),
  FACEBOOK_GRAPH_URL: webAddress.optional(),
  APPLE_CLIENT_ID: z.string().optional(),
  APPLE_TEAM_ID: z.string().optional(),
  APPLE_KEY_ID: z.string().optional(),
  APPLE_PRIVATE_KEY: z
    .string()
    // One line is easier to set: \n stands for the breaks of the file that Apple gives.
    .transform((text) => text.replaceAll('\\n', '\n'))
    .refine(isEllipticKey, 'must be the text of the .p8 file that Apple gives')
    .optional(),
  APPLE_URL: webAddress.optional(),
  LICENCE_URL: serviceUrl.optional(),
  LICENCE_PROJECT: z.string().max(100).optional(),
  STORAGE_S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket: 3 to 63 of a-z, 0-9, . and -')
    .optional(),
  STORAGE_S3_REGION: z.string().optional(),
  STORAGE_S3_ENDPOINT: webAddress.optional(),
  STORAGE_S3_KEY: z.string().optional(),
  STORAGE_S3_SECRET: z.string().optional(),
})

/** Every variable that is read, but for those of payment providers. */
export const variableNames: readonly string[] = environment.keyof().options

/** Variables that mean something only together; `optional` ones only beside the others. */
const groups: { what: string; needed: string[]; optional: string[] }[] = [
  { what: 'mail', needed: ['SMTP_URL', 'MAIL_FROM'], optional: [] },
  { what: 'text messages', needed: ['SMS_KEY', 'SMS_SECRET', 'SMS_FROM'], optional: ['SMS_URL'] },
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
  { what: 'the licence service', needed: ['LICENCE_URL', 'LICENCE_PROJECT'], optional: [] },
  {
    what: 'object storage',
    needed: ['STORAGE_S3_BUCKET', 'STORAGE_S3_REGION', 'STORAGE_S3_KEY', 'STORAGE_S3_SECRET'],
    optional: ['STORAGE_S3_ENDPOINT'],
  },
]

function halfSetGroups(given: Record<string, string | undefined>): string[] {
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

/**
 * Reads a set of environment variables into a checked configuration. An empty variable counts as absent.
 * Throws ConfigError with every problem found.
 */
export function loadConfig(variables: Record<string, string | undefined>, workingFolder: string): Config {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value?.trim() !== ''))
  const parsed = environment.safeParse({ ...given, NODE_ENV: given.NODE_ENV ?? 'development' })
  if (!parsed.success) {
    throw new ConfigError([
      ...parsed.error.issues.map(
        (issue) => `${issue.path.join('.')} ${issue.message} (it is ${shown(issue.path[0], given)})`,
      ),
      ...halfSetGroups(given),
    ])
  }
  const values = parsed.data
  const production = values.NODE_ENV === 'production'
  const demo = values.DEMO ?? !production
  const read = readPayments(given)
  const { payments, problems: testProblems } = withTestPayments(read.payments, { demo, production })
  const problems = [...halfSetGroups(given), ...read.problems, ...testProblems]
  if (demo && !loopbackHosts.includes(values.HOST)) {
    problems.push(
      `HOST is ${values.HOST}, but the demo has known passwords and listens on this machine only. ` +
        'Leave HOST out, or run without the demo: NODE_ENV=production, or DEMO=off',
    )
  }
  if (!demo && values.DEMO_SPEED !== 1)
    problems.push('DEMO_SPEED is for the demo only: leave it out, or set DEMO=on')
  if (production && values.PUBLIC_URL === undefined && !loopbackHosts.includes(values.HOST)) {
    problems.push(
      'PUBLIC_URL is not set: the links in mails, the return from social sign-in and secure cookies need the ' +
        'address people use, such as https://rides.example',
    )
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
    publicUrl: values.PUBLIC_URL?.replace(/\/$/, ''),
    trustedProxies: values.TRUSTED_PROXIES,
    authSecret: values.AUTH_SECRET,
    logLevel: values.LOG_LEVEL,
    demoSpeed: values.DEMO_SPEED,
    demoDrivers: values.DEMO_DRIVERS,
    demoRiders: values.DEMO_RIDERS,
    category: values.CATEGORY,
    payments,
    ...outsideServices(values),
    ...socialClients(values),
  }
}

function outsideServices(
  values: z.infer<typeof environment>,
): Pick<Config, 'mail' | 'sms' | 'licence' | 'objectStorage'> {
  const { SMTP_URL, MAIL_FROM, SMS_URL, SMS_KEY, SMS_SECRET, SMS_FROM } = values
  const { LICENCE_URL, LICENCE_PROJECT } = values
  const { STORAGE_S3_BUCKET, STORAGE_S3_REGION, STORAGE_S3_ENDPOINT, STORAGE_S3_KEY, STORAGE_S3_SECRET } =
    values
  return {
    mail: SMTP_URL && MAIL_FROM ? { smtpUrl: SMTP_URL, from: MAIL_FROM } : null,
    sms:
      SMS_KEY && SMS_SECRET && SMS_FROM
        ? { url: SMS_URL, key: SMS_KEY, secret: SMS_SECRET, from: SMS_FROM }
        : null,
    licence: LICENCE_URL && LICENCE_PROJECT ? { url: LICENCE_URL, project: LICENCE_PROJECT } : null,
    objectStorage:
      STORAGE_S3_BUCKET && STORAGE_S3_REGION && STORAGE_S3_KEY && STORAGE_S3_SECRET
        ? {
            bucket: STORAGE_S3_BUCKET,
            region: STORAGE_S3_REGION,
            endpoint: STORAGE_S3_ENDPOINT,
            key: STORAGE_S3_KEY,
            secret: STORAGE_S3_SECRET,
          }
        : null,
  }
}

function socialClients(values: z.infer<typeof environment>): Pick<Config, 'facebook' | 'apple'> {
  const { FACEBOOK_CLIENT_ID, FACEBOOK_CLIENT_SECRET } = values
  const { APPLE_CLIENT_ID, APPLE_TEAM_ID, APPLE_KEY_ID, APPLE_PRIVATE_KEY } = values
  return {
    facebook:
      FACEBOOK_CLIENT_ID && FACEBOOK_CLIENT_SECRET
        ? {
            clientId: FACEBOOK_CLIENT_ID,
            clientSecret: FACEBOOK_CLIENT_SECRET,
            dialogUrl: values.FACEBOOK_DIALOG_URL ?? 'https://www.facebook.com/v24.0',
            graphUrl: values.FACEBOOK_GRAPH_URL ?? 'https://graph.facebook.com/v24.0',
          }
        : null,
    apple:
      APPLE_CLIENT_ID && APPLE_TEAM_ID && APPLE_KEY_ID && APPLE_PRIVATE_KEY
        ? {
            clientId: APPLE_CLIENT_ID,
            teamId: APPLE_TEAM_ID,
            keyId: APPLE_KEY_ID,
            privateKey: APPLE_PRIVATE_KEY,
            url: values.APPLE_URL ?? 'https://appleid.apple.com',
          }
        : null,
  }
}

/** The configuration of this process. Throws ConfigError. */
export function readConfig(): Config {
  return loadConfig(process.env, process.cwd())
}

const secretVariables = [
  'DATABASE_URL',
  'AUTH_SECRET',
  'SMTP_URL',
  'SMS_URL',
  'LICENCE_URL',
  'SMS_SECRET',
  'FACEBOOK_CLIENT_SECRET',
  'APPLE_PRIVATE_KEY',
  'STORAGE_S3_ENDPOINT',
  'STORAGE_S3_SECRET',
]

function shown(name: PropertyKey | undefined, given: Record<string, string | undefined>): string {
  const key = String(name)
  if (given[key] === undefined) return 'not set'
  return secretVariables.includes(key) ? 'not shown' : JSON.stringify(given[key])
}
