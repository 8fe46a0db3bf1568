import type { UserView } from '@hansom/contract/users'
import { fieldsWrittenBy } from '@hansom/domain/users/field-views'
import { IconUserCheck, IconUserOff } from '@tabler/icons-react'
import { api } from '../../../lib/api.ts'
import type { Translate } from '../../../lib/i18n.ts'
import type { BulkAction } from '../../../ui/table/table-types.ts'

const writable = fieldsWrittenBy('fleetadmin', 'admin')

/** A call that changes a user: takes the version read and returns the updated user. */
export type UserStep = (version: number) => Promise<UserView>

/** The calls for the changes of a user: plain fields in one, then those with a separate command. */
export function userSteps(id: string, changes: Partial<UserView>, client = api.users): UserStep[] {
  const steps: UserStep[] = []
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

/** Sends the changes of a user, each call with the version returned by the previous one. */
export async function saveUser(user: UserView, changes: Partial<UserView>): Promise<UserView> {
  let now = user
  for (const step of userSteps(user.uid, changes)) now = await step(now.version)
  return now
}

/** Approves or disapproves the selected users, except those who already are. */
export function approvalOfMany(t: Translate): BulkAction<UserView>[] {
  return [
    {
      id: 'approve',
      label: t('users.approve'),
      icon: <IconUserCheck size={18} aria-hidden />,
      call: async (user) => (user.approved ? user : saveUser(user, { approved: true })),
    },
    {
      id: 'disapprove',
      label: t('users.disapprove'),
      icon: <IconUserOff size={18} aria-hidden />,
      danger: true,
      call: async (user) => (user.approved ? saveUser(user, { approved: false }) : user),
    },
  ]
}
