import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadConfig } from '../../config.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { createMessageLog, type NewMessage } from '../../platform/mailbox/message-log.ts'
import { createTestApp, type TestApp } from '../../test-app.ts'

let demo: { app: TestApp; keep(message: Partial<NewMessage>): Promise<void> }
let real: TestApp
const address = '/api/v1/outbox'

beforeAll(async () => {
  const app = await createTestApp({ config: { ...loadConfig({ NODE_ENV: 'test' }, '/'), demo: true } })
  const log = createMessageLog({ database: app.database, clock: systemClock })
  demo = {
    app,
    keep: (message) =>
      log.store({ channel: 'mail', to: '', kind: 'test', subject: '', text: '', params: {}, ...message }),
  }
  real = await createTestApp()
  for (const each of [app, real]) {
    await each.addUser({ email: 'admin@rides.example', usertype: 'admin' })
    await each.addUser({ email: 'rider@rides.example', usertype: 'rider' })
  }
})
afterAll(() => Promise.all([demo.app.close(), real.close()]))

const read = async (app: TestApp, email?: string, query = '') => {
  const authorization = email ? await app.bearer(email) : undefined
  const answer = await app.server.inject({
    url: `${address}${query}`,
    headers: authorization ? { authorization } : {},
  })
  return [answer.statusCode, answer.json()] as const
}

test('list: admin of a demo -> stored messages, newest first, by channel and page', async () => {
  await demo.keep({
    channel: 'mail',
    to: 'ana@rides.example',
    subject: 'Your address',
    text: 'Follow the link',
  })
  await demo.keep({ channel: 'sms', to: '+59899123456', subject: '', text: '123456 is your code' })
  const [status, all] = await read(demo.app, 'admin@rides.example')
  expect(status).toBe(200)
  expect(all.map(({ to }: { to: string }) => to)).toEqual(['+59899123456', 'ana@rides.example'])
  expect(all[1]).toEqual({
    id: expect.any(Number),
    hasPage: false,
    at: expect.any(Number),
    channel: 'mail',
    to: 'ana@rides.example',
    kind: 'test',
    subject: 'Your address',
    text: 'Follow the link',
  })
  expect((await read(demo.app, 'admin@rides.example', '?channel=sms'))[1]).toEqual([all[0]])
  expect((await read(demo.app, 'admin@rides.example', `?before=${all[0].id}`))[1]).toEqual([all[1]])
})

test.each(['?before=0', '?channel=pigeon', '?before=x'])('list: invalid query %s -> 400', async (query) => {
  expect((await read(demo.app, 'admin@rides.example', query))[0]).toBe(400)
})

test('list: other users, or not a demo -> not_found', async () => {
  expect((await read(demo.app, 'rider@rides.example'))[0]).toBe(404)
  expect((await read(demo.app))[0]).toBe(404)
  expect((await read(real, 'admin@rides.example'))[0]).toBe(404)
})

test('list: demo closed for critical edits -> recipients hidden', async () => {
  const { settings } = demo.app.services
  const allow = (AllowCriticalEditsAdmin: boolean) =>
    demo.app.database.withTransaction((tx) => settings.update(tx, { AllowCriticalEditsAdmin }))
  await demo.keep({ channel: 'sms', to: '+59899123457', text: '654321 is your code' })
  await allow(false)
  const [status, kept] = await read(demo.app, 'admin@rides.example')
  await allow(true)
  expect(status).toBe(200)
  expect(kept[0]).toMatchObject({ to: 'Hidden for Demo', text: '654321 is your code' })
  expect(new Set(kept.map(({ to }: { to: string }) => to)).size).toBe(1)
})
