import type { CarType } from '@hansom/contract/car-types'
import type { UserView } from '@hansom/contract/users'
import type { TextKey } from '@hansom/domain/languages/text-key'
import {
  type UserTextField,
  unwritable,
  userTextFields,
  userTextProblem,
} from '@hansom/domain/users/field-views'
import { type UserFieldGroup, userFields } from '@hansom/domain/users/fields'
import type { Role } from '@hansom/domain/users/roles'
import { IconStarFilled } from '@tabler/icons-react'
import { CarPicture } from '../../../entities/car-types/car-picture.tsx'
import { CarTypeName } from '../../../entities/car-types/car-type-name.tsx'
import type { Format } from '../../../lib/format.ts'
import type { Translate } from '../../../lib/i18n.ts'
import { Ltr } from '../../../ui/ltr.tsx'
import { Money } from '../../../ui/money.tsx'
import type { CellEdit, Choice, TableColumn } from '../../../ui/table/table-types.ts'
import { LicenceButton } from './user-dialogs.tsx'
import { ApprovalChip, UserMark } from './user-mark.tsx'
import classes from './users.module.css'

export interface ColumnsFor {
  usertype: Role
  role: Role
  banks: boolean
  /** Masked values cannot be sorted by. */
  hidesContacts: boolean
  carTypes: readonly CarType[]
  carTypeChoices: readonly Choice[]
  format: Format
  t: Translate
  onLicence: (user: UserView) => void
}

type TextField = UserTextField<UserFieldGroup>
const mayUpdate = ({ commands }: UserView) => commands.includes('update')

/** Text keys of the hints at fields, in the dialogs that add and edit a user. */
export const userHints: Partial<Record<TextField, TextKey>> = { preferredName: 'profile.preferred_name_hint' }

/** Options of a text column. */
const looks: Partial<Record<TextField, Partial<TableColumn<UserView>>>> = {
  vehicleNumber: { phone: 'subtitle', width: 108 },
  vehicleMake: { hidden: true },
  vehicleModel: { hidden: true },
  other_info: { width: 180, hidden: true, wraps: true },
}

