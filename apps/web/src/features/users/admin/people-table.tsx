import type { UserView } from '@hansom/contract/users'
import { usersTableSpec } from '@hansom/contract/users-table'
import { tableOfRole } from '@hansom/domain/access/watched-tables'
import type { Role } from '@hansom/domain/users/roles'
import { IconBuildingCommunity, IconInfoCircle, IconMailForward, IconUserCog } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { PersonName, PersonPicker } from '../../../entities/users/person-picker.tsx'
import { api, orpc } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { queryClient } from '../../../lib/query-client.ts'
import { useMe } from '../../../lib/session.ts'
import { useSettings } from '../../../lib/settings.ts'
import { announce } from '../../../ui/announcer.tsx'
import { Button } from '../../../ui/button.tsx'
import { AlertDialog } from '../../../ui/dialog.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import type { FilterDisplay, RowAction } from '../../../ui/table/table-types.ts'
import { dropTableRows, putTableRow, reloadTable } from '../../../ui/table/table-updates.ts'
import { useDemoGuard } from '../../../ui/use-demo-guard.tsx'
import { AddPersonDialog, peopleKinds } from './add-person-dialog.tsx'
import { peopleColumns } from './people-columns.tsx'
import { FleetDialog, LicenceDialog, TypeDialog } from './person-dialogs.tsx'
import { PersonDrawer, useOpenPerson } from './person-drawer.tsx'
import { personName } from './person-mark.tsx'
import { PhoneCollisions } from './phone-collisions.tsx'
import { approvalOfMany, savePerson } from './save-person.tsx'

const idOf = ({ uid }: UserView) => uid

