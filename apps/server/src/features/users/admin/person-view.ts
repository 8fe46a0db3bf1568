import type { UserView } from '@hansom/contract/users'
import { maskContact } from '@hansom/domain/access/mask-contacts'
import { userCommandsOf } from '@hansom/domain/access/user-commands'
import { maySeeField, type UserField } from '@hansom/domain/access/user-fields'
import type { UserRelation } from '@hansom/domain/access/user-relation'
import { averageRating } from '@hansom/domain/users/rating'
import type { UserRow } from '../table.ts'

/** A user's row with the joined columns. */
export interface PersonRow {
  user: UserRow
  carType: string | null
  fleetadmin_name: string | null
  emailVerified: boolean
}

/** Options for showing users. */
export interface ViewOptions {
  /** Hides contacts of riders and drivers. */
  hidesContacts: boolean
  /** Returns a signed URL of a stored file, valid for a few minutes; null for an invalid path. */
  fileUrl(stored: string): string | null
}

/** Returns the fields that a viewer with this relation may see; the others are null. */
export function personView(
  row: PersonRow,
  relation: UserRelation,
  { hidesContacts, fileUrl }: ViewOptions,
): UserView {
  const { user } = row
  const seen = <F extends Extract<UserField, keyof UserRow>>(field: F): UserRow[F] | null =>
    maySeeField(field, relation) ? user[field] : null
  const licence = seen('licenseImage')
  const isDriver = user.usertype === 'driver'
  const { usertype, approved } = user
  return {
    uid: user.id,
    createdAt: user.createdAt,
    firstName: user.firstName,
    lastName: user.lastName,
    email: maskContact(user.email, usertype, hidesContacts),
    mobile: user.mobile === null ? null : maskContact(user.mobile, usertype, hidesContacts),
    usertype,
    loginType: user.loginType,
    approved,
    profile_image: user.profile_image,
    createdByAdmin: user.createdByAdmin,
    fleetadmin: seen('fleetadmin'),
    fleetadmin_name: maySeeField('fleetadmin', relation) ? row.fleetadmin_name : null,
    rating: user.rating_count === 0 ? null : averageRating(user.rating_sum, user.rating_count),
    walletBalance: seen('walletBalance'),
    referralId: seen('referralId'),
    signupViaReferral: seen('signupViaReferral'),
    bankName: seen('bankName'),
    bankCode: seen('bankCode'),
    bankAccount: seen('bankAccount'),
    car_type_id: user.car_type_id,
    carType: row.carType,
    vehicleMake: user.vehicleMake,
    vehicleModel: user.vehicleModel,
    vehicleNumber: user.vehicleNumber,
    other_info: user.other_info,
    licenseImage: licence === null ? null : fileUrl(licence),
    driverActiveStatus: isDriver ? user.driverActiveStatus : null,
    queue: isDriver ? user.queue : null,
    version: user.version,
    commands: userCommandsOf(
      { usertype, approved, invited: user.createdByAdmin && !row.emailVerified },
      relation,
    ),
  }
}
