import { setTimeout as wait } from 'node:timers/promises'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasRedis } from './adapters/server-bus/test-redis.ts'
import { FaultCity } from './fault-city.fixture.ts'

/** Many drivers accept the same bookings at the same moment on three servers, each of them twice. */

const accepts = Number(process.env.CONTESTED_ACCEPTS ?? 100_000)
const [drivers, bookings] = [20, 10]
const perRound = drivers * bookings * 2
const pickup = { lat: -34.9058, lng: -56.1913, add: 'Plaza Independencia' }
const drop = { lat: -34.8941, lng: -56.1652, add: 'Tres Cruces' }

describe.skipIf(!hasRedis)('three servers', () => {
  let city: FaultCity
  beforeAll(async () => {
    city = await FaultCity.open()
    await city.app.database.pool.query(
      `update settings set value = value || '{"autoDispatch": false, "negativeBalance": true}', version = version + 1`,
    )
  }, 180_000)
  afterAll(() => city.close(), 60_000)

  let refusedForNow = 0
  /** Sends a command again, with its key, while a server says that it cannot carry it out now. */
  const send = async (server: number, path: string, bearer: string, body: object, key: string) => {
    for (;;) {
      const target = city.servers[server % city.servers.length] as FaultCity['servers'][number]
      const answer = await fetch(target.url(path), {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: bearer, 'idempotency-key': key },
        body: JSON.stringify(body),
      })
      const view = (await answer.json()) as { id: string; error?: string }
      if (answer.status !== 503) return { status: answer.status, body: view }
      refusedForNow++
      await wait(Number(answer.headers.get('retry-after')) * 1_000)
    }
  }

  test(`${accepts} accepts of contested bookings -> one driver each, one booking each`, async () => {
    const { pool } = city.app.database
    const people = async (usertype: 'rider' | 'driver', count: number) =>
      Promise.all(
        Array.from({ length: count }, async (_, number) => {
          const email = `${usertype}-${number}@contested.test`
          const id = await city.app.addUser({ email, usertype })
          return { id, bearer: await city.calls.signIn(email) }
        }),
      )
    const riders = await people('rider', 3 * bookings)
    const asked = await people('driver', drivers)
    await pool.query(
      `update users set car_type_id = $1, driver_active_status = true where usertype = 'driver'`,
      [city.carType],
    )

    // Another driver was faster, or this one has another trip.
    const allowed = ['accepted', '404 not_found', '409 already_busy']
    const answers: Record<string, number> = {}
    for (let round = 0; round * perRound < accepts; round++) {
      const customers = riders.slice((round % 3) * bookings).slice(0, bookings)
      const made = await Promise.all(
        customers.map(async ({ bearer }, number) => {
          const tripdate = Date.now() + 16 * 60_000
          const body = {
            pickup,
            drop,
            car_type_id: city.carType,
            bookLater: true,
            tripdate,
            payment_mode: 'cash',
          }
          const { status, body: view } = await send(number, '/api/v1/bookings', bearer, body, uuidv7())
          expect([status, view.error]).toEqual([201, undefined])
          return view.id
        }),
      )
      await pool.query('update bookings set tripdate = booking_date where id = any($1)', [made])
      await pool.query(
        `insert into booking_requests (booking_id, driver_id, wave, requested_at, pickup_km, pickup_s)
          select b, d, 0, $3, 1, 120 from unnest($1::uuid[]) b, unnest($2::uuid[]) d`,
        [made, asked.map(({ id }) => id), Date.now()],
      )
      const calls = made.flatMap((id, one) =>
        asked.map(({ bearer }, driver) => {
          const key = uuidv7()
          const path = `/api/v1/bookings/${id}/accept`
          // The copy of a command that was sent twice arrives at another server.
          return Promise.all([0, 1].map((copy) => send(one + driver + copy, path, bearer, {}, key)))
        }),
      )
      const acceptedOnce: string[][] = []
      for (const copies of await Promise.all(calls)) {
        const accepted = copies.filter(({ status }) => status === 200)
        if (accepted.length > 0) acceptedOnce.push(copies.map(({ body }) => body.id))
        for (const { status, body } of copies) {
          const answer = status === 200 ? 'accepted' : `${status} ${body.error}`
          expect(allowed).toContain(answer)
          answers[answer] = (answers[answer] ?? 0) + 1
        }
      }
      // Both copies of an accept that won say so; no other accept does.
      expect(acceptedOnce.map(([first, copy]) => first === copy)).toEqual(made.map(() => true))
      expect(acceptedOnce.map(([id]) => id).sort()).toEqual([...made].sort())
      const { rows } = await pool.query<{ id: string; driver: string | null; accepts: number }>(
        `select id, driver, (select count(*)::int from booking_events e
          where e.booking_id = b.id and e.command = 'accept') as accepts from bookings b where id = any($1)`,
        [made],
      )
      const taken = rows.filter(({ driver }) => driver !== null)
      expect(taken.map((row) => row.accepts)).toEqual(taken.map(() => 1))
      expect(new Set(taken.map(({ driver }) => driver)).size).toBe(taken.length)
      // Twice as many drivers as bookings, each able to take any: all are taken.
      expect(taken).toHaveLength(bookings)
      const ended = await Promise.all(
        customers.map(({ bearer }, one) =>
          send(
            one,
            `/api/v1/bookings/${made[one]}/cancel`,
            bearer,
            { reason: 'Plans have changed' },
            uuidv7(),
          ),
        ),
      )
      expect(ended.map(({ status, body }) => [status, body.error])).toEqual(ended.map(() => [200, undefined]))
    }
    console.table({ ...answers, 'repeated after 503': refusedForNow })
    const busy = await pool.query('select from users where queue')
    expect(busy.rowCount).toBe(0)
  }, 3_600_000)
})