/** The users of one type; a fleet admin sees only their own drivers. */
export function PeopleTable({ usertype }: { usertype: Role }) {
  const { t } = useText()
  const format = useFormat()
  const viewer = useMe()?.usertype ?? 'rider'
  const { bank_fields, AllowCriticalEditsAdmin } = useSettings()
  const { data: carTypes } = useQuery(orpc.carTypes.list.queryOptions())
  const { guard, refused } = useDemoGuard()
  const [licence, setLicence] = useState<UserView | null>(null)
  const [fleetOf, setFleetOf] = useState<UserView | null>(null)
  const [typeOf, setTypeOf] = useState<UserView | null>(null)
  const [invited, setInvited] = useState<{ name: string; error: unknown } | null>(null)
  const [open, setOpen] = useOpenPerson()
  const name = `people-${usertype}`
  const columns = useMemo(
    () =>
      peopleColumns({
        usertype,
        viewer,
        banks: bank_fields,
        hidesContacts: !AllowCriticalEditsAdmin,
        carTypes: carTypes ?? [],
        format,
        t,
        onLicence: setLicence,
      }),
    [usertype, viewer, bank_fields, AllowCriticalEditsAdmin, carTypes, format, t],
  )
  const filters = useMemo(() => peopleFilters(usertype, viewer, carTypes ?? []), [usertype, viewer, carTypes])
  const fixed = useMemo(() => ({ usertype }), [usertype])

  const storePerson = (person: UserView) => {
    putTableRow(name, person, idOf)
    queryClient.setQueryData(
      orpc.users.get.queryKey({ input: { id: person.uid } }),
      (details) => details && { ...details, ...person },
    )
  }
  const invite = (person: UserView) =>
    void api.users.invite({ id: person.uid }).then(
      () => setInvited({ name: person.email, error: null }),
      (error: unknown) => setInvited({ name: person.email, error }),
    )
  const actionsOf = (person: UserView): RowAction<UserView>[] => [
    ...(person.commands.includes('assign_fleet')
      ? [
          {
            id: 'fleet',
            label: t('people.assign_fleet'),
            icon: <IconBuildingCommunity size={18} aria-hidden />,
            onSelect: setFleetOf,
          },
        ]
      : []),
    ...(person.commands.includes('change_type')
      ? [
          {
            id: 'type',
            label: t('people.change_type'),
            icon: <IconUserCog size={18} aria-hidden />,
            onSelect: (one: UserView) => guard('users.change_type', () => setTypeOf(one)),
          },
        ]
      : []),
    ...(person.commands.includes('invite')
      ? [
          {
            id: 'invite',
            label: t('people.invite_again'),
            icon: <IconMailForward size={18} aria-hidden />,
            onSelect: invite,
          },
        ]
      : []),
  ]
  const { title, add, empty } = peopleKinds[usertype]

  return (
    <>
      <DataTable
        name={name}
        title={title}
        notice={viewer === 'admin' ? <PhoneCollisions /> : null}
        spec={usersTableSpec}
        columns={columns}
        filters={filters}
        fixedFilters={fixed}
        changeEvents={tableOfRole[usertype]}
        page={(query) => api.users.list(query)}
        count={(narrowing) => api.users.count(narrowing)}
        rowId={idOf}
        rowName={personName}
        save={async (person, changes) => {
          const saved = await savePerson(person, changes)
          storePerson(saved)
          return saved
        }}
        link={({ uid }) => `?open=${uid}`}
        onOpen={({ uid }) => setOpen(uid)}
        {...(viewer === 'admin' && { bulk: approvalOfMany(t) })}
        rowActions={(person) => [
          {
            id: 'details',
            label: t('people.details'),
            icon: <IconInfoCircle size={18} aria-hidden />,
            onSelect: ({ uid }) => setOpen(uid),
          },
          ...actionsOf(person),
        ]}
        create={{
          label: add,
          dialog: (calls) => <AddPersonDialog usertype={usertype} viewer={viewer} {...calls} />,
        }}
        remove={{
          name: personName,
          call: ({ uid }) => api.users.remove({ id: uid }),
          when: ({ commands }) => commands.includes('remove'),
          safety: 'name',
        }}
        routes={{ save: 'users.update', create: 'users.create', remove: 'users.remove' }}
        exportUrl={AllowCriticalEditsAdmin ? '/api/v1/exports/users' : undefined}
        empty={{ title: empty, text: 'people.no_people_text' }}
      />
      <PersonDrawer
        id={open}
        onClose={() => setOpen(undefined)}
        onLicence={setLicence}
        actions={(person) =>
          actionsOf(person).map((action) => (
            <Button key={action.id} size="small" onClick={() => action.onSelect(person)}>
              {action.icon}
              {action.label}
            </Button>
          ))
        }
      />
      {fleetOf ? (
        <FleetDialog
          person={fleetOf}
          onClose={() => setFleetOf(null)}
          onSaved={(person) => {
            storePerson(person)
            setFleetOf(null)
          }}
        />
      ) : null}
      {typeOf ? (
        <TypeDialog
          person={typeOf}
          onClose={() => setTypeOf(null)}
          onSaved={(person) => {
            setTypeOf(null)
            // The user now belongs to another table.
            dropTableRows(name, new Set([person.uid]), idOf)
            void reloadTable(`people-${person.usertype}`)
            storePerson(person)
            announce(
              t('people.type_saved', { name: personName(person), type: t(`people.type_${person.usertype}`) }),
            )
          }}
        />
      ) : null}
      {refused}
      <LicenceDialog person={licence} onClose={() => setLicence(null)} />
      <AlertDialog open={invited !== null} onClose={() => setInvited(null)}>
        {invited?.error ? (
          <ErrorMessage error={invited.error} />
        ) : (
          t('people.invited', { email: invited?.name ?? '' })
        )}
      </AlertDialog>
    </>
  )
}

function peopleFilters(
  usertype: Role,
  viewer: Role,
  carTypes: readonly { id: string; name: string }[],
): Record<string, FilterDisplay> {
  const flags = (yes: string, no: string) => ({ true: yes, false: no })
  return {
    approved: { label: 'people.approved', words: flags('people.is_approved', 'people.is_waiting') },
    ...(usertype === 'driver'
      ? {
          driverActiveStatus: {
            label: 'people.driverActiveStatus',
            words: flags('people.is_active', 'people.is_inactive'),
          },
          queue: { label: 'people.queue', words: flags('people.is_busy', 'people.is_free') },
          car_type_id: {
            label: 'people.carType',
            choices: carTypes.map(({ id, name }) => ({ value: id, label: name })),
          },
          ...(viewer === 'admin'
            ? { fleetadmin: { label: 'people.fleet', pick: FleetPick, named: PersonName } }
            : {}),
        }
      : {}),
    createdAt: { label: 'people.createdAt' },
  }
}

const FleetPick: NonNullable<FilterDisplay['pick']> = ({ value, onChange }) => {
  const { t } = useText()
  return (
    <PersonPicker label={t('people.fleetadmin')} usertype="fleetadmin" value={value} onChange={onChange} />
  )
}
