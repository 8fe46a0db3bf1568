import type { AddressInfo } from 'node:net'
import { unpackFleet } from '@hansom/contract/fleet-state'
import { type FleetChange, type FleetState, liveClose } from '@hansom/contract/live'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createCarType } from '../../../access-scene.fixture.ts'
import { TestClient } from '../../../platform/live/test-live.ts'
import { createTestApp, type TestApp } from '../../../test-app.ts'
import { centre, straightMaps } from '../straight-city.fixture.ts'

let app: TestApp
const ids: Record<string, string> = {}
const sockets: Record<string, TestClient> = {}
const watchers = ['admin', 'ann', 'bob'] as const

beforeAll(async () => {
  app = await createTestApp({ maps: straightMaps() })
  await app.start()
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  const carType = await createCarType(app.database)
  await app.database.pool.query(`update car_types set image = '/cars/economy.webp'`)
  const people = {
    admin: 'admin',
    ann: 'fleetadmin',
    bob: 'fleetadmin',
    cid: 'driver',
    dan: 'driver',
    eve: 'driver',
  }
  for (const [name, usertype] of Object.entries(people))
    ids[name] = await app.addUser({
      email: `${name}@test.example`,
      usertype: usertype as 'driver',
      firstName: name,
      lastName: 'Test',
    })
  await app.database.pool.query(
    `update users set car_type_id = $1, driver_active_status = true, vehicle_number = 'SBA ' || first_name
      where usertype = 'driver'`,
    [carType],
  )
  await own('cid', 'ann')
  await own('dan', 'bob')
  await report('cid', 0)
  for (const name of watchers) sockets[name] = await connect(name)
})
afterAll(async () => {
  for (const { ws } of Object.values(sockets)) ws.terminate()
  await app.close()
})

const own = (driver: string, fleet: string) =>
  app.database.pool.query('update users set fleetadmin = $2 where id = $1', [ids[driver], ids[fleet]])

async function connect(name: string): Promise<TestClient> {
  const { port } = app.server.server.address() as AddressInfo
  const headers = { authorization: await app.bearer(`${name}@test.example`) }
  const client = new TestClient(new WebSocket(`ws://127.0.0.1:${port}/live`, { headers }))
  await client.frame('hello')
  return client
}

/** Reports a driver's position `metres` north of the center and flushes the write. */
async function report(driver: string, metres: number): Promise<void> {
  const { tracking, writes } = app.services.bookingsFeature
  const position = { lat: centre.lat + metres / 111_000, lng: centre.lng, at: Date.now(), bearing: 90 }
  expect(
    await tracking.report({ id: ids[driver] as string, role: 'driver', approved: true }, [position]),
  ).toBe(1)
  await writes.flush()
}

/** Changes that a user received on the topic, in order. */
function heard(name: string): string[] {
  return (sockets[name] as TestClient).frames.flatMap((frame) => {
    if (frame.t !== 'ev' && frame.t !== 'vol') return []
    const change = frame.data as FleetChange
    const nameOf = (uid: string) => Object.keys(ids).find((one) => ids[one] === uid)
    if ('moved' in change) return change.moved.map(([uid]) => `${nameOf(uid)} moved`)
    return 'put' in change ? [`${nameOf(change.put.uid)} is there`] : [`${nameOf(change.remove)} is gone`]
  })
}
const hears = (name: string, what: string) =>
  expect.poll(() => heard(name), { timeout: 10_000, interval: 20 }).toContain(what)

/** The version of a user, as a page has read it. */
async function seen(name: string): Promise<{ version: number }> {
  const { rows } = await app.database.pool.query('select version from users where id = $1', [ids[name]])
  return rows[0]
}

async function by(name: string, path: string, body: object) {
  const answer = await app.server.inject({
    method: 'POST',
    url: `/api/v1/${path}`,
    headers: { authorization: await app.bearer(`${name}@test.example`) },
    payload: body,
  })
  expect(answer.statusCode, answer.body).toBe(200)
}

