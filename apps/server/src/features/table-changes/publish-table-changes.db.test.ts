import type { TableChanges } from '@hansom/contract/live'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { straightMaps } from '../bookings/straight-city.fixture.ts'

let app: TestApp
const ids: Record<string, string> = {}
const bearers: Record<string, string> = {}
let told: { channel: string; tables: string[] }[] = []

beforeAll(async () => {
  app = await createTestApp({ maps: straightMaps() })
  const people = { admin: 'admin', ann: 'fleetadmin', bob: 'fleetadmin', cid: 'driver' } as const
  for (const [name, usertype] of Object.entries(people))
    ids[name] = await app.addUser({ email: `${name}@test.example`, usertype, firstName: name })
  for (const name of ['admin', 'ann', 'cid']) bearers[name] = await app.bearer(`${name}@test.example`)
  await app.database.pool.query('update users set fleetadmin = $2, wallet_balance = 1000000 where id = $1', [
    ids.cid,
    ids.ann,
  ])
  const publish = app.hub.publish.bind(app.hub)
  app.hub.publish = (channel, data) => {
    if (channel.startsWith('office|')) told.push({ channel, tables: (data as TableChanges).tables })
    publish(channel, data)
  }
  await app.start()
})
afterAll(() => app.close())
beforeEach(() => {
  told = []
})

async function by(name: string, method: 'POST' | 'PATCH', path: string, payload: object) {
  const headers = { authorization: bearers[name] ?? '' }
  const answer = await app.server.inject({ method, url: `/api/v1/${path}`, headers, payload })
  expect(answer.statusCode, answer.body).toBeLessThan(300)
  return answer.json<{ uid: string; version: number }>()
}
const heard = (audience: string) => [
  ...new Set(told.filter(({ channel }) => channel === `office|${audience}`).flatMap(({ tables }) => tables)),
]
/** Publishing is complete once all of these were received. */
const hears = (audience: string, ...tables: string[]) =>
  expect
    .poll(() => heard(audience), { timeout: 10_000, interval: 20 })
    .toEqual(expect.arrayContaining(tables))

test('table changes: audited change -> published for its table and the audit log, to admins only', async () => {
  await by('admin', 'POST', 'cancel-reasons', { label: 'It rains' })
  await hears('admin', 'cancelReasons', 'audit')
  expect(heard('admin').sort()).toEqual(['audit', 'cancelReasons'])
  expect(heard(ids.ann as string)).toEqual([])
})

test('table changes: fleet admin -> their own drivers only', async () => {
  const read = await app.database.pool.query('select version from users where id = $1', [ids.cid])
  await by('ann', 'PATCH', `users/${ids.cid}`, { lastName: 'Changed', version: read.rows[0].version })
  await hears('admin', 'drivers', 'audit')
  await hears(ids.ann as string, 'drivers')
  expect(heard(ids.bob as string)).toEqual([])
})

test('table changes: driver leaves a fleet -> published to the old and the new fleet', async () => {
  const read = await app.database.pool.query('select version from users where id = $1', [ids.cid])
  const { version } = read.rows[0]
  await by('admin', 'POST', `users/${ids.cid}/assign-fleet`, { fleetadmin: ids.bob, version })
  await hears(ids.ann as string, 'drivers')
  await hears(ids.bob as string, 'drivers')
})

test('table changes: withdrawal request and sign-up -> published', async () => {
  const bank = { bankName: 'A bank', bankCode: '1', bankAccount: '2' }
  await by('cid', 'POST', 'me/withdraws', { amount: 10_000, ...bank })
  await hears('admin', 'withdraws', 'drivers')
  told = []
  await by('visitor', 'POST', 'sign-up', {
    firstName: 'Rita',
    lastName: 'Rider',
    email: 'rita@test.example',
    password: 'abc123',
    phoneCode: '598',
    mobile: '99100200',
    usertype: 'rider',
  })
  await hears('admin', 'riders')
})

test('table changes: alert of a fleet -> published to the admins and that fleet admin', async () => {
  await app.database.pool.query(
    `update users set approved = false, fleetadmin = $2, waiting_since = $3 where id = $1`,
    [ids.cid, ids.ann, Date.now()],
  )
  await app.services.alerts.scan()
  await hears('admin', 'alerts')
  await hears(ids.ann as string, 'alerts')
  expect(heard(ids.bob as string)).toEqual([])
})
