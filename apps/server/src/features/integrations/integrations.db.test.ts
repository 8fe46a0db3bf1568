import { afterAll, beforeAll, expect, test } from 'vitest'
import { MailError } from '../../adapters/mail/port.ts'
import { SmsError } from '../../adapters/sms/port.ts'
import { createTestApp, type TestApp } from '../../test-app.ts'

let app: TestApp
const sent: { to: string; text: string }[] = []
let trouble = false
beforeAll(async () => {
  app = await createTestApp({
    mail: {
      send: async (message) => {
        if (trouble) throw new MailError('the mail server refused the sender', true)
        sent.push(message)
      },
      close: () => {},
    },
    sms: {
      send: async (message) => {
        if (trouble) throw new SmsError('the text message service did not answer in time', false)
        sent.push(message)
      },
    },
  })
  await app.addUser({ email: 'admin@x.test', usertype: 'admin', mobile: '+59899123456' })
  await app.addUser({ email: 'none@x.test', usertype: 'admin' })
  await app.addUser({ email: 'rider@x.test', usertype: 'rider' })
})
afterAll(() => app.close())

const tryOut = async (name: string, email = 'admin@x.test') => {
  const answer = await app.server.inject({
    method: 'POST',
    url: `/api/v1/providers/${name}/test`,
    headers: { authorization: await app.bearer(email) },
    payload: {},
  })
  return [answer.statusCode, answer.json()] as const
}

test('test message: no service configured -> sent to the requesting admin, outcome kept', async () => {
  expect(await tryOut('mail')).toEqual([200, { outcome: 'kept', to: 'admin@x.test', detail: '' }])
  expect(await tryOut('sms')).toEqual([200, { outcome: 'kept', to: '+59899123456', detail: '' }])
  expect(sent.map(({ to }) => to)).toEqual(['admin@x.test', '+59899123456'])
  expect(sent[0]?.text).toMatch(/^This is a test from Hansom, sent .*\d{2}:\d{2}/)
  expect(sent[0]?.text).not.toContain('{{')
})

test('test message: service fails -> its message is returned', async () => {
  trouble = true
  expect(await tryOut('mail')).toEqual([
    200,
    { outcome: 'failed', to: 'admin@x.test', detail: 'the mail server refused the sender' },
  ])
  expect((await tryOut('sms'))[1]).toMatchObject({
    outcome: 'failed',
    detail: expect.stringContaining('in time'),
  })
  trouble = false
})

test('test message: SMS without a number, or not an admin -> refused', async () => {
  const [status, { error }] = await tryOut('sms', 'none@x.test')
  expect([status, error]).toEqual([400, 'mobile_no_blank_error'])
  expect((await tryOut('mail', 'rider@x.test'))[0]).toBe(404)
  expect((await tryOut('pigeon'))[0]).toBe(400)
})

test('list -> configured services, without secrets', async () => {
  const answer = await app.server.inject({
    url: '/api/v1/providers',
    headers: { authorization: await app.bearer('admin@x.test') },
  })
  expect(answer.json()).toEqual(
    ['mail', 'sms', 'push', 'voice', 'storage', 'facebook', 'apple', 'licence'].map((name) => ({
      name,
      configured: name === 'push',
    })),
  )
})
