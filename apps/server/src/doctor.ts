import { constants, existsSync } from 'node:fs'
import { access, mkdtemp, readFile, rm, stat, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { type Config, ConfigError, loadConfig } from './config.ts'
import { checkDatabase, checkReplica, type Finding, ok, problem, warning } from './doctor-database.ts'
import { clusterIn } from './platform/cluster/control.ts'
import { isKeyPair, readKeys } from './platform/secrets/vapid-keys.ts'

export interface DoctorOptions {
  /** Environment variables. */
  variables: Record<string, string | undefined>
  workingFolder: string
  nodeVersion: string
  /** The oldest Node that works, such as 20.19. */
  oldestNode: string
  /** The maps that the next start would serve, and those of them that it cannot. */
  maps(config: Config): { used: string[]; unusable: string[] }
  /** Asks the Redis server that connects several servers. Throws with the reason why it cannot be used. */
  redis(url: string): Promise<{ version: string; major: number; latencyMs: number }>
  /** The Redis server that `npm run cluster` runs itself: the installed program, and the URL while it runs. */
  ownRedis: { program: string | undefined; find(dataDir: string): Promise<string | null> }
}

/** Examines an installation without changing it, whether or not its server runs. */
export async function examine(options: DoctorOptions): Promise<Finding[]> {
  const findings = [checkNode(options)]
  const cluster = await clusterIn(
    resolve(options.workingFolder, options.variables.DATA_DIR?.trim() || './data'),
  )
  const { config, isWhole } = readConfig(options, cluster !== null, findings)
  // The rest is examined even if other variables are wrong.
  if (config === null) return findings
  if (isWhole) findings.push(...checkServices(config), ...(await checkSecrets(config)))
  findings.push(checkMaps(options, config), ...(await checkDataDir(config)))
  const isShared = config.redisUrl !== undefined || cluster !== null
  findings.push(await checkPort(config), ...(await checkDatabase({ ...config, isShared })))
  if (config.databaseReplicaUrl !== undefined) findings.push(await checkReplica(config))
  if (config.redisUrl !== undefined) findings.push(await checkRedis(config.redisUrl, options))
  else if (isWhole && cluster !== null) findings.push(await checkOwnRedis(config, cluster, options))
  return findings
}

function checkNode({ nodeVersion, oldestNode }: DoctorOptions): Finding {
  const [own, oldest] = [nodeVersion, oldestNode].map((version) => {
    const [major = 0, minor = 0] = version.split('.').map(Number)
    return major * 1_000 + minor
  }) as [number, number]
  if (own >= oldest) return ok(`Node ${nodeVersion}`)
  return problem(`Node ${nodeVersion} is too old: install ${oldestNode} or newer.`)
}

/** The configuration; with wrong variables that of the place only, null if even that is wrong. */
function readConfig(
  { variables, workingFolder }: DoctorOptions,
  isCluster: boolean,
  findings: Finding[],
): { config: Config | null; isWhole: boolean } {
  try {
    const config = loadConfig(variables, workingFolder, { isCluster })
    const purpose = `${config.demo ? 'for a demo' : 'for production'}${isCluster ? ' with npm run cluster' : ''}`
    findings.push(ok(`The configuration is valid, ${purpose}`))
    return { config, isWhole: true }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    findings.push(...error.problems.map((text) => problem(`${text}.`)))
  }
  const { NODE_ENV, DATA_DIR, DATABASE_URL, DATABASE_DIRECT_URL } = variables
  try {
    const place = { NODE_ENV, DATA_DIR, DATABASE_URL, DATABASE_DIRECT_URL, DEMO: 'off', HOST: '127.0.0.1' }
    return { config: loadConfig(place, workingFolder), isWhole: false }
  } catch {
    return { config: null, isWhole: false }
  }
}

function checkServices(config: Config): Finding[] {
  const { demo, mail, sms, push, publicUrl, payments } = config
  if (demo) return [ok('Mail, text messages and payments are imitated by the demo')]
  const cards = Object.keys(payments)
  return [
    mail === null
      ? warning(
          'Mail is not set up: no one can reset a password or confirm an address. Set SMTP_URL and MAIL_FROM.',
        )
      : ok('Mail is set up'),
    sms === null
      ? warning(
          'Text messages are not set up: no sign-in by phone. Set SMS_KEY, SMS_SECRET and SMS_FROM if you need it.',
        )
      : ok('Text messages are set up'),
    push.subject === null && publicUrl === undefined && mail === null
      ? warning('Push to Apple devices needs a contact: set VAPID_SUBJECT, PUBLIC_URL or MAIL_FROM.')
      : ok('Push to browsers is set up'),
    cards.length === 0
      ? warning(
          'No payment provider is set up: riders pay in cash or from their wallet. See docs/payments.md.',
        )
      : ok(`Payments: ${cards.join(', ')}`),
    ...(publicUrl?.startsWith('http:') && !/\/\/(localhost|127\.|\[::1\])/.test(publicUrl)
      ? [
          warning(
            'PUBLIC_URL has no https: passwords and positions travel readable. Put a proxy with https in front.',
          ),
        ]
      : []),
  ]
}

function checkMaps({ maps }: DoctorOptions, config: Config): Finding {
  const { used, unusable } = maps(config)
  if (unusable.length === 0) return ok(`Map: ${used.join(', ')}`)
  return problem(
    `The map ${unusable.join(', ')} is missing or was made by another version. ` +
      'Import it with npm run maps:import, or choose another one with npm run maps:use.',
  )
}

const scarceBytes = 500_000_000
const littleBytes = 5_000_000_000

async function checkDataDir({ dataDir }: Config): Promise<Finding[]> {
  let place = dataDir
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place)
  const findings: Finding[] = []
  try {
    await access(place, constants.W_OK | constants.X_OK)
    // Also fails on a read-only disk.
    await rm(await mkdtemp(join(place, '.doctor-')), { recursive: true })
    findings.push(ok(place === dataDir ? `${dataDir} is writable` : `${dataDir} will be created`))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    findings.push(
      problem(`${place} is not writable (${code}). Change its owner, or set DATA_DIR to another folder.`),
    )
  }
  const { bavail, bsize } = await statfs(place)
  const free = bavail * bsize
  const text = `${(free / 1e9).toFixed(1)} GB of disk space are free at ${place}`
  if (free < scarceBytes)
    findings.push(problem(`Only ${text}. The database stops when the disk is full: free some.`))
  else if (free < littleBytes) findings.push(warning(`Only ${text}.`))
  else findings.push(ok(text))
  return findings
}

