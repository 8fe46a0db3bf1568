import type { AddressInfo } from 'node:net'
import type { ServerFrame } from '@hansom/contract/live'
import { beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { TestClient } from '../../../platform/live/test-live.ts'
import type { TestApp } from '../../../test-app.ts'
import { usersScene } from './users.fixture.ts'

const scene = usersScene()
const { user, call, row, booking } = scene
let app: TestApp
let admin: string
let adminId: string
beforeAll(() => void ({ app, admin, adminId } = scene))

test('user: ratings -> the average and the raters, newest first', async () => {
  const driver = await app.addUser({ email: 'rated@x.test', usertype: 'driver' })
  const raters = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']
  await app.database.pool.query(
    `insert into user_ratings (booking_id, user_id, rated_by, rate, at)
      select gen_random_uuid(), $1, r.id, r.number + 3, r.number
      from unnest($2::uuid[]) with ordinality r(id, number)`,
    [driver, raters],
  )
  await app.database.pool.query('update users set rating_sum = 9, rating_count = 2 where id = $1', [driver])
  expect((await call('GET', `/api/v1/users/${driver}`, admin)).body).toMatchObject({
    ratings: {
      userrating: 4.5,
      details: [
        { user: raters[1], rate: 5 },
        { user: raters[0], rate: 4 },
      ],
    },
  })
})

describe('add', () => {
  test('admin adds a rider -> approved, and invited by email', async () => {
    const added = await call('POST', '/api/v1/users', admin, {
      usertype: 'rider',
      firstName: ' Eva ',
      lastName: 'Sosa',
      email: 'Eva@X.test',
      mobile: '+59899123456',
    })
    expect(added.status).toBe(201)
    expect(added.body).toMatchObject({
      firstName: 'Eva',
      email: 'eva@x.test',
      approved: true,
      createdByAdmin: true,
      commands: ['update', 'remove', 'disapprove', 'change_type', 'correct_contact', 'invite'],
    })
    await expect
      .poll(
        async () =>
          (await app.database.pool.query(`select kind from outbox_messages where "to" = 'eva@x.test'`)).rows,
      )
      .toEqual([{ kind: 'invitation' }])
    const { rows } = await app.database.pool.query(
      `select params from outbox_messages where "to" = 'eva@x.test'`,
    )
    const token = new URL(rows[0].params.link).searchParams.get('token')
    await call('POST', '/api/v1/invitation/accept', null, { token, password: 'abc123' })
    const signedIn = await call('POST', '/api/auth/sign-in/email', null, {
      email: 'eva@x.test',
      password: 'abc123',
    })
    expect(signedIn.status).toBe(200)
    const now = await call('GET', `/api/v1/users/${added.body.uid}`, admin)
    expect(now.body.commands).not.toContain('invite')
    expect((await call('POST', `/api/v1/users/${added.body.uid}/invite`, admin, {})).body.error).toBe(
      'wrong_status',
    )
  })

  test('taken email or mobile -> user_exists, also when added concurrently', async () => {
    const input = {
      usertype: 'rider',
      firstName: 'A',
      lastName: 'B',
      email: 'twin@x.test',
      mobile: '+59899777777',
    }
    const both = await Promise.all([
      call('POST', '/api/v1/users', admin, input),
      call('POST', '/api/v1/users', admin, { ...input, email: 'other-twin@x.test' }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(both.find(({ status }) => status === 409)?.body.error).toBe('user_exists')
  })

  test.each([
    [{ firstName: '  ' }, 'proper_input_name'],
    [{ email: 'no address' }, 'proper_email'],
    [{ mobile: '09912' }, 'mobile_no_blank_error'],
    [{ approved: false }, 'invalid_input'],
    [{ walletBalance: 5 }, 'invalid_input'],
    [{ car_type_id: '0192f5d4-7b1c-7c3d-8e2f-1a2b3c4d5e6f' }, 'invalid_input'],
  ])('invalid input %j -> refused', async (changes, error) => {
    const input = { usertype: 'driver', firstName: 'A', lastName: 'B', email: 'fresh@x.test', ...changes }
    expect((await call('POST', '/api/v1/users', admin, input)).body.error).toBe(error)
  })

  test("fleet admin adds a driver -> joins the fleet, waits for an admin's approval", async () => {
    const fleet = await user('fleetadmin')
    const input = {
      usertype: 'driver',
      firstName: 'Dan',
      lastName: 'D',
      email: 'dan@x.test',
      vehicleNumber: 'STX 1',
    }
    const added = await call('POST', '/api/v1/users', fleet.bearer, input)
    expect(added.body).toMatchObject({
      approved: false,
      fleetadmin: fleet.uid,
      driverActiveStatus: true,
      walletBalance: null,
      bankAccount: null,
      referralId: null,
      commands: ['update', 'remove', 'invite'],
    })
    const { uid } = added.body
    expect((await call('POST', `/api/v1/users/${uid}/approve`, fleet.bearer, {})).status).toBe(404)
    expect(
      (await call('POST', '/api/v1/users', fleet.bearer, { ...input, usertype: 'rider' })).body.error,
    ).toBe('invalid_input')
    const bank = { ...input, email: 'bank@x.test', bankAccount: '1' }
    expect((await call('POST', '/api/v1/users', fleet.bearer, bank)).body.error).toBe('invalid_input')
    expect((await call('POST', `/api/v1/users/${uid}/approve`, admin, {})).body.approved).toBe(true)
  })
})

describe('change', () => {
  test('two concurrent changes of one version -> one conflict with the current record and its author', async () => {
    const { uid } = await user('driver')
    const author = (await call('GET', '/api/v1/me', admin)).body
    const { version } = (await call('GET', `/api/v1/users/${uid}`, admin)).body
    const both = await Promise.all(
      ['X', 'Y'].map((lastName) => call('PATCH', `/api/v1/users/${uid}`, admin, { lastName, version })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const [first, second] = [200, 409].map((wanted) => both.find(({ status }) => status === wanted)?.body)
    const theirs = first?.lastName
    expect(second).toMatchObject({
      error: 'conflict',
      data: {
        current: first,
        by: `${author.firstName} ${author.lastName}`,
        fields: [{ field: 'lastName', theirs, yours: theirs === 'X' ? 'Y' : 'X' }],
      },
    })
  })

  test('changes of other fields since the version was read -> both are stored', async () => {
    const fleet = await user('fleetadmin')
    const { uid } = await user('driver')
    const { version } = (await call('GET', `/api/v1/users/${uid}`, admin)).body
    await call('PATCH', `/api/v1/users/${uid}`, admin, { lastName: 'New', version })
    const assigned = { fleetadmin: fleet.uid, version }
    await call('POST', `/api/v1/users/${uid}/assign-fleet`, admin, assigned)
    const last = await call('PATCH', `/api/v1/users/${uid}`, admin, { vehicleNumber: 'SBX 1', version })
    expect(last).toMatchObject({
      status: 200,
      body: { lastName: 'New', fleetadmin: fleet.uid, vehicleNumber: 'SBX 1', version: version + 3 },
    })
  })

  test("driver's plate removed -> required; changed, or missing before -> stored", async () => {
    const { uid } = await user('driver')
    const change = async (changes: object) => {
      const { version } = (await call('GET', `/api/v1/users/${uid}`, admin)).body
      return call('PATCH', `/api/v1/users/${uid}`, admin, { ...changes, version })
    }
    expect((await change({ vehicleNumber: '', other_info: 'Blue' })).status).toBe(200)
    expect((await change({ vehicleNumber: 'SBX 2' })).status).toBe(200)
    const refused = await change({ vehicleNumber: ' ', lastName: 'New' })
    expect(refused).toMatchObject({
      status: 400,
      body: { error: 'invalid_input', fields: [{ field: 'vehicleNumber', error: 'required' }] },
    })
    const changed = await change({ vehicleNumber: 'SBX 3', other_info: null })
    expect(changed.body).toMatchObject({ vehicleNumber: 'SBX 3', other_info: null })
  })

  test('approval of a version that another admin has changed since -> conflict with the author', async () => {
    const { uid } = await user('driver', { approved: false })
    const { version } = (await call('GET', `/api/v1/users/${uid}`, admin)).body
    await call('PATCH', `/api/v1/users/${uid}`, admin, {
      vehicleNumber: 'SBX 2',
      preferredName: 'Beto',
      version,
    })
    interface Conflict {
      data: { by: string }
    }
    const late = await call<Conflict>('POST', `/api/v1/users/${uid}/approve`, admin, { version })
    expect(late).toMatchObject({
      status: 409,
      body: { error: 'conflict', data: { current: { vehicleNumber: 'SBX 2', approved: false }, fields: [] } },
    })
    expect(late.body.data.by).toEqual(expect.any(String))
    const found = await call<{ items: { uid: string }[] }>(
      'GET',
      '/api/v1/users?usertype=driver&q=beto',
      admin,
    )
    expect(found.body.items.map((one) => one.uid)).toContain(uid)
  })

  test('conflict of a field that the fleet admin may not write -> its value is not shown', async () => {
    const fleet = await user('fleetadmin')
    const { uid } = await user('driver', { fleetadmin: fleet.uid })
    const { version } = (await call('GET', `/api/v1/users/${uid}`, admin)).body
    await call('PATCH', `/api/v1/users/${uid}`, admin, { bankAccount: '12345678', version })
    const changes = { bankAccount: '1', version }
    const refused = await call('PATCH', `/api/v1/users/${uid}`, fleet.bearer, changes)
    expect(refused.body.error).toBe('invalid_input')
    expect(JSON.stringify(refused.body)).not.toContain('12345678')
  })

  test.each([
    'approved',
    'usertype',
    'walletBalance',
    'fleetadmin',
    'queue',
    'rating_sum',
    'pushToken',
    'email',
  ])('field %s -> not writable', async (field) => {
    const { uid, bearer } = await user('driver')
    const before = await row(uid)
    for (const [url, who] of [
      [`/api/v1/users/${uid}`, admin],
      ['/api/v1/me', bearer],
    ] as const) {
      const answer = await call('PATCH', url, who, { lastName: 'Z', [field]: before[field] ?? true })
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_input'])
    }
    expect(await row(uid)).toEqual(before)
  })

  test('right withdrawn -> sessions and open connections end', async () => {
    for (const [command, body] of [
      ['disapprove', {}],
      ['change-type', { usertype: 'rider' }],
    ] as const) {
      const driver = await user('driver')
      const { port } = app.server.server.address() as AddressInfo
      const headers = { authorization: driver.bearer }
      const client = new TestClient(new WebSocket(`ws://127.0.0.1:${port}/live`, { headers }))
      await client.frame('hello')
      await client.follow('requests')
      expect((await call('POST', `/api/v1/users/${driver.uid}/${command}`, admin, body)).status).toBe(200)
      const end = await Promise.race([
        client.closed,
        client.frame('err').then((frame: ServerFrame) => frame.t),
      ])
      expect([4401, 'err']).toContain(end)
      client.ws.terminate()
      const after = async () => (await call('GET', '/api/v1/bookings', driver.bearer)).body.error
      await expect.poll(after).toBe('not_logged_in')
    }
  })

  test('user with a trip in progress -> approval, type and account unchanged', async () => {
    const rider = await user('rider')
    const driver = await user('driver')
    const id = await booking(rider.uid, driver.uid, 'STARTED')
    for (const { uid } of [rider, driver]) {
      expect((await call('POST', `/api/v1/users/${uid}/disapprove`, admin, {})).body.error).toBe(
        'open_booking',
      )
      const type = { usertype: 'fleetadmin' }
      expect((await call('POST', `/api/v1/users/${uid}/change-type`, admin, type)).body.error).toBe(
        'open_booking',
      )
      expect((await call('DELETE', `/api/v1/users/${uid}`, admin)).body.error).toBe('open_booking')
    }
    await app.database.pool.query(`update bookings set status = 'PENDING' where id = $1`, [id])
    expect((await call('DELETE', `/api/v1/users/${rider.uid}`, admin)).body.error).toBe('unpaid_booking')
    expect((await call('POST', `/api/v1/users/${rider.uid}/disapprove`, admin, {})).status).toBe(200)
  })

  test('fleet admin changes type -> drivers without a fleet', async () => {
    const fleet = await user('fleetadmin')
    const driver = await user('driver')
    const url = `/api/v1/users/${driver.uid}/assign-fleet`
    expect((await call('POST', url, admin, { fleetadmin: adminId })).status).toBe(404)
    expect((await call('POST', url, admin, { fleetadmin: fleet.uid })).body.fleetadmin).toBe(fleet.uid)
    expect((await call('GET', `/api/v1/users/${driver.uid}`, fleet.bearer)).status).toBe(200)
    const type = { usertype: 'rider' }
    expect((await call('POST', `/api/v1/users/${fleet.uid}/change-type`, admin, type)).body.usertype).toBe(
      'rider',
    )
    expect((await row(driver.uid)).fleetadmin).toBeNull()
  })

  test('last two admins disapprove each other concurrently -> one stays', async () => {
    const round = async (command: (uid: string) => { method: string; url: string; body?: object }) => {
      const pair = [await user('admin'), await user('admin')] as const
      await app.database.pool.query(
        `update users set approved = false where usertype = 'admin' and id <> all($1)`,
        [pair.map(({ uid }) => uid)],
      )
      const [a, b] = pair
      const give = (to: { uid: string }, by: { bearer: string }) => {
        const { method, url, body } = command(to.uid)
        return call(method, url, by.bearer, body)
      }
      const answers = await Promise.all([give(b, a), give(a, b)])
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      const { rows } = await app.database.pool.query(
        `select count(*) as n from users where usertype = 'admin' and approved`,
      )
      expect(rows[0].n).toBe(1)
      // The remaining admin cannot be removed either.
      const { approved, usertype } = await row(a.uid)
      const left = approved && usertype === 'admin' ? a : b
      const { method, url, body } = command(left.uid)
      expect((await call(method, url, left.bearer, body)).body.error).toBe('last_admin')
      const own = await call('POST', '/api/v1/me/deletion', left.bearer, {})
      expect(own.body.error).toBe('last_admin')
    }
    for (let repeat = 0; repeat < 5; repeat += 1) {
      await round((uid) => ({ method: 'POST', url: `/api/v1/users/${uid}/disapprove`, body: {} }))
      await round((uid) => ({ method: 'DELETE', url: `/api/v1/users/${uid}` }))
      await round((uid) => ({
        method: 'POST',
        url: `/api/v1/users/${uid}/change-type`,
        body: { usertype: 'rider' },
      }))
    }
    await app.database.pool.query('update users set approved = true where id = $1', [adminId])
  })
})

test('change without a version -> refused', async () => {
  const { uid } = await user('driver')
  for (const [method, path, body] of [
    ['PATCH', '', { lastName: 'X' }],
    ['POST', '/approve', {}],
    ['POST', '/disapprove', {}],
    ['POST', '/change-type', { usertype: 'rider' }],
    ['POST', '/assign-fleet', { fleetadmin: null }],
  ] as const) {
    const url = `/api/v1/users/${uid}${path}`
    const answer = await call(method, url, admin, { ...body, version: undefined })
    expect([answer.status, answer.body.error], url).toEqual([400, 'invalid_input'])
  }
})
