import { expect, it } from 'vitest'
import type { Format } from '../../../lib/format.ts'
import { usersColumns } from './users-columns.tsx'

const emailOf = (hidesContacts: boolean) =>
  usersColumns({
    usertype: 'rider',
    role: 'admin',
    banks: false,
    hidesContacts,
    carTypes: [],
    format: {} as Format,
    t: (key) => key,
    onLicence: () => {},
  }).find(({ id }) => id === 'email')

it('usersColumns: contacts masked in a demo -> not sortable', () => {
  expect(emailOf(false)?.sort).toBe('email')
  expect(emailOf(true)?.sort).toBeUndefined()
})
