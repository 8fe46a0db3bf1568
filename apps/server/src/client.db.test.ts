import type { AddressInfo } from 'node:net'
import { type Client, createClient } from '@hansom/client/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createCarType } from './access-scene.fixture.ts'
import { centre, straightMaps } from './features/bookings/straight-city.fixture.ts'
import { createTestApp, type TestApp, testPassword } from './test-app.ts'

let app: TestApp
let carType: string
let rider: Client
let driver: Client
let riderSockets: WebSocket[]

beforeAll(async () => {
  app = await createTestApp({ maps: straightMaps() })
  await app.start()
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  carType = await createCarType(app.database)
  await app.addUser({ email: 'rider@test.example', usertype: 'rider' })
  await app.addUser({ email: 'driver@test.example', usertype: 'driver' })
  await app.database.pool.query(`update users set car_type_id = $1 where usertype = 'driver'`, [carType])
  const url = `http://127.0.0.1:${(app.server.server.address() as AddressInfo).port}`
  riderSockets = []
  class RiderSocket extends WebSocket {
    constructor(address: string, options: { headers: Record<string, string> }) {
      super(address, options)
      riderSockets.push(this)
    }
  }
  rider = createClient({ url, webSocket: RiderSocket })
  driver = createClient({ url, webSocket: WebSocket })
  await rider.signIn('rider@test.example', testPassword)
  await driver.signIn('driver@test.example', testPassword)
})
afterAll(async () => {
  rider.close()
  driver.close()
  await app.close()
})

test('client: booked, followed over a dropped connection, cancelled -> every change once', async () => {
  await driver.api.tracking.online({ online: true })
  await driver.api.tracking.report({ positions: [{ ...centre, at: driver.clock.now() }] })
  const accepted = new Promise<unknown>((resolve) => {
    driver.live.subscribe('requests', {
      event: (change) => {
        if ('put' in change) resolve(driver.api.bookings.accept({ id: change.put.id }))
      },
    })
  })
  await expect.poll(() => driver.live.status).toBe('live')

  const place = (metres: number) => ({ lat: centre.lat + metres / 111_000, lng: centre.lng, add: 'A street' })
  const request = {
    pickup: place(0),
    drop: place(2_000),
    car_type_id: carType,
    bookLater: false,
    payment_mode: 'cash',
  } as const
  const { id } = await rider.idempotent('book', request, rider.api.bookings.create)
  const statuses: string[] = []
  const followed = rider.followBooking(id, ({ status }) => {
    if (statuses.at(-1) !== status) statuses.push(status)
  })
  await accepted
  await expect.poll(() => statuses.at(-1)).toBe('ACCEPTED')

  riderSockets.at(-1)?.terminate()
  await driver.api.bookings.arrive({ id })
  await expect.poll(() => statuses.at(-1), { timeout: 10_000 }).toBe('ARRIVED')
  expect(riderSockets).toHaveLength(2)

  await rider.idempotent('cancel', { id, reason: 'Plans changed' }, rider.api.bookings.cancel)
  expect(await followed).toMatchObject({ id, status: 'CANCELLED' })
  expect(statuses).toEqual(['NEW', 'ACCEPTED', 'ARRIVED', 'CANCELLED'])
})

test('client: session ended by the server -> signs in again for calls and for the live connection', async () => {
  const before = riderSockets.length
  const states: boolean[] = []
  rider.live.subscribe('bookings', { current: (current) => states.push(current) })
  await expect.poll(() => states.at(-1), { timeout: 10_000 }).toBe(true)
  await app.database.pool.query('delete from auth_sessions')
  riderSockets.at(-1)?.terminate()
  // Refused with 401 without a session.
  expect(await rider.api.bookings.outstanding()).toMatchObject({ total: 0 })
  await expect.poll(() => states.length > 1 && states.at(-1), { timeout: 10_000 }).toBe(true)
  expect(riderSockets.length).toBeGreaterThan(before)
})

test('client: signed out -> visitor', async () => {
  await driver.signOut()
  expect(await driver.api.users.me()).toBeNull()
})
