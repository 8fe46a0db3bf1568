import type { UserView } from '@hansom/contract/users'
import { usersTableSpec } from '@hansom/contract/users-table'
import { tableOfRole } from '@hansom/domain/audit/record-kinds'
import { approvals } from '@hansom/domain/users/profile'
import type { Role } from '@hansom/domain/users/roles'
import {
  IconAddressBook,
  IconBuildingCommunity,
  IconInfoCircle,
  IconMailForward,
  IconPencil,
  IconUserCheck,
  IconUserCog,
  IconUserOff,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useCarTypeChoices } from '../../../entities/car-types/car-type-name.tsx'
import { UserName, UserPicker } from '../../../entities/users/user-picker.tsx'
import { api, orpc } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { queryClient } from '../../../lib/query-client.ts'
import { useSearchParams } from '../../../lib/search-params.ts'
import { useMe } from '../../../lib/session.ts'
import { useSettings } from '../../../lib/settings.ts'
import { announce } from '../../../ui/announcer.tsx'
import { Button } from '../../../ui/button.tsx'
import { AlertDialog } from '../../../ui/dialog.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { RowDialog } from '../../../ui/table/table-dialogs.tsx'
import { editable } from '../../../ui/table/table-row.tsx'
import type { Choice, FilterDisplay, RowAction } from '../../../ui/table/table-types.ts'
import { dropTableRows, putTableRow, reloadTable } from '../../../ui/table/table-updates.ts'
import { useDemoGuard } from '../../../ui/use-demo-guard.tsx'
import { AddUserDialog, userKinds } from './add-user-dialog.tsx'
import { PhoneCollisions } from './phone-collisions.tsx'
import { RemoveUserDialog } from './remove-user-dialog.tsx'
import { approvalOfMany, saveUser } from './save-user.tsx'
import {
  ApproveDialog,
  ContactDialog,
  FleetDialog,
  LicenceDialog,
  RejectDialog,
  TypeDialog,
} from './user-dialogs.tsx'
import { UserDrawer, useOpenUser } from './user-drawer.tsx'
import { userName } from './user-mark.tsx'
import classes from './users.module.css'
import { usersColumns } from './users-columns.tsx'

const idOf = ({ uid }: UserView) => uid

