import type { AdminCarType, CarType } from '@hansom/contract/car-types'
import { unit } from '@hansom/domain/money/amount'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { gradient } from '../../adapters/storage/port.suite.ts'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { straightMaps } from '../bookings/straight-city.fixture.ts'

let app: TestApp
let admin: { id: string; authorization: string }
beforeAll(async () => {
  app = await createTestApp({ maps: straightMaps() })
  const id = await app.addUser({ email: 'ada@cars.test', usertype: 'admin' })
  admin = { id, authorization: await app.bearer('ada@cars.test') }
})
afterAll(() => app.close())

async function call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) {
  const { authorization } = admin
  const answer = await app.server.inject({
    method,
    url: `/api/v1/car-types${path}`,
    headers: { authorization },
    ...(payload && { payload }),
  })
  return { status: answer.statusCode, body: answer.json() }
}

const fields = {
  base_fare: 20 * unit,
  rate_per_unit_distance: 10 * unit,
  rate_per_hour: 60 * unit,
  min_fare: 50 * unit,
  convenience_fees: 10 * unit,
  convenience_fee_type: 'percentage',
  seats: 4,
} as const

async function add(name: string, changes: object = {}): Promise<AdminCarType> {
  const { status, body } = await call('POST', '', { ...fields, name, ...changes })
  expect([status, body.error]).toEqual([201, undefined])
  return body
}
const listed = async () =>
  (await app.server.inject({ url: '/api/v1/car-types' })).json() as { name: string }[]
const audited = async (id: string) =>
  (await app.database.pool.query('select * from audit_log where subject = $1 order by id', [id])).rows

test('create: new car type -> available immediately, last in the list, in the audit log', async () => {
  await add('First', { position: 3 })
  const made = await add('  Second ', { cancelSlab: [{ minsDelayed: 2, amount: unit }] })
  expect(made).toMatchObject({
    ...fields,
    name: 'Second',
    position: 4,
    version: 1,
    image: null,
    extra_info: '',
  })
  expect((await listed()).map(({ name }) => name)).toEqual(['First', 'Second'])
  expect(await audited(made.id)).toMatchObject([
    { by_user: admin.id, action: 'carTypes.create', kind: 'car_type', label: 'Second', before: null },
  ])
})

test('create: invalid fields and a taken name -> errors by field', async () => {
  await add('Taken')
  const wrong = {
    ...fields,
    name: 'TAKEN',
    min_fare: -1,
    convenience_fees: 101 * unit,
    image: 'https://elsewhere.example/car.png',
    cancelSlab: [
      { minsDelayed: 5, amount: 0 },
      { minsDelayed: 5, amount: 0 },
    ],
  }
  const { status, body } = await call('POST', '', wrong)
  expect([status, body.error]).toEqual([400, 'invalid_input'])
  expect(body.fields).toEqual([
    { field: 'min_fare', error: 'below_zero' },
    { field: 'convenience_fees', error: 'not_a_percentage' },
    { field: 'cancelSlab.1.minsDelayed', error: 'not_ascending' },
    { field: 'image', error: 'not_in_list' },
    { field: 'name', error: 'taken' },
  ])
})

test('translations: saved -> served with the stored name, in the audit log, CSV in the default language', async () => {
  const translations = { ar: { name: 'عائلية', extra_info: '' } }
  const { id } = await add('Family', { translations })
  expect(await listed()).toContainEqual(expect.objectContaining({ name: 'Family', translations }))
  const changed = { ar: { name: 'عائلية كبيرة' }, es: { extra_info: 'Para seis' } }
  const { body } = await call('PATCH', `/${id}`, { version: 1, translations: changed })
  expect(body).toMatchObject({ name: 'Family', translations: changed, version: 2 })
  expect(await audited(id)).toMatchObject([
    { after: { translations: { ar: { name: 'عائلية' } } } },
    { before: { translations: { ar: { name: 'عائلية' } } }, after: { translations: changed } },
  ])
  const { authorization } = admin
  const csv = await app.server.inject({ url: '/api/v1/exports/car-types', headers: { authorization } })
  expect(csv.body).toContain('Family')
  expect(csv.body).not.toContain('عائلية')
})

