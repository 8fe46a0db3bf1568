import type { UserRelation } from '../access/relation.ts'
import type { KeyIn } from '../languages/text-key.ts'
import type { Role } from './roles.ts'

/** The value of a field by its kind. Times are epoch ms, amounts 10^-4 of the currency unit. */
export interface FieldValues {
  id: string
  text: string
  /** Letters and digits that are written left to right in every language. */
  code: string
  role: Role
  flag: boolean
  time: number
  amount: number
  integer: number
  number: number
}
export type FieldKind = keyof FieldValues

/** The views of a user: `me` as they see themselves, `user` as admins see them. */
export type UserViewName = 'me' | 'user'
export type UserFieldGroup = 'name' | 'vehicle' | 'bank'

/** One field of a user's record. The contract, the forms, the admin table and the export are derived from these rows. */
export interface UserFieldRule {
  kind: FieldKind
  nullable?: true
  /** Null for users who are no drivers. */
  driversOnly?: true
  /** Joined or calculated: not a column of the table `users`. */
  computed?: true
  see: readonly UserRelation[]
  /** Who changes it directly. Without anyone: a separate command, a verified change, or the platform does. */
  write: readonly UserRelation[]
  views: readonly UserViewName[]
  /** Its name in the JSON of a view that spells it differently. */
  wire?: Partial<Record<UserViewName, string>>
  /** The form section of a written field; its label is `users.<field>`. */
  group?: UserFieldGroup
  /** Longest value of a written text. */
  max?: number
  /** Longest value at sign-up, for the fields that a sign-up takes. */
  signUpMax?: number
  /** The register screen requires it of drivers; a text can then be changed but not removed. */
  driversNeed?: true
  /** The text of its column in the CSV export, in the group `exports`. */
  export?: KeyIn<'exports'>
}

const all = ['self', 'fleetadmin', 'admin'] as const
const own = ['self', 'admin'] as const
const backOffice = ['fleetadmin', 'admin'] as const
const none = [] as const
const both = ['me', 'user'] as const
const me = ['me'] as const
const user = ['user'] as const

/** Read-only fields, by who sees them. */
const everyone = { see: all, write: none } as const
const ownerAndAdmin = { see: own, write: none } as const
const admins = { see: backOffice, write: none } as const
/** Never leaves the server, not even to the owner. */
const internal = { see: none, write: none, views: none } as const

/** Optional texts as their owner or an admin writes them. */
const text = { kind: 'text', nullable: true, max: 200 } as const
const code = { ...text, kind: 'code' } as const
const name = {
  kind: 'text',
  see: all,
  write: all,
  views: both,
  group: 'name',
  max: 80,
  signUpMax: 80,
} as const
const vehicle = { see: all, write: backOffice, group: 'vehicle' } as const
const neededVehicle = { ...vehicle, driversNeed: true } as const
const bank = { see: own, write: own, views: both, group: 'bank' } as const

