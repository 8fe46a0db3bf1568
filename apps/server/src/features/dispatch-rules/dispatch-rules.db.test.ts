import { ruleLimits } from '@hansom/domain/dispatch/rules'
import { defaultSettings } from '@hansom/domain/settings/settings'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../test-app.ts'

let app: TestApp
let bearer: string
beforeAll(async () => {
  app = await createTestApp()
  await app.addUser({ email: 'admin@test.example', usertype: 'admin' })
  bearer = await app.bearer('admin@test.example')
})
afterAll(() => app.close())

const { leadMinutes: _lead, alarmAfter: _alarm, ...figures } = defaultSettings.dispatch
const rule = {
  ...figures,
  strategy: 'batch',
  name: 'Evening rush',
  priority: 10,
  days: ['fri', 'sat'],
  from_hour: 17,
  to_hour: 20,
  area: { lat: -34.9, lng: -56.17, add: 'Centro' },
  area_radius: 2,
}
async function send(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) {
  const headers = { authorization: bearer }
  const answer = await app.server.inject({
    method,
    url: `/api/v1/${path}`,
    headers,
    ...(payload && { payload }),
  })
  return { status: answer.statusCode, body: answer.json() }
}
const names = async () => (await app.services.dispatchRules.current()).map(({ name }) => name)

test('rule added, changed and removed -> dispatch uses it at once, in the order of the numbers', async () => {
  const { status, body } = await send('POST', 'dispatch-rules', rule)
  expect(status).toBe(201)
  expect(body).toMatchObject(rule)
  await send('POST', 'dispatch-rules', { ...rule, name: 'First', priority: 1 })
  expect(await names()).toEqual(['First', 'Evening rush'])
  await send('PATCH', `dispatch-rules/${body.id}`, { version: body.version, name: 'Night', area: null })
  expect(await app.services.dispatchRules.current()).toContainEqual(
    expect.objectContaining({ name: 'Night', area: null }),
  )
  await send('DELETE', `dispatch-rules/${body.id}`)
  expect(await names()).toEqual(['First'])
})

test('invalid rule -> invalid_input with the fields', async () => {
  const { status, body } = await send('POST', 'dispatch-rules', { ...rule, to_hour: 17, waveSeconds: 1 })
  expect(status).toBe(400)
  expect(body).toMatchObject({
    error: 'invalid_input',
    fields: [
      { field: 'to_hour', error: 'same_hour' },
      { field: 'waveSeconds', error: 'out_of_range' },
    ],
  })
})

test('unit of distance converted -> the radii, too', async () => {
  const { body } = await send('POST', 'dispatch-rules', { ...rule, name: 'Converted', area_radius: 16.1 })
  const settings = await send('GET', 'settings/all')
  const changed = await send('PATCH', 'settings', {
    version: settings.body.version,
    convert_to_mile: true,
    convertUnits: true,
  })
  expect(changed.status, JSON.stringify(changed.body)).toBe(200)
  const after = (await app.services.dispatchRules.current()).find(({ id }) => id === body.id)
  expect(after).toMatchObject({ area_radius: 10, firstRadius: 2.5, version: body.version + 1 })
})

test('several rules at once where one more is allowed -> one is added, too_many_rules for the others', async () => {
  const { rows } = await app.database.pool.query<{ count: number }>(
    'select count(*)::int as count from dispatch_rules',
  )
  await app.database.pool.query(
    `insert into dispatch_rules (id, name, priority, days, from_hour, to_hour, area_radius, strategy, wave_size, wave_seconds,
        first_radius, batch_seconds, ageing, fairness, soon_free_minutes, created_at)
      select id, 'More', 500, '{mon}', 0, 24, 1, 'waves', 10, 30, 4, 5, 60, 0, 0, 0 from unnest($1::uuid[]) as id`,
    [Array.from({ length: ruleLimits.rules - 1 - (rows[0]?.count ?? 0) }, () => uuidv7())],
  )
  const answers = await Promise.all([1, 2, 3, 4].map(() => send('POST', 'dispatch-rules', rule)))
  const outcomes = answers.map(({ status, body }) => (status === 201 ? 'added' : body.error)).toSorted()
  expect(outcomes).toEqual(['added', ...Array(3).fill('too_many_rules')])
})
