import type { UserView } from '@hansom/contract/users'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCarType, createScene, type Scene, type SceneUser } from '../../../access-scene.fixture.ts'
import { createTestApp, type TestApp } from '../../../test-app.ts'
import { straightMaps } from '../../bookings/straight-city.fixture.ts'

const secret = 'the secret of the tests of the tables of people'
let app: TestApp
let scene: Scene
let carType: string
beforeAll(async () => {
  app = await createTestApp({ maps: straightMaps(), authSecret: secret, limits: { all: 1e6 } })
  carType = await createCarType(app.database)
  scene = await createScene(app.database, secret, { carType, isAssigned: true })
  const change = (member: SceneUser, columns: object) =>
    app.database.pool.query(
      `update users u set (first_name, last_name, email, mobile, vehicle_number, created_at, wallet_balance) =
        (select first_name, last_name, email, mobile, vehicle_number, created_at, wallet_balance
          from jsonb_populate_record(u, $2)) where id = $1`,
      [scene.ids[member], JSON.stringify(columns)],
    )
  const day = (text: string) => Date.parse(`${text}T12:00:00Z`)
  await change('rider', {
    first_name: 'Émile',
    last_name: 'Zola',
    email: 'c@x.test',
    mobile: '+59899111111',
    created_at: day('2026-03-01'),
    wallet_balance: 300,
  })
  await change('otherRider', {
    first_name: 'eva',
    last_name: 'Sosa',
    email: 'a@x.test',
    created_at: day('2026-03-03'),
    wallet_balance: -100,
  })
  await change('waiting', {
    first_name: 'Fabio',
    last_name: 'Paz',
    email: 'b@x.test',
    created_at: day('2026-03-02'),
    wallet_balance: 200,
  })
  await change('driver', {
    first_name: 'Rosa',
    last_name: 'Luz',
    vehicle_number: 'SBX 4471',
    created_at: day('2026-03-01'),
  })
  await app.database.pool.query('update users set lat = -34.9, lng = -56.17 where id = $1', [
    scene.ids.driver,
  ])
})
afterAll(() => app.close())

async function ask(member: SceneUser, query: string) {
  const get = async (path: string) => {
    const answer = await app.server.inject({
      method: 'GET',
      url: `/api/v1/users${path}?${query}`,
      headers: { authorization: scene.bearers[member] },
    })
    return { status: answer.statusCode, body: answer.json() }
  }
  const [list, count] = [await get(''), await get('/count')]
  const items = (list.body.items ?? []) as UserView[]
  const names = items.map(({ firstName }) => firstName)
  if (list.status === 200) expect(count.body).toEqual({ count: names.length, more: false })
  else expect(count.status === 200 || count.status === list.status).toBe(true)
  return { names, items, status: list.status, error: list.body.error, fields: list.body.fields }
}

