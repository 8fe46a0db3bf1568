import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Licence, LicenceRequest, LicenceResult } from '../../adapters/product-licence/port.ts'
import { createTestApp, type TestApp, testPassword } from '../../test-app.ts'

let app: TestApp
afterEach(() => app.close())

async function licensed(first: LicenceResult) {
  const service = { answer: first, questions: [] as LicenceRequest[] }
  const licence: Licence = {
    isConfigured: true,
    check: async (question) => {
      service.questions.push(question)
      return question.reqType === 'settings' && question.license !== 'L-1' ? 'refused' : service.answer
    },
  }
  app = await createTestApp({ licence })
  await app.addUser({ email: 'admin@x.test', usertype: 'admin', createdAt: 1_234 })
  await app.addUser({ email: 'rider@x.test', usertype: 'rider', createdAt: 5_678 })
  return service
}

const signIn = (name = 'rider') =>
  app.server.inject({
    method: 'POST',
    url: '/api/auth/sign-in/email',
    payload: { email: `${name}@x.test`, password: testPassword },
  })
const sessions = async () => (await app.database.pool.query('select 1 from auth_sessions')).rowCount

test('sign-in: licence refused or service silent -> only admins', async () => {
  const service = await licensed('refused')
  const refused = await signIn()
  expect([refused.statusCode, refused.json().error]).toEqual([403, 'Base Settings Error 1'])
  service.answer = 'no_answer'
  const silent = await signIn()
  expect([silent.statusCode, silent.json().error]).toEqual([502, 'Base Settings Error 2'])
  expect(await sessions()).toBe(0)
  expect(service.questions).toEqual([
    { reqType: 'auth', license: '', createTime: 5_678 },
    { reqType: 'auth', license: '', createTime: 5_678 },
  ])
  for (const answer of ['refused', 'no_answer'] as const) {
    service.answer = answer
    expect((await signIn('admin')).statusCode).toBe(200)
  }
})

/** Runs the check that is due every ten minutes. */
const askAgain = () =>
  app.database.pool.query(
    `update pgboss.job set start_after = now() where name = 'licence.check' and state = 'created'`,
  )

test('licence refused while users are signed in -> they are signed out with the reason; admins stay and can fix it', async () => {
  const service = await licensed('good')
  await app.start()
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.server.address() as AddressInfo
  const admin = await app.bearer('admin@x.test')
  const headers = { authorization: await app.bearer('rider@x.test') }
  const whoami = async (authorization: string) =>
    (await app.server.inject({ url: '/api/v1/bookings', headers: { authorization } })).statusCode
  const socket = new WebSocket(`ws://127.0.0.1:${port}/live`, { headers })
  const closed = new Promise<[number, string]>((resolve) =>
    socket.on('close', (code, reason) => resolve([code, reason.toString()])),
  )
  await new Promise((resolve) => socket.once('message', resolve))
  const asked = async (answer: LicenceResult) => {
    service.answer = answer
    const { length } = service.questions
    await expect
      .poll(async () => (await askAgain(), service.questions.length), { timeout: 15_000, interval: 100 })
      .toBeGreaterThan(length)
    expect(service.questions.at(-1)).toEqual({ reqType: 'auth', license: '', createTime: 1_234 })
  }
  await asked('good')
  await asked('no_answer')
  // An outage of the licence service signs no one out.
  expect([await whoami(headers.authorization), await sessions()]).toEqual([200, 2])
  await asked('refused')
  expect(await closed).toEqual([4401, 'Base Settings Error 1'])
  expect([await whoami(headers.authorization), await whoami(admin), await sessions()]).toEqual([401, 200, 1])
  const settings = async () =>
    (await app.server.inject({ url: '/api/v1/settings/all', headers: { authorization: admin } })).json()
  const { version, licenceRefused } = await settings()
  expect(licenceRefused).toBe(true)
  service.answer = 'good'
  const mended = await app.server.inject({
    method: 'PATCH',
    url: '/api/v1/settings',
    headers: { authorization: admin },
    payload: { version, license: 'L-1' },
  })
  expect([mended.statusCode, mended.json().licenceRefused]).toEqual([200, false])
  expect((await signIn()).statusCode).toBe(200)
})

test('wrong password -> no licence check', async () => {
  const service = await licensed('good')
  const answer = await app.server.inject({
    method: 'POST',
    url: '/api/auth/sign-in/email',
    payload: { email: 'admin@x.test', password: 'wrong1' },
  })
  expect([answer.statusCode, service.questions]).toEqual([401, []])
})

test('code saved with the settings -> checked, and stored when valid', async () => {
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
  // A change of only the code is audited too, without the code.
  await app.database.pool.query(`update settings set licence = 'L-0'`)
  const alone = await save({ version: good.json().version, license: 'L-1' })
  expect(alone.statusCode).toBe(200)
  const { rows } = await app.database.pool.query('select before, after from audit_log order by id')
  expect(rows).toEqual([expect.anything(), { before: {}, after: {} }])
  expect(JSON.stringify(rows)).not.toContain('L-')
  await signIn('admin')
  expect(service.questions.at(-1)).toEqual({ reqType: 'auth', license: 'L-1', createTime: 1_234 })
})

test('no licence service -> no code is checked, and nothing is locked', async () => {
  app = await createTestApp()
  await app.addUser({ email: 'admin@x.test', usertype: 'admin' })
  const answer = await app.server.inject({
    method: 'PATCH',
    url: '/api/v1/settings',
    headers: { authorization: await app.bearer('admin@x.test') },
    payload: { version: 0, appName: 'Cab', license: 'anything' },
  })
  expect([answer.statusCode, answer.json().licensed]).toEqual([200, false])
  expect(await app.services.settings.licenceCode()).toBe('')
})