test('fleet: snapshot -> active drivers with a position; a fleet admin gets only their own', async () => {
  for (const name of watchers) await (sockets[name] as TestClient).follow('fleet')
  const snapshot = async (name: string) =>
    unpackFleet((await (sockets[name] as TestClient).frame('snap')).data as FleetState)
  expect(await snapshot('admin')).toEqual([
    {
      uid: ids.cid,
      name: 'cid Test',
      vehicleNumber: 'SBA cid',
      carType: 'Economy',
      carImage: '/cars/economy.webp',
      queue: false,
      lat: expect.closeTo(centre.lat, 4),
      lng: centre.lng,
      bearing: 90,
      at: expect.any(Number),
    },
  ])
  expect(await snapshot('ann')).toEqual(await snapshot('admin'))
  expect(await snapshot('bob')).toEqual([])
})

test("fleet: driver moves -> published to admins and the driver's fleet admin only", async () => {
  await report('cid', 10)
  await hears('admin', 'cid moved')
  await hears('ann', 'cid moved')
  await report('dan', 0)
  await hears('bob', 'dan is there')
  await hears('admin', 'dan is there')
  expect(heard('bob').filter((what) => what.startsWith('cid'))).toEqual([])
  expect(heard('ann').filter((what) => what.startsWith('dan'))).toEqual([])
})

test('fleet: several frames later -> earlier moves are repeated, so that a missed frame is corrected', async () => {
  await report('cid', 20)
  for (let round = 1; round <= 5; round++) await report('dan', round * 10)
  await expect
    .poll(() => heard('ann').filter((what) => what === 'cid moved').length, { timeout: 10_000 })
    .toBeGreaterThanOrEqual(3)
})

test('fleet: driver silent for 15 minutes -> off the map unless on a trip, back with the next position', async () => {
  const silent = 15 * 60_000 + 1_000
  const age = (driver: string, queue: boolean) =>
    app.database.pool.query('update users set located_at = $2, queue = $3 where id = $1', [
      ids[driver],
      Date.now() - silent,
      queue,
    ])
  const seenBy = async (name: string) => {
    const client = await connect(name)
    await client.follow('fleet')
    const cars = unpackFleet((await client.frame('snap')).data as FleetState)
    client.ws.terminate()
    return cars.map(({ uid }) => Object.keys(ids).find((one) => ids[one] === uid)).sort()
  }
  await age('cid', false)
  await age('dan', true)
  // A shared snapshot from shortly before may still be served.
  await expect.poll(() => seenBy('admin'), { timeout: 10_000, interval: 500 }).toEqual(['dan'])
  const before = heard('admin').length
  await report('cid', 30)
  await expect.poll(() => heard('admin').slice(before), { timeout: 10_000 }).toContain('cid is there')
  expect(await seenBy('admin')).toEqual(['cid', 'dan'])
  await app.database.pool.query('update users set queue = false')
  await report('dan', 60)
})

test('fleet: driver goes offline, is disapproved or changes fleet -> removed from the map', async () => {
  await by('cid', 'driver/online', { online: false })
  await hears('ann', 'cid is gone')
  await by('cid', 'driver/online', { online: true })
  await hears('ann', 'cid is there')
  await by('admin', `users/${ids.cid}/assign-fleet`, { fleetadmin: ids.bob, ...(await seen('cid')) })
  await hears('bob', 'cid is there')
  await expect.poll(() => heard('ann').at(-1), { timeout: 10_000 }).toBe('cid is gone')
  await by('admin', `users/${ids.dan}/disapprove`, await seen('dan'))
  await hears('bob', 'dan is gone')
  await hears('admin', 'dan is gone')
  // Positions of hidden drivers are not published.
  const before = heard('admin').length
  await report('dan', 100)
  await report('cid', 40)
  await expect.poll(() => heard('admin').length, { timeout: 10_000 }).toBeGreaterThan(before)
  expect(
    heard('admin')
      .slice(before)
      .filter((what) => what.startsWith('dan')),
  ).toEqual([])
})

test('fleet: fleet admin becomes a rider -> signed out', async () => {
  await by('admin', `users/${ids.bob}/change-type`, { usertype: 'rider', ...(await seen('bob')) })
  expect(await (sockets.bob as TestClient).closed).toBe(liveClose.sessionEnded)
})