describe('user tables', () => {
  test.each([
    ['', ['eva', 'Fabio', 'Émile']],
    ['sort=createdAt', ['Émile', 'Fabio', 'eva']],
    ['sort=name', ['Émile', 'eva', 'Fabio']],
    ['sort=-email', ['Émile', 'Fabio', 'eva']],
    ['sort=walletBalance', ['eva', 'Fabio', 'Émile']],
    ['approved=false', ['Fabio']],
    ['createdAt=2026-03-02..', ['eva', 'Fabio']],
    ['createdAt=..2026-03-01', ['Émile']],
    ['q=emile', ['Émile']],
    ['q=so', ['eva']],
    ['q=os', []],
    ['q=11111', ['Émile']],
    ['q=099+111+111', ['Émile']],
    ['q=%2B598+99-111-111', ['Émile']],
    ['q=0991', ['Émile']],
    ['q=%2B598+99+111+112', []],
    ['q=zola+c@x', ['Émile']],
  ])('admin, riders, query %j -> matching rows in order', async (query, names) => {
    expect((await ask('admin', `usertype=rider&${query}`)).names).toEqual(names)
  })

  test('drivers: filters car type, fleet, online and on a trip -> matching rows', async () => {
    const drivers = (query: string) => ask('admin', `usertype=driver&${query}`)
    expect((await drivers(`car_type_id=${carType}`)).items).toHaveLength(3)
    expect((await drivers(`fleetadmin=${scene.ids.fleetadmin}`)).names).toEqual(['Rosa'])
    expect((await drivers('queue=true')).names).toEqual(['Rosa'])
    expect((await drivers('queue=false')).items).toHaveLength(2)
    expect((await drivers('driverActiveStatus=true')).items).toHaveLength(3)
    expect((await drivers('located=true')).names).toEqual(['Rosa'])
    expect((await drivers('located=false')).items).toHaveLength(2)
    expect((await drivers('q=sbx+44')).names).toEqual(['Rosa'])
    expect((await ask('admin', 'usertype=driver,fleetadmin')).items).toHaveLength(5)
    // Riders are never counted as driving.
    expect((await ask('admin', 'queue=false')).items.every(({ usertype }) => usertype === 'driver')).toBe(
      true,
    )
  })

  test('fleet admin -> their drivers only, and not sorted by balance', async () => {
    expect((await ask('fleetadmin', 'sort=name')).names).toEqual(['Rosa'])
    expect((await ask('fleetadmin', 'usertype=rider')).names).toEqual([])
    expect((await ask('otherFleetadmin', 'q=rosa')).names).toEqual([])
    const refused = { status: 400, error: 'invalid_input' }
    expect(await ask('fleetadmin', 'sort=walletBalance')).toMatchObject({
      ...refused,
      fields: [{ field: 'sort' }],
    })
    const other = `fleetadmin=${scene.ids.otherFleetadmin}`
    expect(await ask('fleetadmin', other)).toMatchObject({ ...refused, fields: [{ field: 'fleetadmin' }] })
  })

  test('demo that hides contacts -> neither searched nor sorted by them', async () => {
    const { settings } = app.services
    await app.database.withTransaction((tx) => settings.update(tx, { AllowCriticalEditsAdmin: false }))
    expect((await ask('admin', 'usertype=rider&q=11111')).names).toEqual([])
    expect((await ask('admin', 'usertype=rider&q=x.test')).names).toEqual([])
    expect((await ask('admin', 'usertype=rider&q=zola')).names).toEqual(['Émile'])
    expect(await ask('admin', 'usertype=rider&sort=email')).toMatchObject({
      status: 400,
      fields: [{ field: 'sort' }],
    })
    await app.database.withTransaction((tx) => settings.update(tx, { AllowCriticalEditsAdmin: true }))
  })

  test('terms with very many matches -> found in the same order', async () => {
    const shared = 'usertype=rider&q=numa&sort=-name&limit=2'
    const { pool } = app.database
    await pool.query(
      `insert into users select (jsonb_populate_record(u, jsonb_build_object('id', gen_random_uuid(),
          'email', n || '@many.test', 'mobile', null, 'referral_id', 'M' || n, 'first_name', 'Numa',
          'last_name', n))).*
        from users u, generate_series(1, 5) n where u.id = $1`,
      [scene.ids.rider],
    )
    // Search rows without users, so that the test need not create thousands of them.
    await pool.query('alter table user_search drop constraint user_search_user_id_users_id_fk')
    await pool.query(
      `insert into user_search select gen_random_uuid(), ' numa', '' from generate_series(1, 10001)`,
    )
    const get = async (path: string) => {
      const headers = { authorization: scene.bearers.admin }
      return (await app.server.inject({ method: 'GET', url: `/api/v1/users${path}`, headers })).json()
    }
    const first = await get(`?${shared}`)
    const second = await get(`?${shared}&cursor=${first.next}`)
    const names = [...first.items, ...second.items].map(({ lastName }: UserView) => lastName)
    expect(names).toEqual(['5', '4', '3', '2'])
    expect(await get('/count?usertype=rider&q=numa')).toEqual({ count: 5, more: false })
  })
})
