import type { AdminCancelReason } from '@hansom/contract/cancel-reasons'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { straightMaps } from '../bookings/straight-city.fixture.ts'

let app: TestApp
let authorization: string
beforeAll(async () => {
  app = await createTestApp({ maps: straightMaps() })
  await app.addUser({ email: 'ada@reasons.test', usertype: 'admin' })
  authorization = await app.bearer('ada@reasons.test')
})
afterAll(() => app.close())
beforeEach(() => app.database.pool.query('delete from cancel_reasons'))

async function call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) {
  const answer = await app.server.inject({
    method,
    url: `/api/v1/cancel-reasons${path}`,
    headers: { authorization },
    ...(payload && { payload }),
  })
  return { status: answer.statusCode, body: answer.json() }
}

async function add(label: string): Promise<AdminCancelReason> {
  const { status, body } = await call('POST', '', { label })
  expect([status, body.fields]).toEqual([201, undefined])
  return body
}
async function addAll(labels: string): Promise<AdminCancelReason[]> {
  for (const label of labels) await add(label)
  return rows()
}
const rows = async (): Promise<AdminCancelReason[]> => (await call('GET', '/table?limit=200')).body.items
/** The list as riders see it. */
const seen = async () =>
  (
    (await app.server.inject({ url: '/api/v1/cancel-reasons' })).json() as { label: string; value: number }[]
  ).map(({ label, value }) => `${value}${label}`)

test('create: several reasons -> kept in the order added, value is the position', async () => {
  await addAll('abc')
  expect(await seen()).toEqual(['0a', '1b', '2c'])
})

test('table: 12 reasons -> pages of ten, continued by the cursor', async () => {
  await addAll('abcdefghijkl')
  const { body: first } = await call('GET', '/table?limit=10')
  const { body: second } = await call('GET', `/table?limit=10&cursor=${first.next}`)
  expect([first.items.length, second.items.map(({ label }: AdminCancelReason) => label)]).toEqual([
    10,
    ['k', 'l'],
  ])
  expect(second.next).toBeNull()
  expect((await call('GET', '/count')).body).toEqual({ count: 12, more: false })
})

test('label: blank or already used -> invalid_input', async () => {
  const [one, two] = (await addAll('ab')) as [AdminCancelReason, AdminCancelReason]
  const taken = { error: 'invalid_input', fields: [{ field: 'label', error: 'taken' }] }
  expect((await call('POST', '', { label: ' A ' })).body).toMatchObject(taken)
  expect((await call('PATCH', `/${two.id}`, { version: 1, label: 'A' })).body).toMatchObject(taken)
  expect((await call('POST', '', { label: '  ' })).body.fields).toEqual([
    { field: 'label', error: 'required' },
  ])
  expect((await call('PATCH', `/${one.id}`, { version: 1, label: 'A' })).body).toMatchObject({
    label: 'A',
    version: 2,
    value: 0,
  })
})

test('move, remove: a reason -> the others close the gap', async () => {
  const [a, , , d] = (await addAll('abcd')) as [AdminCancelReason, unknown, unknown, AdminCancelReason]
  const moved = await call('POST', `/${d.id}/move`, { to: 0, order: d.order })
  expect(moved.body).toMatchObject({ label: 'd', value: 0, order: d.order + 1 })
  expect(await seen()).toEqual(['0d', '1a', '2b', '3c'])
  await call('DELETE', `/${a.id}`)
  expect(await seen()).toEqual(['0d', '1b', '2c'])
  const { rows: kept } = await app.database.pool.query('select value from cancel_reasons order by value')
  expect(kept.map(({ value }) => value)).toEqual([0, 1, 2])
})

