import { type UserFieldRule, userFields } from '@hansom/domain/users/fields'
import { getTableColumns } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { usersTable } from './table.ts'

test('users: every stored field -> a column that is optional where the field is', () => {
  const rules: [string, UserFieldRule][] = Object.entries(userFields)
  const stored = rules.filter(([, { computed }]) => !computed)
  // Used by the erasure and by alerts only, so they are not described fields.
  const { erased_at, waiting_since, ...columns } = getTableColumns(usersTable)
  expect([erased_at.notNull, waiting_since.notNull]).toEqual([false, false])
  expect(Object.fromEntries(stored.map(([field, { nullable = false }]) => [field, nullable]))).toEqual(
    Object.fromEntries(Object.entries(columns).map(([field, { notNull }]) => [field, !notNull])),
  )
})
