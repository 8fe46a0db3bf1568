import type { UserRelation } from './user-relation.ts'

/** Who sees a field of a user's record, and who may write it directly. */
export interface UserFieldRule {
  see: readonly UserRelation[]
  write: readonly UserRelation[]
}

const all: readonly UserRelation[] = ['self', 'fleetadmin', 'admin']
const own: readonly UserRelation[] = ['self', 'admin']
const backOffice: readonly UserRelation[] = ['fleetadmin', 'admin']
const none: readonly UserRelation[] = []

/** Read-only: changed only by a separate command, a verified change, or the platform. */
const seen = (see: readonly UserRelation[]): UserFieldRule => ({ see, write: none })
const editable = (see: readonly UserRelation[], write: readonly UserRelation[]): UserFieldRule => ({
  see,
  write,
})

/** Every field of a user's record. Fields that no one sees never leave the server, not even to their owner. */
export const userFields = {
  id: seen(all),
  createdAt: seen(all),
  firstName: editable(all, all),
  lastName: editable(all, all),
  // Changed by separate routes, after the new one is verified.
  email: seen(all),
  mobile: seen(all),
  mobile_verified_at: seen(own),
  usertype: seen(all),
  approved: seen(all),
  loginType: seen(all),
  profile_image: seen(all),
  locale: seen(['self']),
  signupViaReferral: seen(['admin']),
  referralId: seen(own),
  bankName: editable(own, own),
  bankCode: editable(own, own),
  bankAccount: editable(own, own),
  createdByAdmin: seen(backOffice),
  fleetadmin: seen(backOffice),
  pushToken: seen(none),
  userPlatform: seen(none),
  walletBalance: seen(own),
  rating_sum: seen(all),
  rating_count: seen(all),
  car_type_id: editable(all, backOffice),
  vehicleMake: editable(all, backOffice),
  vehicleModel: editable(all, backOffice),
  vehicleNumber: editable(all, backOffice),
  other_info: editable(all, backOffice),
  licenseImage: seen(backOffice),
  driverActiveStatus: editable(all, backOffice),
  queue: seen(all),
  lat: seen(backOffice),
  lng: seen(backOffice),
  bearing: seen(backOffice),
  located_at: seen(backOffice),
  demo: seen(none),
  deleted_at: seen(none),
  version: seen(all),
} as const satisfies Record<string, UserFieldRule>

export type UserField = keyof typeof userFields

export function maySeeField(field: UserField, relation: UserRelation): boolean {
  return userFields[field].see.includes(relation)
}

/** Those of `fields` that this relation may not write. */
export function unwritable(fields: readonly string[], relation: UserRelation): string[] {
  return fields.filter(
    (field) => !(Object.hasOwn(userFields, field) && userFields[field as UserField].write.includes(relation)),
  )
}

/** Input names that no route accepts from clients, except the routes listed here, whose purpose they are. */
export const protectedInputs: Readonly<Record<string, readonly string[]>> = {
  approved: ['users.list', 'users.count'],
  usertype: [
    'users.list',
    'users.count',
    'users.create',
    'users.change_type',
    'accounts.signUp',
    'functions.userSignUp',
    'pushNotifications.list',
    'pushNotifications.count',
    'pushNotifications.create',
    'pushNotifications.update',
  ],
  walletBalance: [],
  walletHistory: [],
  fleetadmin: [
    'users.assign_fleet',
    'users.list',
    'users.count',
    'bookings.list',
    'bookings.count',
    'reports.drivers',
    'reports.driversCount',
    'reports.driverTotals',
  ],
  rating: ['bookings.rate', 'bookings.rate_rider'],
  ratings: [],
  driverRating: [],
  rating_sum: [],
  rating_count: [],
  queue: ['users.list', 'users.count'],
  createdByAdmin: [],
  pushToken: [],
  loginType: [],
  demo: [],
  otp: ['bookings.start', 'accounts.signInByPhone', 'accounts.confirmMobileChange'],
  status: ['bookings.list', 'bookings.count'],
  driver: [
    'bookings.assign_driver',
    'bookings.list',
    'bookings.count',
    'reports.drivers',
    'reports.driversCount',
    'reports.driverTotals',
  ],
  customer: ['bookings.create', 'bookings.list', 'bookings.count'],
  trip_cost: [],
  convenience_fees: ['carTypes.create', 'carTypes.update'],
  driver_share: [],
  discount_amount: [],
  customer_paid: [],
  payableAmount: [],
  cashPaymentAmount: [],
  cardPaymentAmount: [],
  usedWalletMoney: [],
  prepaid: [],
  cancellation_fee: [],
  requestedDrivers: [],
}
