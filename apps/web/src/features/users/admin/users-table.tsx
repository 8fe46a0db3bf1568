import type { UserView } from '@hansom/contract/users'
import { usersTableSpec } from '@hansom/contract/users-table'
import { tableOfRole } from '@hansom/domain/audit/record-kinds'
import { approvals } from '@hansom/domain/users/profile'
import type { Role } from '@hansom/domain/users/roles'
import { IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useCarTypeChoices } from '../../../entities/car-types/car-type-name.tsx'
import { UserName, UserPicker } from '../../../entities/users/user-picker.tsx'
import { api, orpc } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { queryClient } from '../../../lib/query-client.ts'
import { useMe } from '../../../lib/session.ts'
import { useSettings } from '../../../lib/settings.ts'
import { Button } from '../../../ui/button.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import type { Choice, FilterDisplay } from '../../../ui/table/table-types.ts'
import { putTableRow } from '../../../ui/table/table-updates.ts'
import { AddUserDialog, userKinds } from './add-user-dialog.tsx'
import { PhoneCollisions } from './phone-collisions.tsx'
import { RemoveUserDialog } from './remove-user-dialog.tsx'
import { approvalOfMany, saveUser } from './save-user.tsx'
import { useUserActions } from './user-actions.tsx'
import { UserDrawer, useOpenUser } from './user-drawer.tsx'
import { userName } from './user-mark.tsx'
import { usersColumns } from './users-columns.tsx'
import { WaitingUsers } from './waiting-users.tsx'

const idOf = ({ uid }: UserView) => uid

/** The users of one type; a fleet admin sees only their own drivers. */
export function UsersTable({ usertype }: { usertype: Role }) {
  const { t } = useText()
  const format = useFormat()
  const role = useMe()?.usertype ?? 'rider'
  const { bank_fields, AllowCriticalEditsAdmin } = useSettings()
  const { data: carTypes } = useQuery(orpc.carTypes.list.queryOptions())
  const carTypeChoices = useCarTypeChoices()
  const [licence, setLicence] = useState<UserView | null>(null)
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
  const save = async (user: UserView, changes: Partial<UserView>) => {
    const saved = await saveUser(user, changes)
    storeUser(saved)
    return saved
  }
  const actions = useUserActions({ role, table: name, columns, licence, setLicence, save, storeUser })
  const { title, add, empty } = userKinds[usertype]

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
          ...actions.of(user),
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
        // The drawer's user has no cells to edit.
        actions={(user) =>
          [...actions.edit(user), ...actions.of(user)].map((action) => (
            <Button key={action.id} size="small" onClick={() => action.onSelect(user)}>
              {action.icon}
              {action.label}
            </Button>
          ))
        }
      />
      {actions.dialogs}
    </>
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