/** The users of one type; a fleet admin sees only their own drivers. */
export function UsersTable({ usertype }: { usertype: Role }) {
  const { t } = useText()
  const format = useFormat()
  const role = useMe()?.usertype ?? 'rider'
  const { bank_fields, AllowCriticalEditsAdmin } = useSettings()
  const { data: carTypes } = useQuery(orpc.carTypes.list.queryOptions())
  const carTypeChoices = useCarTypeChoices()
  const { guard, refused } = useDemoGuard()
  const [licence, setLicence] = useState<UserView | null>(null)
  const [fleetOf, setFleetOf] = useState<UserView | null>(null)
  const [edited, setEdited] = useState<UserView | null>(null)
  const [decided, setDecided] = useState<{ user: UserView; approve: boolean } | null>(null)
  const [contactOf, setContactOf] = useState<UserView | null>(null)
  const [typeOf, setTypeOf] = useState<UserView | null>(null)
  const [invited, setInvited] = useState<{ name: string; error: unknown } | null>(null)
  const [open, setOpen] = useOpenUser()
  const name = `people-${usertype}`
  const columns = useMemo(
    () =>
      usersColumns({
        usertype,
        role,
        banks: bank_fields,
        hidesContacts: !AllowCriticalEditsAdmin,
        carTypes: carTypes ?? [],
        carTypeChoices,
        format,
        t,
        onLicence: setLicence,
      }),
    [usertype, role, bank_fields, AllowCriticalEditsAdmin, carTypes, carTypeChoices, format, t],
  )
  const filters = useMemo(() => userFilters(usertype, role, carTypeChoices), [usertype, role, carTypeChoices])
  const fixed = useMemo(() => ({ usertype }), [usertype])

  const storeUser = (user: UserView) => {
    putTableRow(name, user, idOf)
    void queryClient.invalidateQueries({ queryKey: orpc.users.count.key() })
    queryClient.setQueryData(
      orpc.users.get.queryKey({ input: { id: user.uid } }),
      (details) => details && { ...details, ...user },
    )
  }
  const invite = (user: UserView) =>
    void api.users.invite({ id: user.uid }).then(
      () => setInvited({ name: user.email ?? '', error: null }),
      (error: unknown) => setInvited({ name: user.email ?? '', error }),
    )
  const actionsOf = (user: UserView): RowAction<UserView>[] => [
    ...(user.commands.includes('approve')
      ? [
          {
            id: 'approve',
            label: t('users.approve'),
            icon: <IconUserCheck size={18} aria-hidden />,
            onSelect: (one: UserView) =>
              guard('users.approve', () => setDecided({ user: one, approve: true })),
          },
        ]
      : []),
    ...(user.commands.includes('disapprove')
      ? [
          {
            id: 'disapprove',
            label: t(user.approved ? 'users.disapprove' : 'users.reject'),
            icon: <IconUserOff size={18} aria-hidden />,
            onSelect: (one: UserView) =>
              guard('users.disapprove', () => setDecided({ user: one, approve: false })),
          },
        ]
      : []),
    ...(user.commands.includes('correct_contact')
      ? [
          {
            id: 'contact',
            label: t('users.correct_contact'),
            icon: <IconAddressBook size={18} aria-hidden />,
            onSelect: (one: UserView) => guard('users.correct_contact', () => setContactOf(one)),
          },
        ]
      : []),
    ...(user.commands.includes('assign_fleet')
      ? [
          {
            id: 'fleet',
            label: t('users.assign_fleet'),
            icon: <IconBuildingCommunity size={18} aria-hidden />,
            onSelect: setFleetOf,
          },
        ]
      : []),
    ...(user.commands.includes('change_type')
      ? [
          {
            id: 'type',
            label: t('users.change_type'),
            icon: <IconUserCog size={18} aria-hidden />,
            onSelect: (one: UserView) => guard('users.change_type', () => setTypeOf(one)),
          },
        ]
      : []),
    ...(user.commands.includes('invite')
      ? [
          {
            id: 'invite',
            label: t('users.invite_again'),
            icon: <IconMailForward size={18} aria-hidden />,
            onSelect: invite,
          },
        ]
      : []),
  ]
  /** The actions of the drawer: its user has no cells to edit. */
  const drawerActionsOf = (user: UserView): RowAction<UserView>[] => [
    ...(columns.some((column) => editable(column, user))
      ? [
          {
            id: 'edit',
            label: t('table.edit'),
            icon: <IconPencil size={18} aria-hidden />,
            onSelect: (one: UserView) => guard('users.update', () => setEdited(one)),
          },
        ]
      : []),
    ...actionsOf(user),
  ]
  const save = async (user: UserView, changes: Partial<UserView>) => {
    const saved = await saveUser(user, changes)
    storeUser(saved)
    return saved
  }
  const announceSaved = (user: UserView) => announce(t('table.saved', { name: userName(user) }))
  const { title, add, empty } = userKinds[usertype]
  const DecisionDialog = decided?.approve ? ApproveDialog : RejectDialog

  return (
    <>
      <DataTable
        name={name}
        title={title}
        notice={
          role === 'admin' ? (
            <>
              <PhoneCollisions />
              <WaitingUsers usertype={usertype} />
            </>
          ) : null
        }
        spec={usersTableSpec}
        columns={columns}
        filters={filters}
        fixedFilters={fixed}
        changeEvents={tableOfRole[usertype]}
        page={(query) => api.users.list(query)}
        count={(narrowing) => api.users.count(narrowing)}
        rowId={idOf}
        rowName={userName}
        save={save}
        link={({ uid }) => `?open=${uid}`}
        onOpen={({ uid }) => setOpen(uid)}
        {...(role === 'admin' && { bulk: approvalOfMany(t) })}
        rowActions={(user) => [
          {
            id: 'details',
            label: t('users.details'),
            icon: <IconInfoCircle size={18} aria-hidden />,
            onSelect: ({ uid }) => setOpen(uid),
          },
          ...actionsOf(user),
        ]}
        create={{
          label: add,
          dialog: (calls) => <AddUserDialog usertype={usertype} role={role} {...calls} />,
        }}
        remove={{
          name: userName,
          call: ({ uid }) => api.users.remove({ id: uid }),
          when: ({ commands }) => commands.includes('remove'),
          safety: 'name',
          dialog: ({ row, onClose, onRemoved }) => (
            <RemoveUserDialog user={row} onClose={onClose} onRemoved={onRemoved} />
          ),
        }}
        routes={{ save: 'users.update', create: 'users.create', remove: 'users.remove' }}
        exportUrl={AllowCriticalEditsAdmin ? '/api/v1/exports/users' : undefined}
        empty={{ title: empty, text: 'users.no_users_text' }}
      />
      <UserDrawer
        id={open}
        onClose={() => setOpen(undefined)}
        onLicence={setLicence}
        actions={(user) =>
          drawerActionsOf(user).map((action) => (
            <Button key={action.id} size="small" onClick={() => action.onSelect(user)}>
              {action.icon}
              {action.label}
            </Button>
          ))
        }
      />
      {edited ? (
        <RowDialog
          id={`${name} ${edited.uid}`}
          row={edited}
          name={userName(edited)}
          columns={columns}
          save={save}
          onClose={() => setEdited(null)}
          onSaved={(user) => {
            setEdited(null)
            announceSaved(user)
          }}
        />
      ) : null}
      {decided ? (
        <DecisionDialog
          user={decided.user}
          onClose={() => setDecided(null)}
          onSaved={(user) => {
            storeUser(user)
            setDecided(null)
            announceSaved(user)
          }}
        />
      ) : null}
      {fleetOf ? (
        <FleetDialog
          user={fleetOf}
          onClose={() => setFleetOf(null)}
          onSaved={(user) => {
            storeUser(user)
            setFleetOf(null)
          }}
        />
      ) : null}
      {typeOf ? (
        <TypeDialog
          user={typeOf}
          onClose={() => setTypeOf(null)}
          onSaved={(user) => {
            setTypeOf(null)
            // The user now belongs to another table.
            dropTableRows(name, new Set([user.uid]), idOf)
            void reloadTable(`people-${user.usertype}`)
            storeUser(user)
            announce(t('users.type_saved', { name: userName(user), type: t(`users.type_${user.usertype}`) }))
          }}
        />
      ) : null}
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
      {contactOf ? (
        <ContactDialog
          user={contactOf}
          onClose={() => setContactOf(null)}
          onSaved={(user) => {
            storeUser(user)
            setContactOf(null)
            announceSaved(user)
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
  )
}

/** The number of users who wait for approval, as a link to them. */
function WaitingUsers({ usertype }: { usertype: Role }) {
  const { t } = useText()
  const [{ approval }, change] = useSearchParams()
  const { data } = useQuery(orpc.users.count.queryOptions({ input: { usertype, approval: 'waiting' } }))
  if (!data || data.count === 0 || approval) return null
  return (
    <Notice tone="attention">
      <div className={classes.collisionNotice}>
        <span>{t('users.waiting', { count: data.count })}</span>
        <Button size="small" onClick={() => change(() => ({ approval: 'waiting' }), { push: true })}>
          {t('users.collisions_open')}
        </Button>
      </div>
    </Notice>
  )
}

function userFilters(usertype: Role, role: Role, carTypes: readonly Choice[]): Record<string, FilterDisplay> {
  const flags = (yes: string, no: string) => ({ true: yes, false: no })
  return {
    approval: {
      label: 'users.approved',
      words: Object.fromEntries(approvals.map((approval) => [approval, `users.is_${approval}`])),
    },
    ...(usertype === 'rider' && role === 'admin'
      ? { guest: { label: 'users.guest', words: flags('users.is_guest', 'users.is_account') } }
      : {}),
    ...(usertype === 'driver'
      ? {
          driverActiveStatus: {
            label: 'users.driverActiveStatus',
            words: flags('users.is_active', 'users.is_inactive'),
          },
          queue: { label: 'users.queue', words: flags('users.is_busy', 'users.is_free') },
          car_type_id: { label: 'users.carType', choices: carTypes },
          ...(role === 'admin'
            ? { fleetadmin: { label: 'users.fleet', pick: FleetPick, named: UserName } }
            : {}),
        }
      : {}),
    createdAt: { label: 'users.createdAt' },
  }
}

const FleetPick: NonNullable<FilterDisplay['pick']> = ({ value, onChange }) => {
  const { t } = useText()
  return <UserPicker label={t('users.fleetadmin')} usertype="fleetadmin" value={value} onChange={onChange} />
}