/** The columns for the users of one type, by the actor's role; those shown by default fit at 1440 px. */
export function usersColumns(options: ColumnsFor): TableColumn<UserView>[] {
  const { usertype, role, banks, hidesContacts, carTypes, carTypeChoices, format, t, onLicence } = options
  const driver = usertype === 'driver'
  const admin = role === 'admin'
  const textColumn = (field: TextField): TableColumn<UserView> => {
    const { kind, max } = userFields[field]
    const edit: CellEdit<UserView> = {
      kind: 'text',
      value: (user) => user[field] ?? '',
      changes: (value) => ({ [field]: value }),
      validate: (value) => userTextProblem(field, String(value ?? ''), usertype),
      when: mayUpdate,
      nullable: 'nullable' in userFields[field],
      hint: userHints[field],
      maxLength: max,
    }
    const isWritten = unwritable([field], admin ? 'admin' : 'fleetadmin').length === 0
    return {
      id: field,
      header: `users.${field}`,
      cell: (user) => (kind === 'code' ? <Ltr>{user[field]}</Ltr> : <bdi>{user[field]}</bdi>),
      width: 140,
      ...(isWritten ? { edit } : {}),
      ...looks[field],
    }
  }
  const textColumns = (group: UserFieldGroup, isHidden = false) =>
    userTextFields(group).map((field) => ({ ...textColumn(field), ...(isHidden ? { hidden: true } : {}) }))
  const contact = (field: 'email' | 'mobile', look: Partial<TableColumn<UserView>>) => ({
    id: field,
    header: `users.${field}`,
    cell: (user: UserView) => {
      const shown = user[field]
      if (!shown) return null
      return /^\+\d/.test(shown) ? <Ltr>{shown}</Ltr> : <bdi>{shown}</bdi>
    },
    ...look,
  })

  return [
    {
      id: 'name',
      header: 'users.name',
      cell: (user) => <UserMark user={user} />,
      sort: 'name',
      width: 214,
      phone: 'title',
    },
    ...textColumns('name', true),
    contact('email', {
      ...(hidesContacts ? {} : { sort: 'email' }),
      width: 182,
      ...(driver ? { hidden: true } : { phone: 'subtitle' }),
    }),
    contact('mobile', { width: 146 }),
    {
      id: 'createdAt',
      header: 'users.createdAt',
      cell: ({ createdAt }) => <bdi>{format.date(createdAt)}</bdi>,
      sort: 'createdAt',
      width: 124,
      hidden: driver,
    },
    {
      id: 'approved',
      header: 'users.approved',
      cell: (user) => <ApprovalChip user={user} />,
      width: 112,
      phone: 'badge',
    },
    ...(driver
      ? [
          {
            id: 'driverActiveStatus',
            header: 'users.driverActiveStatus',
            // Only an approved driver can be online.
            cell: (user: UserView) =>
              user.approved ? (
                <span className={user.driverActiveStatus ? classes.good : classes.quiet}>
                  {t(user.driverActiveStatus ? 'users.is_active' : 'users.is_inactive')}
                </span>
              ) : null,
            width: 100,
            edit: {
              kind: 'flag',
              value: (user: UserView) => user.driverActiveStatus,
              changes: (value) => ({ driverActiveStatus: value === true }),
              confirm: (value) => (value ? 'users.confirm_online' : 'users.confirm_offline'),
              when: mayUpdate,
            },
          } satisfies TableColumn<UserView>,
          {
            id: 'queue',
            header: 'users.queue',
            cell: (user: UserView) => (
              <span className={user.queue ? classes.busy : classes.quiet}>
                {t(user.queue ? 'users.is_busy' : 'users.is_free')}
              </span>
            ),
            width: 90,
            hidden: true,
          },
          {
            id: 'carType',
            header: 'users.carType',
            cell: (user: UserView) => <CarTypeMark carTypes={carTypes} user={user} />,
            width: 164,
            phone: 'subtitle',
            edit: {
              kind: 'choice',
              value: (user: UserView) => user.car_type_id ?? '',
              changes: (value) => ({
                car_type_id: value ? String(value) : null,
                carType: carTypes.find(({ id }) => id === value)?.name ?? null,
              }),
              choices: () => carTypeChoices,
              when: mayUpdate,
              nullable: true,
            },
          } satisfies TableColumn<UserView>,
          ...textColumns('vehicle'),
          {
            id: 'fleetadmin',
            header: 'users.fleet',
            cell: (user: UserView) => <bdi>{user.fleetadmin_name}</bdi>,
            width: 160,
            hidden: true,
          },
          {
            id: 'rating',
            header: 'users.rating',
            cell: ({ rating }: UserView) =>
              rating === null ? null : (
                <span className={classes.rating}>
                  <IconStarFilled size={14} aria-hidden />
                  <Ltr>{format.number(rating, 1)}</Ltr>
                </span>
              ),
            align: 'end' as const,
            width: 80,
          },
          {
            id: 'licenseImage',
            header: 'users.licence',
            cell: (user: UserView) =>
              user.licenseImage ? <LicenceButton user={user} onOpen={onLicence} /> : null,
            width: 110,
            hidden: true,
          },
        ]
      : []),
    ...(admin
      ? [
          {
            id: 'walletBalance',
            header: 'users.walletBalance',
            cell: ({ walletBalance }: UserView) =>
              walletBalance === null ? null : <Money amount={walletBalance} />,
            align: 'end' as const,
            amount: true,
            sort: 'walletBalance',
            width: 104,
          },
          {
            id: 'referralId',
            header: 'users.referralId',
            cell: ({ referralId }: UserView) => (referralId ? <Ltr>{referralId}</Ltr> : null),
            width: 138,
            hidden: usertype !== 'rider',
          },
        ]
      : []),
    ...(banks && admin ? textColumns('bank', true) : []),
  ]
}

function CarTypeMark({ carTypes, user }: { carTypes: readonly CarType[]; user: UserView }) {
  if (!user.carType) return null
  const image = carTypes.find(({ id }) => id === user.car_type_id)?.image
  return (
    <span className={classes.carType}>
      <CarPicture src={image} width={40} height={22} />
      <CarTypeName stored={user.carType} />
    </span>
  )
}