/** Every field of a user's record, in the order of the export. */
export const userFields = {
  id: { kind: 'id', ...everyone, views: both, wire: { me: 'uid', user: 'uid' } },
  createdAt: { kind: 'time', ...everyone, views: user, export: 'createdAt' },
  usertype: { kind: 'role', ...everyone, views: both, export: 'usertype' },
  firstName: { ...name, export: 'firstName' },
  lastName: { ...name, export: 'lastName' },
  /** Shown to riders and drivers on a trip instead of the first name. */
  preferredName: {
    kind: 'text',
    nullable: true,
    see: all,
    write: all,
    views: both,
    group: 'name',
    max: 80,
    export: 'preferredName',
  },
  // Changed by separate routes, after the new one is verified.
  email: { kind: 'text', nullable: true, ...everyone, views: both, export: 'email' },
  /** Booked by the office for a name and a number, without a sign-in. */
  guest: { kind: 'flag', computed: true, ...admins, views: user },
  mobile: { kind: 'code', nullable: true, ...everyone, views: both, export: 'mobile' },
  mobile_verified_at: { kind: 'time', nullable: true, ...ownerAndAdmin, views: me },
  loginType: { kind: 'text', ...everyone, views: both },
  approved: { kind: 'flag', ...everyone, views: both, export: 'approved' },
  /** Why an admin rejected the account; null while it waits, and once it is approved. */
  rejection: { kind: 'text', nullable: true, ...everyone, views: user },
  profile_image: { kind: 'text', nullable: true, ...everyone, views: both },
  /** The language of messages to the user. Changed by a separate route, on every device where they choose one. */
  locale: { kind: 'text', nullable: true, see: ['self'], write: none, views: me },
  createdByAdmin: { kind: 'flag', ...admins, views: user },
  walletBalance: { kind: 'amount', ...ownerAndAdmin, views: both, export: 'walletBalance' },
  rating_sum: { kind: 'integer', ...everyone, views: none },
  rating_count: { kind: 'integer', ...everyone, views: none },
  rating: { kind: 'number', nullable: true, computed: true, ...everyone, views: both, export: 'rating' },
  referralId: { kind: 'code', ...ownerAndAdmin, views: both, export: 'referralId' },
  signupViaReferral: { kind: 'id', nullable: true, see: ['admin'], write: none, views: user },
  bankName: { ...text, ...bank, signUpMax: 120 },
  bankCode: { ...code, ...bank, signUpMax: 60 },
  bankAccount: { ...code, ...bank, signUpMax: 60 },
  fleetadmin: { kind: 'id', nullable: true, ...admins, views: user },
  fleetadmin_name: {
    kind: 'text',
    nullable: true,
    computed: true,
    ...admins,
    views: user,
    export: 'fleetadmin',
  },
  car_type_id: { kind: 'id', nullable: true, ...vehicle, views: user },
  carType: {
    kind: 'text',
    nullable: true,
    computed: true,
    ...everyone,
    driversNeed: true,
    views: both,
    export: 'carType',
  },
  vehicleMake: {
    ...text,
    ...neededVehicle,
    views: both,
    wire: { me: 'vehicle_make' },
    signUpMax: 80,
    export: 'vehicleMake',
  },
  vehicleModel: {
    ...text,
    ...neededVehicle,
    views: both,
    wire: { me: 'vehicle_model' },
    signUpMax: 80,
    export: 'vehicleModel',
  },
  vehicleNumber: {
    ...code,
    ...neededVehicle,
    views: both,
    wire: { me: 'vehicle_number' },
    max: 30,
    signUpMax: 30,
    export: 'vehicle_number',
  },
  other_info: { ...text, ...vehicle, views: user, signUpMax: 500 },
  licenseImage: { kind: 'text', nullable: true, ...admins, driversNeed: true, views: user },
  driverActiveStatus: {
    kind: 'flag',
    driversOnly: true,
    see: all,
    write: backOffice,
    views: both,
    export: 'driverActiveStatus',
  },
  queue: { kind: 'flag', driversOnly: true, ...everyone, views: both, export: 'queue' },
  lat: { kind: 'number', nullable: true, ...admins, views: none },
  lng: { kind: 'number', nullable: true, ...admins, views: none },
  bearing: { kind: 'number', nullable: true, ...admins, views: none },
  located_at: { kind: 'time', nullable: true, ...admins, views: none },
  // Of the newest device. The token is never shown: anyone who has it can send.
  pushToken: { kind: 'text', nullable: true, computed: true, ...internal },
  userPlatform: { kind: 'text', nullable: true, computed: true, ...admins, views: user },
  demo: { kind: 'flag', ...internal },
  deleted_at: { kind: 'time', nullable: true, ...internal },
  version: { kind: 'integer', ...everyone, views: both },
} as const satisfies Record<string, UserFieldRule>

export type UserField = keyof typeof userFields