test('parcel types and options: delivery -> stored, trimmed, copied to bookings, in the audit log and the CSV', async () => {
  const { authorization } = admin
  const csv = async () =>
    (await app.server.inject({ url: '/api/v1/exports/car-types', headers: { authorization } })).body
  const parcelTypes = [
    { description: ' Documents ', amount: 0 },
    { description: 'Large box', amount: 12 * unit, translations: { ar: { description: 'صندوق كبير' } } },
  ]
  const options = [{ description: 'Two people', amount: 30 * unit }]
  const { id, ...made } = await add('Bicycle', { parcelTypes, options })
  const stored = [{ description: 'Documents', amount: 0 }, parcelTypes[1]]
  expect(made).toMatchObject({ parcelTypes: stored, options })
  const { rows } = await app.database.pool.query(
    'select parcel_types, options from car_type_facts where id = $1',
    [id],
  )
  expect(rows).toEqual([{ parcel_types: stored, options }])
  const { body } = await call('PATCH', `/${id}`, { version: 1, options: [] })
  expect(body).toMatchObject({ parcelTypes: stored, options: [] })
  expect(await audited(id)).toMatchObject([
    { after: { parcelTypes: stored, options } },
    { before: { options }, after: { options: null } },
  ])
  expect(await csv()).not.toContain('Large box')
  await app.database.withTransaction((tx) => app.services.settings.update(tx, { category: 'delivery' }))
  expect(await csv()).toContain('"Documents: 0.00; Large box: 12.00"')
  await app.database.withTransaction((tx) => app.services.settings.update(tx, { category: 'taxi' }))
})

test('parcel types: same description, blank or below zero -> refused by line', async () => {
  const extra = (description: string, amount: number) => ({ description, amount })
  const { status, body } = await call('POST', '', {
    ...fields,
    name: 'Refused',
    parcelTypes: [extra('Box', 0), extra('BOX', -1), extra(' ', 0)],
  })
  expect(status).toBe(400)
  expect(body.fields).toEqual([
    { field: 'parcelTypes.1.description', error: 'taken' },
    { field: 'parcelTypes.1.amount', error: 'below_zero' },
    { field: 'parcelTypes.2.description', error: 'required' },
  ])
})

test('translations: unknown locale, long text or another shape -> refused, also by the database', async () => {
  const { id } = await add('Shaped')
  const { body } = await call('PATCH', `/${id}`, {
    version: 1,
    translations: { AR: {}, es: { name: 'x'.repeat(41) } },
  })
  expect(body.fields).toEqual([
    { field: 'translations.AR', error: 'not_a_locale' },
    { field: 'translations.es.name', error: 'too_long' },
  ])
  const wrong = await call('PATCH', `/${id}`, { version: 1, translations: { es: { seats: 'siete' } } })
  expect(wrong.status).toBe(400)
  for (const shape of [[], 'x', { ar: 'x' }, { ar: ['x'] }, { ar: { name: 1 } }, { ar: { name: ['x'] } }]) {
    const stored = app.database.pool.query('update car_types set translations = $2 where id = $1', [
      id,
      JSON.stringify(shape),
    ])
    await expect(stored, JSON.stringify(shape)).rejects.toThrow(/car_types_translations|jsonpath/)
  }
})

test('update: two concurrent changes of one version -> one conflict with the current record', async () => {
  const { id, version } = await add('Contested')
  for (let round = 0; round < 10; round++) {
    const seen = version + round
    const answers = await Promise.all(
      [100, 200].map((n) =>
        call('PATCH', `/${id}`, { version: seen, extra_info: `${round}`, base_fare: (n + round) * unit }),
      ),
    )
    const won = answers.find(({ status }) => status === 200)?.body
    const lost = answers.find(({ status }) => status === 409)?.body
    expect(lost).toMatchObject({ error: 'conflict', data: { current: won } })
    expect(won.version).toBe(seen + 1)
  }
  expect((await audited(id)).length).toBe(11)
})

