import type { UserView } from '@hansom/contract/users'
import { fieldsWrittenBy } from '@hansom/domain/users/field-views'
import { IconUserCheck, IconUserOff } from '@tabler/icons-react'
import { api } from '../../../lib/api.ts'
import type { Translate } from '../../../lib/i18n.ts'
import type { BulkAction } from '../../../ui/table/table-types.ts'

const writable = fieldsWrittenBy('fleetadmin', 'admin')

/** A call that changes a person; takes the version that was read and answers with the person as it is then. */
export type PersonStep = (version: number) => Promise<UserView>

/** The calls for what was changed of a person: plain fields together, then what has a command of its own. */
export function personSteps(id: string, changes: Partial<UserView>, client = api.users): PersonStep[] {
  const steps: PersonStep[] = []
  const fields = Object.fromEntries(
    writable.filter((name) => changes[name] !== undefined).map((name) => [name, changes[name]]),
  )
  if (Object.keys(fields).length > 0) steps.push((version) => client.update({ id, version, ...fields }))
  const { fleetadmin, approved } = changes
  if (fleetadmin !== undefined) steps.push((version) => client.assign_fleet({ id, fleetadmin, version }))
  if (approved !== undefined)
    steps.push((version) => (approved ? client.approve({ id, version }) : client.disapprove({ id, version })))
  return steps
}

/** Sends changes of a person, each call with the version the one before has left. */
export async function savePerson(person: UserView, changes: Partial<UserView>): Promise<UserView> {
  let now = person
  for (const step of personSteps(person.uid, changes)) now = await step(now.version)
  return now
}

/** Lets all chosen people in, or keeps them out. Of who is in already, or out already, nothing is asked. */
export function approvalOfMany(t: Translate): BulkAction<UserView>[] {
  return [
    {
      id: 'approve',
      label: t('people.approve'),
      icon: <IconUserCheck size={18} aria-hidden />,
      call: async (person) => (person.approved ? person : savePerson(person, { approved: true })),
    },
    {
      id: 'disapprove',
      label: t('people.disapprove'),
      icon: <IconUserOff size={18} aria-hidden />,
      danger: true,
      call: async (person) => (person.approved ? savePerson(person, { approved: false }) : person),
    },
  ]
}