async function checkSecrets({ dataDir, authSecret, vapidKeys, databaseUrl }: Config): Promise<Finding[]> {
  const isUsed = databaseUrl !== undefined || existsSync(join(dataDir, 'postgres'))
  const checkFile = async (
    name: string,
    given: boolean,
    loss: string,
    isValid: (text: string) => boolean,
  ) => {
    if (given) return []
    const file = join(dataDir, name)
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => error)
    if (typeof text !== 'string') {
      if (text.code !== 'ENOENT') return [problem(`${file} cannot be read (${text.code}). Change its owner.`)]
      return isUsed
        ? [warning(`${file} is missing and will be made again: ${loss}. Restore it from a backup.`)]
        : []
    }
    if (!isValid(text))
      return [problem(`${file} is damaged. Restore it from a backup, or remove it: ${loss}.`)]
    const isOpen = ((await stat(file)).mode & 0o077) !== 0
    return [
      isOpen
        ? warning(`${file} can be read by other users of this machine: chmod 600 it.`)
        : ok(`${file} is valid`),
    ]
  }
  return [
    ...(vapidKeys === null || isKeyPair(vapidKeys)
      ? []
      : [
          problem(
            'VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY are not a key pair, so the server does not start. Restore them ' +
              'from a backup, or make new ones: browsers must then allow notifications again.',
          ),
        ]),
    ...(await checkFile(
      'auth-secret',
      authSecret !== undefined,
      'everyone is signed out',
      (text) => text.trim().length >= 32,
    )),
    ...(await checkFile(
      'vapid-keys.json',
      vapidKeys !== null,
      'browsers must allow notifications again',
      (text) => readKeys(text) !== null,
    )),
  ]
}

const [oldestRedis, slowRedisMs] = [6, 5]

async function checkOwnRedis(
  { dataDir }: Config,
  cluster: 'running' | 'stopped',
  options: DoctorOptions,
): Promise<Finding> {
  const { program, find } = options.ownRedis
  if (program === undefined)
    return problem(
      'A cluster needs Redis or Valkey. Install redis-server or valkey-server, or set REDIS_URL.',
    )
  if (cluster === 'stopped') return ok(`The cluster is stopped; its start also starts ${program}`)
  const url = await find(dataDir)
  if (url !== null) return checkRedis(url, options, "Look at the cluster's log")
  return warning(`The cluster has not started ${program} yet, or is stopping.`)
}

async function checkRedis(
  url: string,
  { redis }: DoctorOptions,
  advice = 'Check REDIS_URL',
): Promise<Finding> {
  // The URL may contain a password.
  const { hostname, port } = new URL(url)
  const place = `${hostname}:${port || 6379}`
  try {
    const { version, major, latencyMs } = await redis(url)
    if (major < oldestRedis)
      return problem(`${version} at ${place} is too old: install Redis ${oldestRedis}, or Valkey.`)
    const text = `${version} at ${place} answers in ${latencyMs.toFixed(1)} ms`
    return latencyMs < slowRedisMs
      ? ok(text)
      : warning(`${text}: requests and events wait for it. Run it close to the servers.`)
  } catch (error) {
    return problem(
      `Redis at ${place} cannot be used: ${(error as Error).message || (error as NodeJS.ErrnoException).code}. ` +
        `${advice}; until then live updates take five seconds, and limits are per server.`,
    )
  }
}

async function checkPort({ host, port, portGiven }: Config): Promise<Finding> {
  const error = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
    const server = createServer().once('error', resolve)
    server.listen(port, host, () => server.close(() => resolve(null)))
  })
  if (error === null) return ok(`The port ${port} is free`)
  if (error.code !== 'EADDRINUSE')
    return problem(`The port ${port} cannot be used (${error.code}). Set another PORT or HOST.`)
  const reply = await fetch(`http://${host}:${port}/healthz`, { signal: AbortSignal.timeout(3_000) })
    .then((response) => response.json() as Promise<{ state?: string }>)
    .catch(() => null)
  if (reply?.state !== undefined) return ok(`A Hansom has the port ${port}; it is ${reply.state}`)
  const text = `Another program uses the port ${port}`
  return portGiven
    ? problem(`${text}. Stop it, or set another PORT.`)
    : warning(`${text}; the server takes the next free one.`)
}
