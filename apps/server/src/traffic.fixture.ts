import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { createCarType } from './access-scene.fixture.ts'
import { centre, drop, pickup, straightMaps } from './features/bookings/straight-city.fixture.ts'
import { createTestApp, type TestApp } from './test-app.ts'

export type Traffic = Awaited<ReturnType<typeof createTraffic>>

/** A running application with riders and drivers who use it over its public interface. */
export async function createTraffic(changes: Parameters<typeof createTestApp>[0] = {}) {
  const app: TestApp = await createTestApp({ maps: straightMaps(), ...changes })
  await app.start()
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  const carType = await createCarType(app.database)
  await app.database.withTransaction((tx) => app.services.settings.update(tx, { otp_secure: false }))
  let mobiles = 0

  const call = async (
    bearer: string,
    method: 'GET' | 'POST',
    path: string,
    payload?: object,
    headers: Record<string, string> = {},
  ) => {
    const reply = await app.server.inject({
      method,
      url: path,
      headers: { ...headers, ...(bearer !== '' && { authorization: bearer }) },
      ...(payload && { payload }),
    })
    return { status: reply.statusCode, headers: reply.headers, body: reply.json() }
  }

  const add = async (usertype: 'rider' | 'driver' | 'admin', email: string, more: object = {}) => {
    mobiles += 1
    const mobile = `+5989912${String(mobiles).padStart(4, '0')}`
    const id = await app.addUser({ email, usertype, mobile, ...more })
    return { id, bearer: await app.bearer(email), mobile }
  }

  return {
    app,
    call,
    add,
    /** A driver who is online at the center. */
    async addDriver(email: string, more: object = {}, at = centre) {
      const driver = await add('driver', email, more)
      await app.database.pool.query(
        `update users set car_type_id = $2, driver_active_status = true, vehicle_number = $3 where id = $1`,
        [driver.id, carType, driver.id.slice(-8)],
      )
      const positions = [{ ...at, at: Date.now() }]
      const reply = await call(driver.bearer, 'POST', '/api/v1/driver/positions', { positions })
      expect(reply.status, JSON.stringify(reply.body)).toBe(200)
      return driver
    },
    /** Books a ride and waits until a driver is asked, if `isAsked`. */
    async book(
      bearer: string,
      {
        isAsked = true,
        requestId = 'booked-by-a-test',
        ...more
      }: { isAsked?: boolean; requestId?: string; [field: string]: unknown } = {},
    ) {
      const body = { pickup, drop, car_type_id: carType, bookLater: false, payment_mode: 'cash', ...more }
      const made = await call(bearer, 'POST', '/api/v1/bookings', body, { 'x-request-id': requestId })
      expect(made.status, JSON.stringify(made.body)).toBe(201)
      const { id } = made.body
      const asked = 'select from booking_requests where booking_id = $1'
      while (isAsked && (await app.database.pool.query(asked, [id])).rowCount === 0) await wait(20)
      return id as string
    },
    /** Resolves when every event has been delivered. */
    async delivered() {
      while ((await app.database.pool.query('select from outbox')).rowCount !== 0) await wait(20)
    },
  }
}
