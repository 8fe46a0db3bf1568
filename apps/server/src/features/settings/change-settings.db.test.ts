import { liveTopics } from '@hansom/contract/live'
import { defaultSettings, type Settings } from '@hansom/domain/settings/settings'
import { valuesOf } from '@hansom/domain/settings/values'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { straightMaps } from '../bookings/straight-city.fixture.ts'
import { createSettingsService } from './service.ts'

let app: TestApp
let admin: string
beforeAll(async () => {
  app = await createTestApp()
  await app.addUser({ email: 'admin@x.test', usertype: 'admin' })
  admin = await app.bearer('admin@x.test')
})
afterAll(() => app.close())

const set = (changes: Partial<Settings>) =>
  app.database.withTransaction((tx) => app.services.settings.update(tx, changes))
beforeEach(() => set({ ...defaultSettings, appName: 'Before' }))

const ask = async (method: 'GET' | 'PATCH', url: string, payload?: object) => {
  const answer = await app.server.inject({
    method,
    url,
    headers: { authorization: admin },
    ...(payload ? { payload } : {}),
  })
  return { status: answer.statusCode, body: answer.json() }
}
const all = async () => (await ask('GET', '/api/v1/settings/all')).body
const save = async (changes: object) =>
  ask('PATCH', '/api/v1/settings', { version: (await all()).version, ...changes })

test('update: admin -> reads every field, and changes some', async () => {
  const before = await all()
  expect(before.values).toEqual(valuesOf({ ...defaultSettings, appName: 'Before' }))
  expect(before).toMatchObject({ category: 'taxi', currencyInUse: false, licensed: false })
  const { status, body } = await save({ appName: ' Cab ', 'dispatch.waveSize': 4, bonus: 125_000 })
  expect(status).toBe(200)
  expect(body.version).toBe(before.version + 1)
  expect(body.values).toMatchObject({ appName: 'Cab', 'dispatch.waveSize': 4, 'dispatch.leadMinutes': 15 })
  const { dispatch, bonus } = await app.services.settings.current()
  expect([dispatch.waveSize, dispatch.waveSeconds, bonus]).toEqual([4, 30, 125_000])
})

test.each([
  [{ bonus: null }, 'proper_bonus', 'bonus', 'proper_bonus'],
  [{ contact_email: 'ana' }, 'proper_email', 'contact_email', 'proper_email'],
  [{ decimal: -1 }, 'invalid_input', 'decimal', 'out_of_range'],
  [{ driverRadius: null }, 'invalid_input', 'driverRadius', 'required'],
  [{ timezone: 'Nowhere' }, 'invalid_input', 'timezone', 'not_in_list'],
  [{ appName: 7 }, 'invalid_input', 'appName', 'wrong_type'],
  [{ category: 'delivery' }, 'invalid_input', 'category', 'unknown_field'],
])('update: %j -> %s at its field, nothing changed', async (changes, key, field, error) => {
  const { status, body } = await save({ symbol: '€', ...changes })
  expect([status, body.error, body.fields]).toEqual([400, key, [{ field, error }]])
  expect((await all()).values.symbol).toBe('$')
})

test('critical edits: switched off by a page -> no page can save until the database is changed', async () => {
  const off = await save({ AllowCriticalEditsAdmin: false })
  expect([off.status, off.body.values.AllowCriticalEditsAdmin]).toEqual([200, false])
  for (const changes of [{ AllowCriticalEditsAdmin: true }, { appName: 'Other' }]) {
    const refused = await save(changes)
    expect([refused.status, refused.body.error]).toEqual([403, 'demo_mode'])
  }
  await app.database.pool.query(
    `update settings set value = value || '{"AllowCriticalEditsAdmin": true}', version = version + 1`,
  )
  await expect.poll(async () => (await save({ appName: 'Cab' })).status, { timeout: 10_000 }).toBe(200)
})

