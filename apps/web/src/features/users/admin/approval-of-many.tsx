import type { UserView } from '@hansom/contract/users'
import { IconUserCheck, IconUserOff } from '@tabler/icons-react'
import type { Translate } from '../../../lib/i18n.ts'
import type { BulkAction } from '../../../ui/table/table-types.ts'
import { savePerson } from './save-person.ts'

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
