import type { UserView } from '@hansom/contract/users'
import type { Role } from '@hansom/domain/users/roles'
import { expect, it } from 'vitest'
import type { Format } from '../../../lib/format.ts'
import { usersColumns } from './users-columns.tsx'

const column = (id: string, usertype: Role, hidesContacts = false) =>
  usersColumns({
    usertype,
    role: 'admin',
    banks: false,
    hidesContacts,
    carTypes: [],
    carTypeChoices: [],
    format: {} as Format,
    t: (key) => key,
    onLicence: () => {},
  }).find((one) => one.id === id)

it('usersColumns: contacts masked in a demo -> not sortable', () => {
  expect(column('email', 'rider')?.sort).toBe('email')
  expect(column('email', 'rider', true)?.sort).toBeUndefined()
})

it.each([
  ['vehicleNumber', 'driver', 'required'],
  ['other_info', 'driver', null],
  ['firstName', 'driver', 'proper_input_name'],
  ['preferredName', 'driver', null],
] as const)('usersColumns: %s of a %s emptied -> %s', (id, usertype, problem) => {
  const { edit } = column(id, usertype) ?? {}
  expect(edit?.validate?.(' ', {} as UserView)).toBe(problem)
})