test('update: concurrent saves -> one succeeds, the others get a conflict with the current settings', async () => {
  const { version } = await all()
  // All of them have started and read before the first may write.
  const gate = await app.database.pool.connect()
  await gate.query('begin')
  await gate.query('select from settings for update')
  const saving = Promise.all(
    ['One', 'Two', 'Three', 'Four'].map((appName) => ask('PATCH', '/api/v1/settings', { version, appName })),
  )
  const waiting = async () => {
    const found = await app.database.pool.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return found.rowCount
  }
  await expect.poll(waiting, { timeout: 20_000 }).toBe(4)
  await gate.query('commit')
  gate.release()
  const answers = await saving
  const [won, ...others] = answers.sort((a, b) => a.status - b.status)
  expect(answers.map(({ status }) => status)).toEqual([200, 409, 409, 409])
  for (const { body } of others) {
    expect([body.error, body.data.current.values.appName]).toEqual(['conflict', won?.body.values.appName])
  }
  expect(await all()).toMatchObject({ version: version + 1 })
})

test('update of an outdated version: other fields -> merged, same field -> conflict with its author', async () => {
  const { version } = await all()
  await save({ bonus: 250_000 })
  const merged = await ask('PATCH', '/api/v1/settings', { version, appName: 'Merged' })
  expect([merged.status, merged.body.values]).toMatchObject([200, { appName: 'Merged', bonus: 250_000 }])
  const { status, body } = await ask('PATCH', '/api/v1/settings', { version, bonus: 300_000 })
  expect([status, body.error]).toEqual([409, 'conflict'])
  expect(body.data).toMatchObject({
    current: { version: version + 2 },
    by: 'Test Person',
    fields: [{ field: 'bonus', theirs: 250_000, yours: 300_000 }],
  })
})

test('audit: change -> the changed fields only', async () => {
  await save({ appName: 'Kept', decimal: 3 })
  const { rows } = await app.database.pool.query(
    `select action, subject, label, by_name, before, after from audit_log order by id desc limit 1`,
  )
  expect(rows).toEqual([
    {
      action: 'settings.update',
      subject: 'settings',
      label: 'Kept',
      by_name: 'Test Person',
      before: { appName: 'Before', decimal: 0 },
      after: { appName: 'Kept', decimal: 3 },
    },
  ])
})

test('live: change -> published immediately, public fields only', async () => {
  const heard: [string, unknown][] = []
  const told = app.hub.publish.bind(app.hub)
  app.hub.publish = (channel, data) => {
    heard.push([channel, data])
    told(channel, data)
  }
  await save({ appName: 'Told', symbol: '€', negativeBalance: true })
  app.hub.publish = told
  expect(heard.filter(([channel]) => !channel.startsWith(liveTopics.dispatch))).toMatchObject([
    [expect.stringContaining(liveTopics.settings), { appName: 'Told', symbol: '€' }],
  ])
  expect(JSON.stringify(heard)).not.toContain('negativeBalance')
})

test('currency: in use -> cannot change; everything else can', async () => {
  const { status } = await save({ code: 'ars' })
  expect([status, (await all()).values.code]).toEqual([200, 'ARS'])
  await app.database.withTransaction(async ({ client }) => {
    await client.query(`with made as (insert into ledger_entries (id, at, kind, currency, key)
        values (gen_random_uuid(), 0, 'admin_credit', 'ARS', 'k') returning id)
      insert into ledger_legs (entry_id, position, account, amount)
        select id, position, account, amount from made, (values (0, 'platform', -5), (1, 'adjustment', 5)) legs (position, account, amount)`)
  })
  const refused = await save({ code: 'UYU' })
  expect([refused.status, refused.body.fields]).toEqual([400, [{ field: 'code', error: 'currency_in_use' }]])
  expect(await save({ code: 'ARS', symbol: '€' })).toMatchObject({
    status: 200,
    body: { currencyInUse: true },
  })
})

test('live: change by another server -> published, once', async () => {
  const other = createSettingsService({
    database: app.database,
    demo: false,
    cardAvailable: () => false,
    clock: { now: () => 0 },
    maps: straightMaps(),
    mapServices: null,
    voice: null,
    baseMap: null,
  })
  const told: string[] = []
  other.onChange(({ appName }) => told.push(appName))
  await other.current()
  const stop = other.watch()
  await set({ appName: 'Elsewhere' })
  await expect.poll(() => told, { timeout: 10_000 }).toEqual(['Elsewhere'])
  stop()
  await other.current()
  expect(told).toEqual(['Elsewhere'])
})
