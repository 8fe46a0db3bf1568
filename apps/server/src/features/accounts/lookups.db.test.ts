import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { poster } from './accounts.fixture.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const post = poster(() => app)

test('/check_user_exists: taken contact -> names the field and nothing else', async () => {
  const known = { email: 'known@x.test', mobile: '+59899120001' }
  await app.addUser({ ...known, usertype: 'rider' })
  const ask = async (payload: object) =>
    (await post('/check_user_exists', payload, { from: '10.6.0.1' })).json()
  const { mobile } = known
  expect(await ask({ email: known.email.toUpperCase(), mobile })).toEqual({
    users: [{ field: 'email' }, { field: 'mobile' }],
  })
  expect(await ask({ email: 'free@x.test', mobile })).toEqual({ users: [{ field: 'mobile' }] })
  expect(await ask({ email: 'free@x.test' })).toEqual({ users: [] })
  expect(await ask({})).toEqual({ users: [] })
})

test('lookups: many from one address -> too_many_requests', async () => {
  const ask = (email: string) => post('/check_user_exists', { email }, { from: '10.7.0.1' })
  const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => ask(`guess${index}@x.test`)))
  expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(30)
  const refused = answers.find((answer) => answer.statusCode === 429)
  expect(refused?.json().error).toBe('too_many_requests')
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
})
