import type { PromoView } from '@hansom/contract/promos'
import { unit } from '@hansom/domain/money/amount'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { straightMaps } from '../bookings/straight-city.fixture.ts'

let app: TestApp
let admin: { id: string; authorization: string }
beforeAll(async () => {
  app = await createTestApp({ maps: straightMaps() })
  const id = await app.addUser({ email: 'ada@promos.test', usertype: 'admin' })
  admin = { id, authorization: await app.bearer('ada@promos.test') }
})
afterAll(() => app.close())

async function call(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  payload?: object,
  headers: object = {},
) {
  const answer = await app.server.inject({
    method,
    url: `/api/v1/promos${path}`,
    headers: { authorization: admin.authorization, ...headers },
    ...(payload && { payload }),
  })
  return { status: answer.statusCode, body: answer.json() }
}

const day = 86_400_000
const fields = (changes: object = {}) => ({
  promo_discount_type: 'flat',
  promo_discount_value: 50 * unit,
  promo_validity: Date.now() + day,
  promo_usage_limit: 10,
  ...changes,
})

async function add(promo_name: string, changes: object = {}): Promise<PromoView> {
  const { status, body } = await call('POST', '', fields({ promo_name, ...changes }))
  expect([status, body.fields]).toEqual([201, undefined])
  return body
}

/** Reserves or releases a use, like a booking. */
const use = (id: string, uses = 1) =>
  app.database.pool.query('update promos set user_avail = user_avail + $2 where id = $1', [id, uses])
const audited = async (id: string) =>
  (await app.database.pool.query('select * from audit_log where subject = $1 order by id', [id])).rows

test('create -> found by its code, written to the audit log', async () => {
  const made = await add(' Salvo ', { user_avail: undefined })
  expect(made).toMatchObject({ promo_name: 'Salvo', user_avail: 0, version: 1, min_order: 0 })
  expect(await app.services.promos.findByCode('SALVO')).toMatchObject({ id: made.id })
  expect(await audited(made.id)).toMatchObject([
    { by_user: admin.id, action: 'promos.create', kind: 'promo', label: 'Salvo', before: null },
  ])
})

test('create, remove: repeated with the same key -> done once', async () => {
  const key = { 'idempotency-key': uuidv7() }
  const given = fields({ promo_name: 'Repeated' })
  const [first, second] = [await call('POST', '', given, key), await call('POST', '', given, key)]
  expect([first.status, second.status, second.body]).toEqual([201, 201, first.body])
  const other = await call('POST', '', { ...given, promo_name: 'Other' }, key)
  expect(other.body.error).toBe('idempotency_mismatch')
  const removal = { 'idempotency-key': uuidv7() }
  for (let time = 0; time < 2; time++) {
    expect((await call('DELETE', `/${first.body.id}`, undefined, removal)).status).toBe(200)
  }
  expect((await audited(first.body.id)).map(({ action }) => action)).toEqual([
    'promos.create',
    'promos.remove',
  ])
})