test('create: two concurrent creations with one name -> one succeeds', async () => {
  const names = ['one', 'two'].map((name) => add(`Racing ${name}`))
  const made = await Promise.all(names)
  const answers = await Promise.all(
    made.map(({ id, version }, index) =>
      call('PATCH', `/${id}`, { version, name: index === 0 ? 'Same' : 'SAME' }),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  expect(answers.find(({ status }) => status === 400)?.body.fields).toEqual([
    { field: 'name', error: 'taken' },
  ])
})

test('update: several changes -> published to all followers in order', async () => {
  const { id } = await add('Followed')
  const publish = vi.spyOn(app.hub, 'publish')
  for (let version = 1; version <= 3; version++) {
    await call('PATCH', `/${id}`, { version, extra_info: `told ${version}` })
    // What is published is the list at that moment, so each change waits for the one before.
    await expect.poll(() => publish.mock.calls.length).toBe(version)
  }
  const told = publish.mock.calls.map(([, list]) => list as CarType[])
  publish.mockRestore()
  expect(told.map((list) => list.find(({ name }) => name === 'Followed')?.extra_info)).toEqual([
    'told 1',
    'told 2',
    'told 3',
  ])
})

test('remove: car type without use -> gone from every list, name is free, row stays', async () => {
  const { id } = await add('Leaving')
  expect((await call('DELETE', `/${id}`)).status).toBe(200)
  expect((await listed()).map(({ name }) => name)).not.toContain('Leaving')
  expect(await app.services.carTypes.find(id)).toBeNull()
  const { body } = await call('GET', '/table?q=leaving')
  expect(body.items).toEqual([])
  expect((await call('DELETE', `/${id}`)).body.error).toBe('not_found')
  expect((await call('PATCH', `/${id}`, { version: 2, seats: 3 })).body.error).toBe('not_found')
  await add('Leaving')
  const { rows } = await app.database.pool.query('select archived_at from car_types where id = $1', [id])
  expect(rows[0].archived_at).toEqual(expect.any(Number))
})

test('remove: with drivers -> car_type_in_use with their number, and archived types accept no drivers', async () => {
  const { id } = await add('Driven')
  const driver = await app.addUser({ email: 'dan@cars.test', usertype: 'driver', car_type_id: id })
  expect(await call('DELETE', `/${id}`)).toMatchObject({
    status: 409,
    body: { error: 'car_type_in_use', data: { drivers: 1, bookings: 0 } },
  })
  await app.database.pool.query(`update users set car_type_id = null where id = $1`, [driver])
  expect((await call('DELETE', `/${id}`)).status).toBe(200)
  const answer = await app.server.inject({
    method: 'PATCH',
    url: `/api/v1/users/${driver}`,
    headers: { authorization: admin.authorization },
    payload: { car_type_id: id, version: 1 },
  })
  expect(answer.json()).toMatchObject({
    error: 'invalid_input',
    fields: [{ field: 'car_type_id', error: 'not_in_list' }],
  })
})

test('remove: drivers added concurrently, ten times -> no driver keeps an archived car type', async () => {
  const outcomes = new Set<string>()
  for (let round = 0; round < 10; round++) {
    const { id } = await add(`Racing ${round}`)
    const driver = await app.addUser({ email: `d${round}@race.test`, usertype: 'driver' })
    const [removed] = await Promise.all([
      call('DELETE', `/${id}`),
      app.database.pool
        .query('update users set car_type_id = $2 where id = $1', [driver, id])
        .catch((error: { constraint?: string }) => {
          expect(error.constraint).toBe('users_car_type_id_car_types_id_fk')
        }),
    ])
    const { rows } = await app.database.pool.query(
      `select u.car_type_id is not null as driven, t.archived_at is not null as gone
        from car_types t left join users u on u.car_type_id = t.id where t.id = $1`,
      [id],
    )
    expect(rows[0]).toEqual({ driven: removed.status === 409, gone: removed.status === 200 })
    outcomes.add(String(removed.status))
  }
  expect(outcomes.size).toBeGreaterThan(0)
})

test('table: sort, search, filter and count -> done by the database', async () => {
  await add('Zebra', { min_fare: 9_000 * unit, extra_info: 'Con tapicería a rayas' })
  const names = async (query: string) =>
    ((await call('GET', `/table?${query}`)).body.items as AdminCarType[]).map(({ name }) => name)
  expect((await names('sort=-min_fare'))[0]).toBe('Zebra')
  expect(await names('q=tapiceria')).toEqual(['Zebra'])
  expect(await names('q=tapiceria&convenience_fee_type=flat')).toEqual([])
  const { body: page } = await call('GET', '/table?sort=name&limit=2')
  const rest = await names(`sort=name&limit=200&cursor=${page.next}`)
  expect([...page.items.map(({ name }: AdminCarType) => name), ...rest]).toEqual(
    await names('sort=name&limit=200'),
  )
  expect((await call('GET', '/count?q=tapiceria')).body).toEqual({ count: 1, more: false })
})

async function upload(path: string, image: Uint8Array, authorization = admin.authorization) {
  const form = new FormData()
  form.append('image', new Blob([image as Uint8Array<ArrayBuffer>], { type: 'image/png' }), 'car.png')
  const request = new Request('http://x', { method: 'PUT', body: form })
  const answer = await app.server.inject({
    method: 'PUT',
    url: `/api/v1/car-types/${path}`,
    headers: { authorization, 'content-type': request.headers.get('content-type') ?? '' },
    payload: Buffer.from(await request.arrayBuffer()),
  })
  return { status: answer.statusCode, body: answer.json() }
}

test('image: upload -> re-encoded, public, replaced under a new URL', async () => {
  const { id } = await add('Pictured', { image: '/cars/van.svg' })
  const picture = await (await gradient(900, 300)).png().toBuffer()
  const first = await upload(`${id}/image?version=1`, picture)
  expect([first.status, first.body.version]).toEqual([200, 2])
  const seen = await app.server.inject({ url: first.body.image })
  expect([seen.statusCode, seen.headers['content-type']]).toEqual([200, 'image/webp'])
  expect(seen.headers['cache-control']).toContain('immutable')
  const second = await upload(`${id}/image?version=2`, picture)
  expect(second.body.image).not.toBe(first.body.image)
  // Bookings keep the old URL.
  expect((await app.server.inject({ url: first.body.image })).statusCode).toBe(200)
  const kept = await call('PATCH', `/${id}`, { version: 3, image: second.body.image, seats: 2 })
  expect([kept.status, kept.body.image]).toEqual([200, second.body.image])
  expect((await call('PATCH', `/${id}`, { version: 4, image: null })).body.image).toBeNull()
})

test('image: no picture, another version or unknown car type -> refused', async () => {
  const { id } = await add('Unpictured')
  const picture = await (await gradient(60, 30)).png().toBuffer()
  expect(await upload(`${id}/image?version=1`, Buffer.from('<svg/>'))).toMatchObject({
    status: 415,
    body: { error: 'unsupported_media', data: { reason: 'format' } },
  })
  expect((await upload(`${id}/image?version=9`, picture)).body).toMatchObject({
    error: 'conflict',
    data: { current: { id, version: 1 } },
  })
  expect((await upload(`${uuidv7()}/image?version=1`, picture)).body.error).toBe('not_found')
  expect((await upload(`x/image?version=1`, picture)).body.error).toBe('invalid_input')
  expect((await upload(`${id}/image`, picture)).body.error).toBe('invalid_input')
  for (const path of [`${id}/images/1`, `${id}/images/x`, `x/images/1`]) {
    expect((await app.server.inject({ url: `/api/v1/car-types/${path}` })).statusCode).toBe(404)
  }
})

test('car types: demo closed for critical edits -> read and exported, not changed', async () => {
  const { id } = await add('Closed')
  const allow = (AllowCriticalEditsAdmin: boolean) =>
    app.database.withTransaction((tx) => app.services.settings.update(tx, { AllowCriticalEditsAdmin }))
  await allow(false)
  const refusals = await Promise.all([
    call('POST', '', { ...fields, name: 'Late' }),
    call('PATCH', `/${id}`, { version: 1, seats: 2 }),
    call('DELETE', `/${id}`),
    upload(`${id}/image?version=1`, new Uint8Array(10)),
  ])
  expect(refusals.map(({ body }) => body.error)).toEqual(Array(4).fill('demo_mode'))
  const file = await app.server.inject({
    url: '/api/v1/exports/car-types?q=closed',
    headers: { authorization: admin.authorization },
  })
  expect([file.statusCode, file.body.split('\n')[1]]).toEqual([200, expect.stringContaining('Closed')])
  await allow(true)
})
