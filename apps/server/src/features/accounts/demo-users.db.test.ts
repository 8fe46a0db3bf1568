import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp, testPassword } from '../../test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const signIn = (email: string) =>
  app.server.inject({
    method: 'POST',
    url: '/api/auth/sign-in/email',
    payload: { email, password: testPassword },
  })

test('demo users outside a demo: correct password or open session -> login_error and no session', async () => {
  const uid = await app.addUser({ email: 'admin@demo.test', usertype: 'admin' })
  const authorization = await app.bearer('admin@demo.test')
  expect(await app.services.accounts.session({ authorization })).not.toBeNull()
  await app.database.pool.query('update users set demo = true where id = $1', [uid])
  expect(await app.services.accounts.session({ authorization })).toBeNull()
  expect(await app.services.accounts.authenticate({ authorization })).toBeNull()
  const answer = await signIn('admin@demo.test')
  expect([answer.statusCode, answer.json().error]).toEqual([401, 'login_error'])
})
