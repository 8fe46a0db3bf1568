import type { Me, UserView } from '@hansom/contract/users'
import { maskContact } from '@hansom/domain/access/mask-contacts'
import type { UserRelation } from '@hansom/domain/access/relation'
import { userCommandsOf } from '@hansom/domain/access/user-commands'
import { maySeeField, userInView } from '@hansom/domain/users/field-views'
import { type UserField, type UserFieldRule, userFields } from '@hansom/domain/users/fields'
import { averageRating } from '@hansom/domain/users/profile'
import { eq, inArray } from 'drizzle-orm'
import type { Queries } from '../../platform/database/transaction.ts'
import { carTypesTable } from '../car-types/table.ts'
import { type UserRow, usersTable } from './table.ts'

/** The joined columns of a user. */
interface Joined {
  /** Name of the driver's car type. */
  carType: string | null
  fleetadmin_name: string | null
  /** The platform of the newest device. */
  userPlatform: string | null
}

/** A user's row with the joined columns. */
export interface JoinedUser extends Joined {
  user: UserRow
  emailVerified: boolean
}

/** Options for showing users. */
export interface ViewOptions {
  /** Hides contacts of riders and drivers. */
  hidesContacts: boolean
  /** Returns a signed URL of a stored file, valid for a few minutes; null for an invalid path. */
  fileUrl(stored: string): string | null
}

/** Returns the user as they see themselves; null for an unknown id. */
export async function readMe(queries: Queries, id: string): Promise<Me | null> {
  return (await readMeOfMany(queries, [id])).get(id) ?? null
}

/** Returns several users, each as they see themselves; unknown ids are left out. */
export async function readMeOfMany(queries: Queries, ids: readonly string[]): Promise<Map<string, Me>> {
  if (ids.length === 0) return new Map()
  const rows = await queries
    .select({ user: usersTable, carType: carTypesTable.name })
    .from(usersTable)
    .leftJoin(carTypesTable, eq(carTypesTable.id, usersTable.car_type_id))
    .where(inArray(usersTable.id, [...ids]))
  return new Map(
    rows.map(({ user, carType }) => {
      const joined = { carType, fleetadmin_name: null, userPlatform: null }
      return [user.id, userInView('me', (field) => valueOf(user, joined, field))]
    }),
  )
}

/** Returns the fields that an actor with this relation may see; the others are null. */
export function userView(
  { user, emailVerified, ...joined }: JoinedUser,
  relation: UserRelation,
  { hidesContacts, fileUrl }: ViewOptions,
): UserView {
  const { usertype, approved } = user
  const isGuest = user.email === null
  const contact = (value: string | null) =>
    value === null ? null : maskContact(value, usertype, hidesContacts)
  const shown = (field: UserField) => {
    if (!maySeeField(field, relation)) return null
    if (field === 'email' || field === 'mobile') return contact(user[field])
    if (field === 'referralId' && isGuest) return null
    if (field === 'licenseImage') return user.licenseImage === null ? null : fileUrl(user.licenseImage)
    return valueOf(user, joined, field)
  }
  const invited = user.createdByAdmin && !emailVerified && !isGuest
  return {
    ...userInView('user', shown),
    commands: userCommandsOf(
      { usertype, approved, rejected: user.rejection !== null, invited, guest: isGuest },
      relation,
    ),
  }
}

function valueOf(user: UserRow, joined: Joined, field: UserField) {
  const rule: UserFieldRule = userFields[field]
  if (rule.driversOnly && user.usertype !== 'driver') return null
  if (field === 'rating') {
    return user.rating_count === 0 ? null : averageRating(user.rating_sum, user.rating_count)
  }
  if (field === 'guest') return user.email === null
  if (field === 'pushToken') return null
  return field === 'carType' || field === 'fleetadmin_name' || field === 'userPlatform'
    ? joined[field]
    : user[field]
}
