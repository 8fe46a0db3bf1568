import type { Person } from '@hansom/domain/access/relation'
import { unwritable } from '@hansom/domain/access/user-fields'
import { Refusal } from '@hansom/domain/error-keys'
import type { Role } from '@hansom/domain/users/roles'
import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import { refuseBlankNames } from '../users/person-names.ts'
import { type UserRow, usersTable } from '../users/table.ts'
import { userChangedEvent } from '../users/user-changed.ts'
import { leaveFleet } from './leave-fleet.ts'
import { lockPerson } from './lock-person.ts'
import { refuseOpenTrip } from './open-affairs.ts'

/** What the office changes of a person without a command of its own. */
export interface PersonChanges {
  firstName?: string | undefined
  lastName?: string | undefined
  car_type_id?: string | null | undefined
  vehicleMake?: string | null | undefined
  vehicleModel?: string | null | undefined
  vehicleNumber?: string | null | undefined
  other_info?: string | null | undefined
  bankName?: string | null | undefined
  bankCode?: string | null | undefined
  bankAccount?: string | null | undefined
  driverActiveStatus?: boolean | undefined
}

type News = Pick<Outbox, 'write'>

/** Throws invalid_input for fields that the viewer may not write, proper_input_name, open_booking, conflict, not_found. */
export async function changePerson(
  tx: Transaction,
  news: News,
  viewer: Person,
  id: string,
  changes: PersonChanges,
  version: number | undefined,
): Promise<void> {
  refuseBlankNames(changes)
  const { user, relation } = await lockPerson(tx, viewer, id, version)
  const given = Object.keys(changes).filter((field) => changes[field as keyof PersonChanges] !== undefined)
  const foreign = unwritable(given, relation)
  if (foreign.length > 0) {
    throw new Refusal('invalid_input', {
      fields: foreign.map((field) => ({ field, error: 'unknown_field' })),
    })
  }
  const goesOffline = user.driverActiveStatus && changes.driverActiveStatus === false
  const changesCar = changes.car_type_id !== undefined && changes.car_type_id !== user.car_type_id
  if (goesOffline || changesCar) await refuseOpenTrip(tx, id)
  await store(tx, news, user, changes, false)
}

/** Lets a person in. */
export async function approvePerson(
  tx: Transaction,
  news: News,
  viewer: Person,
  id: string,
  version: number | undefined,
): Promise<void> {
  const { user } = await lockPerson(tx, viewer, id, version)
  await store(tx, news, user, { approved: true }, true)
}

/** Keeps a person out at once. Throws last_admin, open_booking. */
export async function disapprovePerson(
  tx: Transaction,
  news: News,
  viewer: Person,
  id: string,
  version: number | undefined,
): Promise<void> {
  const { user, isLastAdmin } = await lockPerson(tx, viewer, id, version)
  if (isLastAdmin) throw new Refusal('last_admin')
  await refuseOpenTrip(tx, id)
  await store(tx, news, user, { approved: false }, true)
}

/** Gives a person another user type. Throws last_admin, open_booking. */
export async function changeType(
  tx: Transaction,
  news: News,
  viewer: Person,
  id: string,
  usertype: Role,
  version: number | undefined,
): Promise<void> {
  const { user, isLastAdmin } = await lockPerson(tx, viewer, id, version)
  if (user.usertype === usertype) return
  if (isLastAdmin) throw new Refusal('last_admin')
  await refuseOpenTrip(tx, id)
  if (user.usertype === 'fleetadmin') await leaveFleet(tx, news, id)
  const isDriver = usertype === 'driver'
  await store(
    tx,
    news,
    user,
    { usertype, fleetadmin: null, driverActiveStatus: isDriver && user.driverActiveStatus },
    true,
  )
}

/** Puts a driver into a fleet, or out of it. Throws not_found for a fleet admin who is none. */
export async function assignFleet(
  tx: Transaction,
  news: News,
  viewer: Person,
  id: string,
  fleetadmin: string | null,
  version: number | undefined,
): Promise<void> {
  const { user } = await lockPerson(tx, viewer, id, version)
  if (user.usertype !== 'driver') throw new Refusal('not_valid_user_type')
  if (fleetadmin !== null) {
    const [owner] = await tx.db
      .select()
      .from(usersTable)
      .where(eq(usersTable.id, fleetadmin))
      .for('key share')
    if (owner?.usertype !== 'fleetadmin' || owner.deleted_at !== null) throw new Refusal('not_found')
  }
  await store(tx, news, user, { fleetadmin }, false)
}

async function store(
  tx: Transaction,
  news: News,
  { id }: UserRow,
  changes: Partial<typeof usersTable.$inferInsert>,
  rights: boolean,
): Promise<void> {
  await tx.db
    .update(usersTable)
    .set({ ...changes, version: sql`${usersTable.version} + 1` })
    .where(eq(usersTable.id, id))
  await news.write(tx, [userChangedEvent(id, rights)])
}
