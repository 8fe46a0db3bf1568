import type { Me } from '@hansom/contract/users'
import { averageRating } from '@hansom/domain/users/rating'
import { eq, inArray } from 'drizzle-orm'
import type { Queries } from '../../platform/database/transaction.ts'
import { carTypesTable } from '../car-types/table.ts'
import { type UserRow, usersTable } from './table.ts'

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
  return new Map(rows.map(({ user, carType }) => [user.id, meView(user, carType)]))
}

/** `carType` is the name of the driver's car type. */
export function meView(user: UserRow, carType: string | null): Me {
  const isDriver = user.usertype === 'driver'
  return {
    uid: user.id,
    firstName: user.firstName,
    lastName: user.lastName,
    email: user.email,
    mobile: user.mobile,
    mobile_verified_at: user.mobile_verified_at,
    usertype: user.usertype,
    loginType: user.loginType,
    approved: user.approved,
    profile_image: user.profile_image,
    walletBalance: user.walletBalance,
    referralId: user.referralId,
    bankName: user.bankName,
    bankCode: user.bankCode,
    bankAccount: user.bankAccount,
    rating: user.rating_count === 0 ? null : averageRating(user.rating_sum, user.rating_count),
    carType,
    vehicle_number: user.vehicleNumber,
    vehicle_make: user.vehicleMake,
    vehicle_model: user.vehicleModel,
    driverActiveStatus: isDriver ? user.driverActiveStatus : null,
    queue: isDriver ? user.queue : null,
    version: user.version,
  }
}
