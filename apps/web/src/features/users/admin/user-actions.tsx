import type { UserView } from '@hansom/contract/users'
import type { TextKey } from '@hansom/domain/languages/text-key'
import type { Role } from '@hansom/domain/users/roles'
import { mayBePaidOut } from '@hansom/domain/wallet/withdraw'
import {
  IconAddressBook,
  IconBuildingBank,
  IconBuildingCommunity,
  IconFileUpload,
  IconMailForward,
  IconPencil,
  IconUserCheck,
  IconUserCog,
  IconUserOff,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { api } from '../../../lib/api.ts'
import { isolated, useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { useSettings } from '../../../lib/settings.ts'
import { announce } from '../../../ui/announcer.tsx'
import { AlertDialog } from '../../../ui/dialog.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { RowDialog } from '../../../ui/table/table-dialogs.tsx'
import { editable } from '../../../ui/table/table-row.tsx'
import type { RowAction, TableColumn } from '../../../ui/table/table-types.ts'
import { dropTableRows, reloadTable } from '../../../ui/table/table-updates.ts'
import { useDemoGuard } from '../../../ui/use-demo-guard.tsx'
import { PayoutDialog } from './payout-dialog.tsx'
import {
  ApproveDialog,
  ContactDialog,
  FleetDialog,
  LicenceDialog,
  RejectDialog,
  TypeDialog,
} from './user-dialogs.tsx'
import { userName } from './user-mark.tsx'

const commands = [
  'approve',
  'disapprove',
  'correct_contact',
  'assign_fleet',
  'change_type',
  'invite',
] as const
type Command = (typeof commands)[number]

const icons = {
  approve: IconUserCheck,
  disapprove: IconUserOff,
  correct_contact: IconAddressBook,
  assign_fleet: IconBuildingCommunity,
  change_type: IconUserCog,
  invite: IconMailForward,
} satisfies Record<Command, unknown>

const labels: Record<Command, TextKey> = {
  approve: 'users.approve',
  disapprove: 'users.disapprove',
  correct_contact: 'users.correct_contact',
  assign_fleet: 'users.assign_fleet',
  change_type: 'users.change_type',
  invite: 'users.invite_again',
}

/** Commands whose dialog ends with the changed user. */
const dialogs = {
  approve: ApproveDialog,
  disapprove: RejectDialog,
  correct_contact: ContactDialog,
  assign_fleet: FleetDialog,
}

interface Options {
  /** The viewer's role. */
  role: Role
  /** The table's name. */
  table: string
  columns: readonly TableColumn<UserView>[]
  /** The user whose licence is shown. */
  licence: UserView | null
  setLicence: (user: UserView | null) => void
  save: (user: UserView, changes: Partial<UserView>) => Promise<UserView>
  storeUser: (user: UserView) => void
}

interface UserActions {
  /** The actions of a row. */
  of: (user: UserView) => RowAction<UserView>[]
  edit: (user: UserView) => RowAction<UserView>[]
  /** Must be rendered. */
  dialogs: ReactNode
}

/** What an admin or fleet admin can do with a user, with the dialogs. */
export function useUserActions(options: Options): UserActions {
  const { role, table, columns, licence, setLicence, save, storeUser } = options
  const { t } = useText()
  const format = useFormat()
  const navigate = useNavigate()
  const { category } = useSettings()
  const { guard, refused } = useDemoGuard()
  const [open, setOpen] = useState<{ command: Command | 'edit' | 'payout'; user: UserView } | null>(null)
  const [invited, setInvited] = useState<{ name: string; error: unknown } | null>(null)
  const close = () => setOpen(null)
  const saved = (user: UserView) => {
    storeUser(user)
    close()
    announce(t('table.saved', { name: userName(user) }))
  }
  const invite = (user: UserView) =>
    void api.users.invite({ id: user.uid }).then(
      () => setInvited({ name: user.email ?? '', error: null }),
      (error: unknown) => setInvited({ name: user.email ?? '', error }),
    )
  const select = (command: Command) => (user: UserView) =>
    guard(`users.${command}`, () => (command === 'invite' ? invite(user) : setOpen({ command, user })))

  const sending = (user: UserView): RowAction<UserView>[] =>
    role === 'admin' && category === 'delivery' && user.usertype === 'rider'
      ? [
          {
            id: 'deliveries',
            label: t('users.import_for'),
            icon: <IconFileUpload size={18} aria-hidden />,
            onSelect: ({ uid }) => void navigate({ to: '/deliveries', search: { rider: uid } }),
          },
        ]
      : []

  const of = (user: UserView): RowAction<UserView>[] => [
    ...commands
      .filter((command) => user.commands.includes(command))
      .map((command) => {
        const Icon = icons[command]
        const isRejection = command === 'disapprove' && !user.approved
        return {
          id: command,
          label: t(isRejection ? 'users.reject' : labels[command]),
          icon: <Icon size={18} aria-hidden />,
          onSelect: select(command),
        }
      }),
    ...(role === 'admin' && mayBePaidOut(user.usertype) && (user.walletBalance ?? 0) > 0
      ? [
          {
            id: 'payout',
            label: t('users.payout'),
            icon: <IconBuildingBank size={18} aria-hidden />,
            onSelect: (one: UserView) =>
              guard('withdraws.requestFor', () => setOpen({ command: 'payout', user: one })),
          },
        ]
      : []),
    ...sending(user),
  ]
  const edit = (user: UserView): RowAction<UserView>[] =>
    columns.some((column) => editable(column, user))
      ? [
          {
            id: 'edit',
            label: t('table.edit'),
            icon: <IconPencil size={18} aria-hidden />,
            onSelect: (one) => guard('users.update', () => setOpen({ command: 'edit', user: one })),
          },
        ]
      : []

  const dialogOf = ({ command, user }: NonNullable<typeof open>): ReactNode => {
    if (command === 'edit')
      return (
        <RowDialog
          id={`${table} ${user.uid}`}
          row={user}
          name={userName(user)}
          columns={columns}
          save={save}
          onClose={close}
          onSaved={saved}
        />
      )
    if (command === 'payout')
      return (
        <PayoutDialog
          user={user}
          balance={user.walletBalance ?? 0}
          onClose={close}
          onRequested={({ amount }) => {
            storeUser({ ...user, walletBalance: (user.walletBalance ?? 0) - amount })
            close()
            announce(t('users.payout_requested', { amount: isolated(format.money(amount)) }))
          }}
        />
      )
    if (command === 'change_type')
      return (
        <TypeDialog
          user={user}
          onClose={close}
          onSaved={(changed) => {
            close()
            // The user now belongs to another table.
            dropTableRows(table, new Set([changed.uid]), ({ uid }: UserView) => uid)
            void reloadTable(`people-${changed.usertype}`)
            storeUser(changed)
            const type = t(`users.type_${changed.usertype}`)
            announce(t('users.type_saved', { name: userName(changed), type }))
          }}
        />
      )
    if (command === 'invite') return null
    const CommandDialog = dialogs[command]
    return <CommandDialog user={user} onClose={close} onSaved={saved} />
  }

  return {
    of,
    edit,
    dialogs: (
      <>
        {open ? dialogOf(open) : null}
        {refused}
        {licence ? (
          <LicenceDialog
            user={licence}
            onClose={() => setLicence(null)}
            onSaved={(user) => {
              storeUser(user)
              setLicence(user)
            }}
          />
        ) : null}
        <AlertDialog open={invited !== null} onClose={() => setInvited(null)}>
          {invited?.error ? (
            <ErrorMessage error={invited.error} />
          ) : (
            t('users.invited', { email: invited?.name ?? '' })
          )}
        </AlertDialog>
      </>
    ),
  }
}
