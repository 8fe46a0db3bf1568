import { afterEach, expect, test } from 'vitest'
import type { Licence, LicenceAnswer, LicenceQuestion } from '../../adapters/licence/port.ts'
import { createTestApp, type TestApp, testPassword } from '../../test-app.ts'

let app: TestApp
afterEach(() => app.close())

async function licensed(first: LicenceAnswer) {
  const service = { answer: first, questions: [] as LicenceQuestion[] }
  const licence: Licence = {
    asked: true,
    check: async (question) => {
      service.questions.push(question)
      return question.reqType === 'settings' && question.license !== 'L-1' ? 'refused' : service.answer
    },
  }
  app = await createTestApp({ licence })
  await app.addPerson({ email: 'admin@x.test', usertype: 'admin', createdAt: 1_234 })
  return service
}

const signIn = () =>
  app.server.inject({
    method: 'POST',
    url: '/api/auth/sign-in/email',
    payload: { email: 'admin@x.test', password: testPassword },
  })
const sessions = async () => (await app.database.pool.query('select 1 from auth_sessions')).rowCount

test('a refused licence, and a service that is silent, let nobody in', async () => {
  const service = await licensed('refused')
  const refused = await signIn()
  expect([refused.statusCode, refused.json().error]).toEqual([403, 'Base Settings Error 1'])
  service.answer = 'no_answer'
  const silent = await signIn()
  expect([silent.statusCode, silent.json().error]).toEqual([502, 'Base Settings Error 2'])
  expect(await sessions()).toBe(0)
  expect(service.questions).toEqual([
    { reqType: 'auth', license: '', createTime: 1_234 },
    { reqType: 'auth', license: '', createTime: 1_234 },
  ])
})

test('a wrong password asks nobody', async () => {
  const service = await licensed('good')
  const answer = await app.server.inject({
    method: 'POST',
    url: '/api/auth/sign-in/email',
    payload: { email: 'admin@x.test', password: 'wrong1' },
  })
  expect([answer.statusCode, service.questions]).toEqual([401, []])
})

test('a code that is given with the settings is checked, and kept when it is good', async () => {
  const service = await licensed('good')
  const authorization = await app.bearer('admin@x.test')
  const save = (changes: object) =>
    app.server.inject({
      method: 'PATCH',
      url: '/api/v1/settings',
      headers: { authorization },
      payload: { version: 0, ...changes },
    })
  const wrong = await save({ appName: 'Cab', license: 'L-2' })
  expect([wrong.statusCode, wrong.json().error]).toEqual([422, 'wrong_code'])
  expect((await app.services.settings.current()).appName).toBe('Hansom')
  service.answer = 'no_answer'
  const silent = await save({ appName: 'Cab', license: 'L-1' })
  expect([silent.statusCode, silent.json().error]).toEqual([500, 'update_failed'])
  service.answer = 'good'
  const good = await save({ appName: 'Cab', license: 'L-1' })
  expect([good.statusCode, good.json().values.appName, good.json().licensed]).toEqual([200, 'Cab', true])
  expect(good.body).not.toContain('L-1')
  // A code alone leaves a row, too, and no code is in it.
  await app.database.pool.query(`update settings set licence = 'L-0'`)
  const alone = await save({ version: good.json().version, license: 'L-1' })
  expect(alone.statusCode).toBe(200)
  const { rows } = await app.database.pool.query('select before, after from audit_log order by id')
  expect(rows).toEqual([expect.anything(), { before: {}, after: {} }])
  expect(JSON.stringify(rows)).not.toContain('L-')
  await signIn()
  expect(service.questions.at(-1)).toEqual({ reqType: 'auth', license: 'L-1', createTime: 1_234 })
})

test('without a service no code is looked at, and nothing locks', async () => {
  app = await createTestApp()
  await app.addPerson({ email: 'admin@x.test', usertype: 'admin' })
  const answer = await app.server.inject({
    method: 'PATCH',
    url: '/api/v1/settings',
    headers: { authorization: await app.bearer('admin@x.test') },
    payload: { version: 0, appName: 'Cab', license: 'anything' },
  })
  expect([answer.statusCode, answer.json().licensed]).toEqual([200, false])
  expect(await app.services.settings.licenceCode()).toBe('')
})
