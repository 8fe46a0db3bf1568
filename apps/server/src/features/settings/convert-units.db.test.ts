import type { AdminCarType, NewCarType } from '@hansom/contract/car-types'
import { unit } from '@hansom/domain/money/amount'
import { defaultSettings } from '@hansom/domain/settings/settings'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../test-app.ts'

let app: TestApp
let admin: string
let carType: AdminCarType

const priced: NewCarType = {
  name: 'Economy',
  base_fare: 55 * unit,
  rate_per_unit_distance: 29 * unit,
  rate_per_hour: 360 * unit,
  min_fare: 120 * unit,
  convenience_fees: 8 * unit,
  convenience_fee_type: 'percentage',
  seats: 4,
}

beforeAll(async () => {
  app = await createTestApp()
  const uid = await app.addUser({ email: 'admin@x.test', usertype: 'admin' })
  admin = await app.bearer('admin@x.test')
  carType = await app.services.carTypesAdmin.add({ uid, key: null }, priced)
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.database.withTransaction((tx) => app.services.settings.update(tx, { ...defaultSettings }))
  await app.database.pool.query('update car_types set rate_per_unit_distance = $1', [29 * unit])
})

const ask = async (method: 'GET' | 'PATCH', url: string, payload?: object) => {
  const headers = { authorization: admin }
  const answer = await app.server.inject({ method, url, headers, ...(payload && { payload }) })
  return { status: answer.statusCode, body: answer.json() }
}
const save = (changes: object) => ask('PATCH', '/api/v1/settings', changes)
const version = async () => (await ask('GET', '/api/v1/settings/all')).body.version as number
const rate = async () => (await app.services.carTypesAdmin.get(carType.id)).rate_per_unit_distance / unit

test('unit: switched without conversion -> the numbers stay', async () => {
  const { body } = await save({ version: await version(), convert_to_mile: true })
  expect(body.values).toMatchObject({ convert_to_mile: true, driverRadius: 10, 'dispatch.firstRadius': 4 })
  expect(await rate()).toBe(29)
})

test('unit: switched with conversion -> rates and distances in the new unit, in the log', async () => {
  const { body } = await save({ version: await version(), convert_to_mile: true, convertUnits: true })
  expect(body.values).toMatchObject({ convert_to_mile: true, driverRadius: 6.2, 'dispatch.firstRadius': 2.5 })
  expect(await rate()).toBe(47)
  const { rows } = await app.database.pool.query(
    `select kind, label, before, after from (select * from audit_log order by id desc limit 2) latest order by kind`,
  )
  expect(rows).toMatchObject([
    { kind: 'car_type', label: 'Economy', after: { rate_per_unit_distance: 47 * unit } },
    {
      kind: 'settings',
      before: { convert_to_mile: false, driverRadius: 10, 'dispatch.firstRadius': 4 },
      after: { convert_to_mile: true, driverRadius: 6.2, 'dispatch.firstRadius': 2.5 },
    },
  ])
})

test('unit: the same request twice -> converted once', async () => {
  const request = { version: await version(), convert_to_mile: true, convertUnits: true }
  await save(request)
  const { status, body } = await save(request)
  expect([status, body.values.driverRadius, await rate()]).toEqual([200, 6.2, 47])
})

test('unit: a distance given with it -> taken as it is', async () => {
  const given = { driverRadius: 8, decimal: 2 }
  const { body } = await save({
    version: await version(),
    convert_to_mile: true,
    convertUnits: true,
    ...given,
  })
  expect([body.values.driverRadius, await rate()]).toEqual([8, 46.67])
})

test('unit: another admin changed a distance since -> conflict, nothing converted', async () => {
  const read = await version()
  await save({ version: read, driverRadius: 12 })
  const { status, body } = await save({ version: read, convert_to_mile: true, convertUnits: true })
  expect([status, body.error]).toEqual([409, 'conflict'])
  expect([await rate(), (await app.services.settings.current()).convert_to_mile]).toEqual([29, false])
})

test('unit: a field is refused -> neither the setting nor a rate changes', async () => {
  const wrong = { convert_to_mile: true, convertUnits: true, timezone: 'Nowhere' }
  expect((await save({ version: await version(), ...wrong })).status).toBe(400)
  expect([await rate(), (await app.services.settings.current()).convert_to_mile]).toEqual([29, false])
})
