import type { Settings } from '@hansom/domain/settings/settings'
import { eq, inArray, like } from 'drizzle-orm'
import type { Queries, Transaction } from '../../platform/database/transaction.ts'
import type { AccountsService, NewUserRow } from '../accounts/service.ts'
import { authAccountsTable } from '../accounts/table.ts'
import { carTypesTable } from '../car-types/table.ts'
import { usersTable } from '../users/table.ts'
import { demoCar, demoName } from './user-data.ts'

/** The accounts that visitors sign in with; all have `demoPassword`. */
export const demoAccounts = {
  rider: 'rider@demo.test',
  driver: 'driver@demo.test',
  fleet: 'fleet@demo.test',
  admin: 'admin@demo.test',
} as const
export const demoPassword = 'demo2026'

export interface DemoUsers {
  drivers: number
  riders: number
}

/** Number of simulated drivers in the demo account's fleet. */
const fleetSize = 10
// The same account names as in the simulator.
const driverEmail = (number: number) => `sim-driver-${String(number).padStart(2, '0')}@demo.test`
const riderEmail = (number: number) => `sim-rider-${String(number).padStart(2, '0')}@demo.test`

/** True when all simulated people exist. */
export async function areUsersComplete(queries: Queries, { drivers, riders }: DemoUsers): Promise<boolean> {
  const last = [drivers > 0 ? driverEmail(drivers) : [], riders > 0 ? riderEmail(riders) : []].flat()
  const found = await queries
    .select({ email: usersTable.email })
    .from(usersTable)
    .where(inArray(usersTable.email, last))
  return found.length === last.length
}

export interface UsersToSeed extends DemoUsers {
  accounts: Pick<AccountsService, 'createAccount'>
  category: Settings['category']
  now: number
  /** Whether the demo gets a past, for which the accounts are backdated. */
  withPast: boolean
  /** Password hashes, computed before the transaction opens. */
  demoHash: string
  simulatorHash: string
}

/** Riders who appear only in the past; they cannot sign in. */
const pastRiders = 140
const pastEmail = (number: number) => `rider-${String(number).padStart(3, '0')}@demo.test`
/** The first account is created this long before the demo's start, the last one shortly before it. */
const usersJoinedMs = 98 * 24 * 3600 * 1000

/** True for users played by a visitor or the simulator. */
export function canSignIn({ email }: { email: string | null }): boolean {
  return email !== null && !email.startsWith('rider-')
}

/** Creates the missing demo accounts and simulated people. */
export async function seedUsers(tx: Transaction, seed: UsersToSeed): Promise<void> {
  const { demoHash, simulatorHash } = seed
  const known = new Set(
    (await tx.db.select({ email: usersTable.email }).from(usersTable)).map(({ email }) => email),
  )
  const car = await carFinder(tx, seed.category)
  const first = seed.withPast ? seed.now - usersJoinedMs : seed.now
  const add = async (
    passwordHash: string | null,
    user: Omit<NewUserRow, 'approved' | 'createdAt' | 'demo'>,
    createdAt = first,
  ) => {
    if (known.has(user.email)) return
    await seed.accounts.createAccount(tx, {
      user: { ...user, approved: true, createdAt, demo: true },
      passwordHash,
      emailVerified: true,
    })
  }

  await add(demoHash, {
    email: demoAccounts.admin,
    usertype: 'admin',
    firstName: 'Elena',
    lastName: 'Barrios',
  })
  await add(demoHash, {
    email: demoAccounts.fleet,
    usertype: 'fleetadmin',
    firstName: 'Jorge',
    lastName: 'Larrañaga',
  })
  await add(demoHash, {
    email: demoAccounts.rider,
    usertype: 'rider',
    firstName: 'Ana',
    lastName: 'Pereira',
    mobile: '+59899000001',
  })
  const [fleet] = await tx.db
    .select({ id: usersTable.id })
    .from(usersTable)
    .where(eq(usersTable.email, demoAccounts.fleet))
  await add(demoHash, {
    email: demoAccounts.driver,
    usertype: 'driver',
    firstName: 'Bruno',
    lastName: 'Silva',
    mobile: '+59899000002',
    fleetadmin: fleet?.id,
    ...car(1),
    vehicleNumber: 'SDM 2026',
  })
  for (let number = 1; number <= seed.drivers; number += 1) {
    await add(simulatorHash, {
      ...demoName(number),
      email: driverEmail(number),
      usertype: 'driver',
      mobile: `+598991${String(number).padStart(5, '0')}`,
      fleetadmin: number <= fleetSize ? fleet?.id : null,
      ...car(number),
    })
  }
  for (let number = 1; number <= seed.riders; number += 1) {
    await add(simulatorHash, {
      ...demoName(number + 300),
      email: riderEmail(number),
      usertype: 'rider',
      mobile: `+598992${String(number).padStart(5, '0')}`,
    })
  }
  for (let number = 1; seed.withPast && number <= pastRiders; number += 1) {
    const user = { ...demoName(number + 400), email: pastEmail(number), usertype: 'rider' as const }
    const mobile = `+598993${String(number).padStart(5, '0')}`
    await add(null, { ...user, mobile }, first + Math.round((usersJoinedMs * (number - 1)) / pastRiders))
  }
  await addPhones(tx, seed.now)
}

/** The demo's rider and driver get a phone each, whose notifications go to the mailbox. */
async function addPhones({ client }: Transaction, now: number): Promise<void> {
  await client.query(
    `insert into push_devices (id, user_id, kind, token, platform, closable, created_at, seen_at)
      select gen_random_uuid(), id, 'fcm', 'phone-of-' || email, case usertype when 'rider' then 'IOS' else 'ANDROID' end,
        false, $2, $2 from users where email = any($1) on conflict (token) do nothing`,
    [[demoAccounts.rider, demoAccounts.driver], now],
  )
}

/** Gives the simulated people a new password after theirs was lost with the data folder. */
export async function renewSimulatorPassword(tx: Transaction, passwordHash: string): Promise<void> {
  const people = tx.db
    .select({ id: usersTable.id })
    .from(usersTable)
    .where(like(usersTable.email, 'sim-%@demo.test'))
  await tx.db
    .update(authAccountsTable)
    .set({ password: passwordHash })
    .where(inArray(authAccountsTable.userId, people))
}

async function carFinder(tx: Transaction, category: Settings['category']) {
  const rows = await tx.db.select({ id: carTypesTable.id, name: carTypesTable.name }).from(carTypesTable)
  const ids = new Map(rows.map(({ id, name }) => [name, id]))
  return (number: number) => {
    const { carType, ...vehicle } = demoCar(number, category)
    return { ...vehicle, car_type_id: ids.get(carType) ?? null }
  }
}
