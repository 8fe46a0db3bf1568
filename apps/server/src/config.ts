import { resolve } from 'node:path'
import { z } from 'zod'

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
  /** Signs sessions; undefined: generated once and kept under `dataDir`. */
  authSecret: string | undefined
  logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** How many times faster than real time the demo's clock runs. */
  demoSpeed: number
  demoDrivers: number
  demoRiders: number
  category: 'taxi' | 'delivery'
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

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const

const environment = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test'], 'must be production, development or test'),
  PORT: whole(0, 65535, 'must be a whole number from 0 to 65535').optional(),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: postgresUrl.optional(),
  PUBLIC_URL: siteUrl.optional(),
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
})

/**
 * Reads a set of environment variables into a checked configuration. An empty variable counts as absent.
 * Throws ConfigError with every problem found.
 */
export function loadConfig(variables: Record<string, string | undefined>, workingFolder: string): Config {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value?.trim() !== ''))
  const parsed = environment.safeParse({ ...given, NODE_ENV: given.NODE_ENV ?? 'development' })
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map(
        (issue) => `${issue.path.join('.')} ${issue.message} (it is ${shown(issue.path[0], given)})`,
      ),
    )
  }
  const values = parsed.data
  const production = values.NODE_ENV === 'production'
  const demo = values.DEMO ?? !production
  const problems: string[] = []
  if (demo && !loopbackHosts.includes(values.HOST)) {
    problems.push(
      `HOST is ${values.HOST}, but the demo has known passwords and listens on this machine only. ` +
        'Leave HOST out, or run without the demo: NODE_ENV=production, or DEMO=off',
    )
  }
  if (!demo && values.DEMO_SPEED !== 1)
    problems.push('DEMO_SPEED is for the demo only: leave it out, or set DEMO=on')
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
    authSecret: values.AUTH_SECRET,
    logLevel: values.LOG_LEVEL,
    demoSpeed: values.DEMO_SPEED,
    demoDrivers: values.DEMO_DRIVERS,
    demoRiders: values.DEMO_RIDERS,
    category: values.CATEGORY,
  }
}

/** The configuration of this process. Throws ConfigError. */
export function readConfig(): Config {
  return loadConfig(process.env, process.cwd())
}

const secretVariables = ['DATABASE_URL', 'AUTH_SECRET']

function shown(name: PropertyKey | undefined, given: Record<string, string | undefined>): string {
  const key = String(name)
  if (given[key] === undefined) return 'not set'
  return secretVariables.includes(key) ? 'not shown' : JSON.stringify(given[key])
}
