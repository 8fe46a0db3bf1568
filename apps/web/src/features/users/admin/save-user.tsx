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
  const { fleetadmin } = changes
  if (fleetadmin !== undefined) steps.push((version) => client.assign_fleet({ id, fleetadmin, version }))
  return steps
}

/** Sends the changes of a user, each call with the version returned by the previous one. */
export async function saveUser(user: UserView, changes: Partial<UserView>): Promise<UserView> {
  let now = user
  for (const step of userSteps(user.uid, changes)) now = await step(now.version)
  return now
}

/** Approves or rejects the selected users, except those of whom that is decided already. */
export function approvalOfMany(t: Translate): BulkAction<UserView>[] {
  return [
    {
      id: 'approve',
      label: t('users.approve'),
      icon: <IconUserCheck size={18} aria-hidden />,
      call: async (user) =>
        user.approved ? user : api.users.approve({ id: user.uid, version: user.version }),
    },
    {
      id: 'disapprove',
      label: t('users.reject'),
      icon: <IconUserOff size={18} aria-hidden />,
      danger: true,
      reason: t('users.reject_reason'),
      call: async (user, reason) =>
        user.commands.includes('disapprove')
          ? api.users.disapprove({ id: user.uid, version: user.version, reason })
          : user,
    },
  ]
}