describe('update of an outdated version', () => {
  test('other fields changed since -> merged', async () => {
    const { id } = await add('Merged')
    await call('PATCH', `/${id}`, { version: 1, min_order: 5 * unit })
    await call('PATCH', `/${id}`, { version: 2, promo_usage_limit: 20 })
    const { status, body } = await call('PATCH', `/${id}`, { version: 1, promo_description: 'For the beach' })
    expect([status, body]).toMatchObject([
      200,
      { version: 4, min_order: 5 * unit, promo_usage_limit: 20, promo_description: 'For the beach' },
    ])
  })

  test('same field -> conflict with its author, and this field with both values', async () => {
    const { id } = await add('Clashing')
    await app.addUser({ email: 'bo@promos.test', usertype: 'admin', firstName: 'Bo', lastName: 'Berg' })
    const { body: theirs } = await call(
      'PATCH',
      `/${id}`,
      { version: 1, min_order: 5 * unit, promo_usage_limit: 20 },
      { authorization: await app.bearer('bo@promos.test') },
    )
    await call('PATCH', `/${id}`, { version: 2, promo_description: 'For the beach' })
    const yours = {
      version: 1,
      min_order: 9 * unit,
      promo_usage_limit: 20,
      promo_description: 'For the beach',
    }
    const { status, body } = await call('PATCH', `/${id}`, yours)
    expect([status, body.error]).toEqual([409, 'conflict'])
    expect(body.data).toEqual({
      current: { ...theirs, promo_description: 'For the beach', version: 3 },
      by: 'Bo Berg',
      fields: [{ field: 'min_order', theirs: 5 * unit, yours: 9 * unit }],
    })
  })

  test('same values -> no new version', async () => {
    const { id } = await add('Equal')
    const { body: first } = await call('PATCH', `/${id}`, { version: 1, min_order: 5 * unit })
    const { status, body } = await call('PATCH', `/${id}`, { version: 1, min_order: 5 * unit })
    expect([status, body]).toEqual([200, first])
    expect(await audited(id)).toHaveLength(2)
  })

  test('a change without an audit row -> conflict without an author', async () => {
    const { id } = await add('Unlogged')
    await app.database.pool.query('update promos set min_order = 1, version = 2 where id = $1', [id])
    const { body } = await call('PATCH', `/${id}`, { version: 1, min_order: 5 * unit })
    expect(body.data).toMatchObject({ by: null, fields: [{ field: 'min_order', theirs: 1 }] })
  })
})

test('create: user_avail set -> invalid_input', async () => {
  const { status, body } = await call('POST', '', fields({ promo_name: 'Counted', user_avail: 3 }))
  expect([status, body.error]).toEqual([400, 'invalid_input'])
})

test('create: several invalid fields, name taken in another case -> each named', async () => {
  await add('Once')
  const { status, body } = await call(
    'POST',
    '',
    fields({ promo_name: 'ONCE', max_promo_discount_value: 1, min_order: -1, promo_validity: 1 }),
  )
  expect([status, body.error]).toEqual([400, 'invalid_input'])
  expect(body.fields).toEqual([
    { field: 'max_promo_discount_value', error: 'above_cap' },
    { field: 'min_order', error: 'below_zero' },
    { field: 'promo_validity', error: 'in_the_past' },
    { field: 'promo_name', error: 'taken' },
  ])
})

test('create: same name three times at once -> created once', async () => {
  const answers = await Promise.all(
    ['twin', 'TWIN', 'Twin'].map((promo_name) => call('POST', '', fields({ promo_name }))),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400])
})

test('update: one version twice at once -> the loser gets conflict with the current record', async () => {
  const { id } = await add('Contested')
  for (let version = 1; version <= 10; version++) {
    const answers = await Promise.all(
      [1, 2].map((n) => call('PATCH', `/${id}`, { version, min_order: (10 * n + version) * unit })),
    )
    const won = answers.find(({ status }) => status === 200)?.body
    const lost = answers.find(({ status }) => status === 409)?.body
    expect(lost).toMatchObject({ error: 'conflict', data: { current: won } })
  }
})

test('update: limit below uses, also with concurrent uses -> refused', async () => {
  const { id } = await add('Limited', { promo_usage_limit: 100 })
  for (let round = 1; round <= 15; round++) {
    const [answer, used] = await Promise.all([
      call('PATCH', `/${id}`, { version: round, promo_usage_limit: round }),
      use(id).then(
        () => true,
        () => false,
      ),
    ])
    expect([200, 400]).toContain(answer.status)
    const { rows } = await app.database.pool.query(
      'select user_avail, promo_usage_limit, version from promos where id = $1',
      [id],
    )
    expect(rows[0].user_avail).toBeLessThanOrEqual(rows[0].promo_usage_limit)
    // At least one of them succeeds when they meet at the limit.
    expect(used || answer.status === 200).toBe(true)
    await app.database.pool.query(
      'update promos set user_avail = $2, promo_usage_limit = 100, version = $3 where id = $1',
      [id, round, round + 1],
    )
  }
  const { body } = await call('PATCH', `/${id}`, { version: 16, promo_usage_limit: 14 })
  expect(body.fields).toEqual([{ field: 'promo_usage_limit', error: 'below_uses' }])
})