test('move: two concurrent moves of one list -> one conflict', async () => {
  await addAll('abcd')
  for (let round = 0; round < 10; round++) {
    const [first, , , last] = (await rows()) as [AdminCancelReason, unknown, unknown, AdminCancelReason]
    const answers = await Promise.all([
      call('POST', `/${first.id}/move`, { to: 3, order: first.order }),
      call('POST', `/${last.id}/move`, { to: 1, order: last.order }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const lost = answers.find(({ status }) => status === 409)?.body
    expect(lost).toMatchObject({ error: 'conflict', data: { current: { order: first.order + 1 } } })
  }
})

test('move: entries added and removed meanwhile -> one consistent list', async () => {
  const [a, b, c] = (await addAll('abc')) as [AdminCancelReason, AdminCancelReason, AdminCancelReason]
  await Promise.all([
    call('POST', '', { label: 'x' }),
    call('POST', '', { label: 'y' }),
    call('DELETE', `/${b.id}`),
    call('POST', `/${c.id}/move`, { to: 0, order: c.order }),
    call('PATCH', `/${a.id}`, { version: 1, label: 'A' }),
  ])
  const list = await rows()
  expect(list.map(({ value }) => value)).toEqual([0, 1, 2, 3])
  expect(list.map(({ label }) => label).sort()).toEqual(['A', 'c', 'x', 'y'])
})

test('update: two concurrent renames of one version -> one conflict with the current record', async () => {
  const { id } = await add('contested')
  for (let version = 1; version <= 10; version++) {
    const answers = await Promise.all(
      ['one', 'two'].map((word) => call('PATCH', `/${id}`, { version, label: `${word} ${version}` })),
    )
    const won = answers.find(({ status }) => status === 200)?.body
    const lost = answers.find(({ status }) => status === 409)?.body
    expect(lost).toMatchObject({ error: 'conflict', data: { current: won } })
  }
})

test('update, move, remove: unknown reason -> not_found', async () => {
  const id = uuidv7()
  for (const [method, path, payload] of [
    ['PATCH', `/${id}`, { version: 1, label: 'x' }],
    ['POST', `/${id}/move`, { to: 0, order: 0 }],
    ['DELETE', `/${id}`, undefined],
  ] as const) {
    expect((await call(method, path, payload)).body.error).toBe('not_found')
  }
})

test('update: any change -> in the audit log and published to followers', async () => {
  const publish = vi.spyOn(app.hub, 'publish')
  // What is published is the list at that moment, so each change waits for the one before.
  const published = (times: number) => expect.poll(() => publish.mock.calls.length).toBe(times)
  const { id, order } = await add('told')
  await published(1)
  await call('PATCH', `/${id}`, { version: 1, label: 'told again' })
  await published(2)
  await call('POST', `/${id}/move`, { to: 0, order })
  await published(3)
  await call('DELETE', `/${id}`)
  await published(4)
  expect(publish.mock.calls.map(([channel, list]) => [channel, (list as unknown[]).length])).toEqual([
    ['cancelReasons|everybody', 1],
    ['cancelReasons|everybody', 1],
    ['cancelReasons|everybody', 1],
    ['cancelReasons|everybody', 0],
  ])
  publish.mockRestore()
  const { rows: kept } = await app.database.pool.query(
    'select action, label, before, after from audit_log where subject = $1 order by id',
    [id],
  )
  // A move to the same position publishes nothing.
  expect(kept).toEqual([
    { action: 'cancelReasons.create', label: 'told', before: null, after: { label: 'told', value: 0 } },
    {
      action: 'cancelReasons.update',
      label: 'told again',
      before: { label: 'told' },
      after: { label: 'told again' },
    },
    {
      action: 'cancelReasons.remove',
      label: 'told again',
      before: { label: 'told again', value: 0 },
      after: null,
    },
  ])
})

test('translations: saved with or without the label -> served to riders', async () => {
  const { status, body } = await call('POST', '', { label: 'late', translations: { ar: { label: 'متأخر' } } })
  expect([status, body.translations]).toEqual([201, { ar: { label: 'متأخر' } }])
  const translations = { ar: { label: 'تأخر كثيرًا' }, es: { label: 'tarde' } }
  const changed = await call('PATCH', `/${body.id}`, { version: 1, translations })
  expect(changed.body).toMatchObject({ label: 'late', translations, version: 2 })
  expect((await app.server.inject({ url: '/api/v1/cancel-reasons' })).json()).toEqual([
    { label: 'late', value: 0, translations },
  ])
  const long = { version: 2, translations: { es: { label: 'x'.repeat(121) } } }
  expect((await call('PATCH', `/${body.id}`, long)).body.fields).toEqual([
    { field: 'translations.es.label', error: 'too_long' },
  ])
})

test('translations: two admins at once -> one conflict with the current record', async () => {
  const { id } = await add('translated twice')
  for (let version = 1; version <= 10; version++) {
    const answers = await Promise.all(
      ['uno', 'dos'].map((word) =>
        call('PATCH', `/${id}`, { version, translations: { es: { label: `${word} ${version}` } } }),
      ),
    )
    const won = answers.find(({ status }) => status === 200)?.body
    const lost = answers.find(({ status }) => status === 409)?.body
    expect(lost).toMatchObject({ error: 'conflict', data: { current: won } })
  }
})

test('list: empty -> no_cancel_reason', async () => {
  const answer = await app.server.inject({ url: '/api/v1/cancel-reasons' })
  expect([answer.statusCode, answer.json().error]).toEqual([404, 'no_cancel_reason'])
})
