import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { refuseIneligible } from './sign-in-eligibility.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

test('refuseEntry: no profile -> user_issue_contact_admin', async () => {
  await expect(refuseIneligible(app.database.db, randomUUID(), false)).rejects.toThrow(
    'user_issue_contact_admin',
  )
})

test('refuseEntry: unknown user type -> not_valid_user_type', async () => {
  const uid = await app.addUser({ email: 'odd@x.test', usertype: 'rider' })
  await app.database.pool.query('alter table users drop constraint users_usertype')
  await app.database.pool.query(`update users set usertype = 'robot' where id = $1`, [uid])
  await expect(refuseIneligible(app.database.db, uid, false)).rejects.toThrow('not_valid_user_type')
})

test('refuseEntry: unverified email -> refused only where verification is required', async () => {
  const uid = await app.addUser({ email: 'new@x.test', usertype: 'rider' })
  await app.database.pool.query('update auth_users set email_verified = false where id = $1', [uid])
  await expect(refuseIneligible(app.database.db, uid, true)).rejects.toThrow('email_verify_message')
  await expect(refuseIneligible(app.database.db, uid, false)).resolves.toBeUndefined()
})
