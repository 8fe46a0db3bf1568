import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { regionSettings } from '@hansom/domain/settings/region-settings'
import { eq } from 'drizzle-orm'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { AccountsService } from '../accounts/service.ts'
import { bookingsTable } from '../bookings/table.ts'
import type { SettingsService } from '../settings/service.ts'
import { usersTable } from '../users/table.ts'
import { demoDeliverySettings, demoSettings, seedCatalogue } from './city-data.ts'
import { demoPrices } from './prices.ts'
import {
  areUsersComplete,
  type DemoUsers,
  demoAccounts,
  demoPassword,
  renewSimulatorPassword,
  seedUsers,
} from './seed-users.ts'
import { type HistoryDeps, simulateHistory } from './simulate-history.ts'

export interface DemoDeps extends HistoryDeps {
  database: Database
  clock: Clock
  dataDir: string
  category: 'taxi' | 'delivery'
  settings: SettingsService
  accounts: AccountsService
}

export interface DemoService {
  /**
   * Turns an empty database into a demo ('made'): settings, car types, accounts, people and 90 days of trips, all of it
   * or nothing. In an existing demo it only adds missing simulated people ('kept'). A database with users of its own is
   * left unchanged ('foreign'), and so is a demo whose trips are not on this map ('elsewhere').
   */
  seed(people: DemoUsers): Promise<DemoState>
  /** Email addresses that visitors sign in with. */
  accounts: readonly string[]
  password: string
  /** The password of the simulated people. */
  simulatorPassword(): Promise<string>
}

type DemoState = 'made' | 'kept' | 'foreign' | 'elsewhere'

const minUsers: DemoUsers = { drivers: 40, riders: 12 }

export function createDemoService(deps: DemoDeps): DemoService {
  const { database, clock, settings, accounts } = deps

  return {
    accounts: Object.values(demoAccounts),
    password: demoPassword,
    simulatorPassword: async () => (await simulatorPassword(deps.dataDir)).password,
    seed: async (people) => {
      const state = await stateOf(database, deps.maps)
      if (state === 'foreign' || state === 'elsewhere') return state
      const wanted = {
        drivers: Math.max(minUsers.drivers, people.drivers),
        riders: Math.max(minUsers.riders, people.riders),
      }
      const { password, isNew } = await simulatorPassword(deps.dataDir)
      const isComplete = state === 'kept' && (await areUsersComplete(database.db, wanted))
      if (isComplete && !isNew) return state
      const [demoHash, simulatorHash] = await Promise.all([
        accounts.hashPassword(demoPassword),
        accounts.hashPassword(password),
      ])
      await database.withTransaction(async (tx) => {
        const now = clock.now()
        if (state === 'made') {
          const region = regionSettings(deps.maps.region)
          const pesos = demoPrices(region.code)
          await settings.update(tx, {
            ...region,
            ...demoSettings,
            ...(deps.category === 'delivery' && demoDeliverySettings),
            bonus: pesos(50),
            category: deps.category,
          })
          await seedCatalogue(tx, now, pesos, deps.category)
        }
        await seedUsers(tx, {
          ...wanted,
          accounts,
          category: deps.category,
          now,
          withPast: state === 'made',
          demoHash,
          simulatorHash,
        })
        if (state === 'made') await simulateHistory(deps, tx, now)
        else if (isNew) await renewSimulatorPassword(tx, simulatorHash)
      })
      if (state === 'made') releaseMemory()
      return state
    },
  }
}

async function stateOf({ db }: Database, maps: DemoDeps['maps']): Promise<DemoState> {
  const users = await db.select({ id: usersTable.id }).from(usersTable).limit(1)
  if (users.length === 0) return 'made'
  const demoAdmin = await db
    .select({ id: usersTable.id })
    .from(usersTable)
    .where(eq(usersTable.email, demoAccounts.admin))
  if (demoAdmin.length === 0) return 'foreign'
  const [trip] = await db.select({ pickup: bookingsTable.pickup }).from(bookingsTable).limit(1)
  return trip === undefined || maps.covers(trip.pickup) ? 'kept' : 'elsewhere'
}

/**
 * Collects garbage. Making the past leaves a hundred megabytes of it, which an idle server would keep for hours because
 * V8 has no reason to collect.
 */
function releaseMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  // The second run returns the memory freed by the first to the system.
  collect()
}

/**
 * The shared password of all simulated people: random, created at the demo's first start and stored in the data folder,
 * readable by this user only. The simulator gets it from the server that starts it.
 */
async function simulatorPassword(dataDir: string): Promise<{ password: string; isNew: boolean }> {
  const file = join(dataDir, 'simulator-password')
  const stored = (await readFile(file, 'utf8').catch(noSuchFile)).trim()
  if (stored !== '') return { password: stored, isNew: false }
  const password = randomBytes(24).toString('base64url')
  await mkdir(dataDir, { recursive: true })
  await writeFile(file, password, { mode: 0o600 })
  return { password, isNew: true }
}

function noSuchFile(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return ''
  throw error
}