test('update: used by a booking since it was read -> saved', async () => {
  const { id } = await add('Used meanwhile')
  await use(id)
  const { status, body } = await call('PATCH', `/${id}`, { version: 1, promo_description: 'New' })
  expect([status, body.user_avail, body.version]).toEqual([200, 1, 2])
})

test('remove -> neither found nor usable; its uses can be released', async () => {
  const { id } = await add('Leaving')
  await use(id, 2)
  expect((await call('DELETE', `/${id}`)).status).toBe(200)
  expect(await app.services.promos.findByCode('leaving')).toBeNull()
  expect((await call('GET', '?q=leaving')).body.items).toEqual([])
  await expect(use(id)).rejects.toMatchObject({ code: 'HN005' })
  await use(id, -1)
  expect((await call('PATCH', `/${id}`, { version: 2, min_order: 0 })).body.error).toBe('not_found')
  expect((await call('DELETE', `/${uuidv7()}`)).body.error).toBe('not_found')
  await add('Leaving')
  expect((await audited(id)).map(({ action, after }) => [action, after])).toMatchObject([
    ['promos.create', { promo_name: 'Leaving' }],
    ['promos.remove', null],
  ])
})

test('list: sort, search, filter by city days, count -> matching promos', async () => {
  const at = Date.UTC(2031, 4, 10, 12)
  await add('Autumn leaves', { promo_validity: at, promo_description: 'Para el otoño' })
  await add('Autumn wind', {
    promo_validity: at + day,
    promo_discount_type: 'percentage',
    promo_discount_value: 100_000,
  })
  const names = async (query: string) =>
    ((await call('GET', `?${query}`)).body.items as PromoView[]).map(({ promo_name }) => promo_name)
  expect(await names('q=autumn&sort=-promo_name')).toEqual(['Autumn wind', 'Autumn leaves'])
  expect(await names('q=otono')).toEqual(['Autumn leaves'])
  expect(await names('promo_validity=2031-05-10..2031-05-10')).toEqual(['Autumn leaves'])
  expect(await names('q=autumn&promo_discount_type=percentage')).toEqual(['Autumn wind'])
  expect((await call('GET', '/count?promo_validity=2031-05-01..2031-05-31')).body).toEqual({
    count: 2,
    more: false,
  })
  const first = (await call('GET', '?sort=promo_name&limit=1')).body
  expect((await names(`sort=promo_name&limit=1&cursor=${first.next}`))[0]).not.toBe(first.items[0].promo_name)
})

test('export: critical edits on -> file; off -> demo_mode', async () => {
  await add('=FILED', { promo_validity: Date.UTC(2033, 0, 1) })
  const file = () =>
    app.server.inject({
      url: '/api/v1/exports/promos?q=filed',
      headers: { authorization: admin.authorization },
    })
  const { statusCode, body } = await file()
  expect(statusCode).toBe(200)
  expect(body.split('\n')[0]).toContain('Valid until')
  expect(body.split('\n')[1]).toMatch(/^"?'=FILED/)
  const allow = (AllowCriticalEditsAdmin: boolean) =>
    app.database.withTransaction((tx) => app.services.settings.update(tx, { AllowCriticalEditsAdmin }))
  await allow(false)
  expect((await file()).json().error).toBe('demo_mode')
  const { id } = await add('Unguarded')
  expect((await call('PATCH', `/${id}`, { version: 1, min_order: 1 })).status).toBe(200)
  expect((await call('DELETE', `/${id}`)).body.error).toBe('demo_mode')
  await allow(true)
})
