import { fileURLToPath } from 'node:url'
import { type App, buildApp } from './app.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { demoClock } from './demo-clock.ts'
import { DemoLeftError, refuseDemoLeft } from './demo-left.ts'
import { listen, PortBusyError } from './listen.ts'
import { openAdapters } from './open-adapters.ts'
import { systemClock } from './platform/clock/clock.ts'
import type { Database } from './platform/database/database.ts'
import { DatabaseUnavailableError } from './platform/database/database-error.ts'
import { migrate } from './platform/database/migrate.ts'
import { openDatabase } from './platform/database/open-database.ts'
import { describeError } from './platform/log/describe-error.ts'
import { createLog, type Log } from './platform/log/log.ts'
import { authSecret, BrokenSecretError } from './platform/secrets/auth-secret.ts'
import { warnOfSecondServer } from './second-server.ts'
import { onStopSignal } from './shutdown.ts'
import { type SimulatorProcess, startSimulator } from './simulator-process.ts'
import { type StartNotice, startNotice } from './start-notice.ts'

/** Errors whose message says what to do. */
const forPeople = [BrokenSecretError, ConfigError, DatabaseUnavailableError, DemoLeftError, PortBusyError]
const webFolder = fileURLToPath(new URL('../../web/dist', import.meta.url))

/** What runs, in the order in which it has to stop. */
interface Running {
  simulator?: SimulatorProcess
  app?: App
  database?: Database
}

async function start(config: Config, log: Log, running: Running): Promise<void> {
  const database = await openDatabase(config, log)
  running.database = database
  await warnOfSecondServer(database, log)
  await migrate(database)
  if (!config.demo) await refuseDemoLeft(database)
  const secret = await authSecret(config)
  // After the database: whoever has it has the data folder to itself.
  const clock = config.demo ? await demoClock(database, config.demoSpeed) : systemClock
  const adapters = await openAdapters(config, { database, clock, secret, log })
  const app = await buildApp({
    config,
    database,
    clock,
    log,
    ...adapters,
    authSecret: secret,
    webFolder,
  })
  running.app = app
  const { demo, setup } = app.services
  const people = { drivers: config.demoDrivers, riders: config.demoRiders }
  const city = config.demo ? await demo.seed(people) : null
  await app.start()
  const address = await listen(app.server, config)
  const publicAddress = config.publicUrl ?? address
  const setupLink = await setup.openLink()

  process.stdout.write(
    startNotice({
      address: publicAddress,
      database: database.describe(),
      demo:
        city === null || city === 'foreign'
          ? null
          : { accounts: demo.accounts, password: demo.password, ...people },
      setupLink: setupLink === null ? null : publicAddress + setupLink,
      unsent: config.demo ? [] : unsentBy(config),
      addressMissing: config.production && config.publicUrl === undefined,
    }),
  )
  if (city === 'foreign') {
    log.warn('this database has people of its own, so no demo was made in it: give the demo another one')
  } else if (city !== null && people.drivers + people.riders > 0) {
    running.simulator = startSimulator({
      url: address,
      password: await demo.simulatorPassword(),
      ...people,
      log,
    })
  }
}

function unsentBy({ mail, sms }: Config): StartNotice['unsent'] {
  return [
    ...(mail === null ? (['mail'] as const) : []),
    ...(sms === null ? (['text messages'] as const) : []),
  ]
}

async function stop({ simulator, app, database }: Running): Promise<void> {
  await Promise.all([simulator?.stop(), app?.close()])
  await database?.close()
}

function fail(error: unknown): never {
  const isForPeople = forPeople.some((kind) => error instanceof kind)
  const told = isForPeople ? (error as Error).message : (describeError(error) as { stack?: string }).stack
  process.stderr.write(`\n${told}\n\n`)
  process.exit(1)
}

try {
  const config = readConfig()
  const log = createLog({ level: config.logLevel, readable: !config.production })
  const running: Running = {}
  onStopSignal(log, () => stop(running))
  await start(config, log, running).catch(async (error: unknown) => {
    await stop(running).catch(() => {})
    fail(error)
  })
} catch (error) {
  fail(error)
}
