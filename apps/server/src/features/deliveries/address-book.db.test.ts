import { maxRecipients } from '@hansom/domain/deliveries/delivery'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp, testPassword } from '../../test-app.ts'
import { straightMaps } from '../bookings/straight-city.fixture.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ category: 'delivery', maps: straightMaps() })
  await app.start()
})
afterAll(() => app.close())

const url = '/api/v1/me/recipients'
const ada = {
  person: 'Ada Núñez',
  phone: '099 111 222',
  email: '',
  instructions: 'Ring twice',
  place: { lat: -34.9, lng: -56.16, add: 'Rambla 1' },
}

let senders = 0
async function sender() {
  const email = `sender-${(senders += 1)}@x.test`
  const uid = await app.addUser({ email, usertype: 'rider' })
  const authorization = await app.bearer(email)
  const call = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path = url, payload?: object) => {
    const answer = await app.server.inject({
      method,
      url: path,
      headers: { authorization },
      ...(payload && { payload }),
    })
    return { status: answer.statusCode, body: answer.json() }
  }
  return { uid, call }
}

test('add: the same recipient in parallel -> stored once; found without accents, by phone and address', async () => {
  const { call } = await sender()
  const both = await Promise.all([1, 2, 3].map(() => call('POST', url, ada)))
  expect(new Set(both.map(({ body }) => body.id)).size).toBe(1)
  for (const q of ['nunez', '111', 'rambla']) {
    const { body } = await call('GET', `${url}?q=${q}`)
    expect(body.items).toMatchObject([{ person: 'Ada Núñez', email: null, instructions: 'Ring twice' }])
  }
  expect((await call('GET', `${url}?q=zz`)).body.items).toEqual([])
})

test('add: no phone number, or no name -> invalid_input', async () => {
  const { call } = await sender()
  for (const wrong of [{ phone: 'none' }, { person: ' ' }, { email: 'ada' }]) {
    expect((await call('POST', url, { ...ada, ...wrong })).body.error).toBe('invalid_input')
  }
})

test('change and remove: own recipients only; a removed one is gone', async () => {
  const owner = await sender()
  const stranger = await sender()
  const { body } = await owner.call('POST', url, ada)
  const path = `${url}/${body.id}`
  expect((await stranger.call('PUT', path, ada)).status).toBe(404)
  expect((await stranger.call('DELETE', path)).status).toBe(404)
  const ben = { ...ada, person: 'Ben', email: 'ben@x.test' }
  expect((await owner.call('PUT', path, ben)).body).toMatchObject({ person: 'Ben', email: 'ben@x.test' })
  const other = await owner.call('POST', url, ada)
  expect((await owner.call('PUT', `${url}/${other.body.id}`, ben)).body).toMatchObject({
    error: 'invalid_input',
    fields: [{ field: 'person', error: 'taken' }],
  })
  expect((await owner.call('DELETE', path)).body).toEqual({ ok: true })
  expect((await owner.call('DELETE', path)).status).toBe(404)
  expect((await owner.call('GET')).body.items).toMatchObject([{ id: other.body.id }])
})

test('limit: full book, several at once -> exactly the limit is stored; pages show each recipient once', async () => {
  const { uid, call } = await sender()
  await app.database.pool.query(
    `insert into address_book (id, user_id, person, phone, place)
      select gen_random_uuid(), $1, 'Person ' || n, '099 000 000', '{"lat":0,"lng":0,"add":"x"}' from generate_series(1, $2) n`,
    [uid, maxRecipients - 1],
  )
  const answers = await Promise.all([1, 2, 3].map((n) => call('POST', url, { ...ada, person: `New ${n}` })))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  expect(answers.find(({ status }) => status === 409)?.body.error).toBe('too_many_recipients')
  const seen = new Set<string>()
  let cursor: string | null = ''
  do {
    const { body }: { body: { items: { id: string }[]; next: string | null } } = await call(
      'GET',
      cursor ? `${url}?cursor=${cursor}` : url,
    )
    for (const { id } of body.items) seen.add(id)
    cursor = body.next
  } while (cursor)
  expect(seen.size).toBe(maxRecipients)
})

test('account: the data export contains the address book; a deletion removes it', async () => {
  const { uid, call } = await sender()
  await call('POST', url, ada)
  expect((await call('GET', '/api/v1/me/data')).body.addressBook).toMatchObject([{ person: 'Ada Núñez' }])
  expect((await call('POST', '/api/v1/me/deletion', { password: testPassword })).status).toBe(200)
  const { rows } = await app.database.pool.query('select from address_book where user_id = $1', [uid])
  expect(rows).toEqual([])
})
