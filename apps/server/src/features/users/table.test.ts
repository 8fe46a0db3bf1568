import { type UserFieldRule, userFields } from '@hansom/domain/users/fields'
import { getTableColumns } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { usersTable } from './table.ts'

test('users: every stored field -> a column that is optional where the field is', () => {
  const rules: [string, UserFieldRule][] = Object.entries(userFields)
  const stored = rules.filter(([, { computed }]) => !computed)
  // Used by the erasure only, so it is not a described field.
  const { erased_at, ...columns } = getTableColumns(usersTable)
  expect(erased_at.notNull).toBe(false)
  expect(Object.fromEntries(stored.map(([field, { nullable = false }]) => [field, nullable]))).toEqual(
    Object.fromEntries(Object.entries(columns).map(([field, { notNull }]) => [field, !notNull])),
  )
})
