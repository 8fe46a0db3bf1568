import { setTimeout as wait } from 'node:timers/promises'
import type { BookingView } from '@hansom/contract/bookings'
import { unit } from '@hansom/domain/money/amount'
import { adminCredit } from '@hansom/domain/wallet/user-entries'
import { uuidv7 } from 'uuidv7'
import { expect } from 'vitest'
import { createWalletService } from './features/wallet/service.ts'
import type { TestApp } from './test-app.ts'
import type { ServerCalls } from './test-server-process.ts'

/** Users of a server in a separate process, over HTTP, who retry until they get a response. */

const pickup = { lat: -34.9058, lng: -56.1913, add: 'Plaza Independencia' }
const drop = { lat: -34.8941, lng: -56.1652, add: 'Tres Cruces' }

/** What users call: one server, or any of several. */
export type Called = Pick<ServerCalls, 'post' | 'signIn'>

/** Creates settings and a car type for journeys; returns the car type's id. A driver who missed a wave is asked in the next. */
export async function prepareCity({ database }: TestApp, waveSeconds = 600): Promise<string> {
  const carType = uuidv7()
  await database.pool.query(
    `insert into car_types (id, name, base_fare, rate_per_unit_distance, rate_per_hour, min_fare, convenience_fees,
      convenience_fee_type, created_at) values ($1, 'Economy', $2, $2, $2, $2, $2, 'percentage', 0)`,
    [carType, 10 * unit],
  )
  await database.pool.query('insert into settings (value) values ($1)', [
    { otp_secure: false, driverRadius: 20, dispatch: { waveSeconds, waveSize: 20, firstRadius: 20 } },
  ])
  return carType
}

/**
 * One rider's trips with one driver, paid in cash or, every second rider's, from the wallet. Each step has its own
 * idempotency key and is retried until it gets a response.
 */
export class Journey {
  /** The current or last trip. */
  id = ''
  isDone = false
  /** Bookings that may be cancelled, as no driver answered in time: what they use has failed for a while. */
  mayBeCancelled = false
  /** Called with the id of each booking, before its trip begins. */
  onBooking: (id: string) => void = () => {}
  /** Responses of the server. */
  readonly answers: { booking: string; version: number; status: string }[] = []
  /** Times of the positions acknowledged during a trip. */
  readonly positions: { booking: string; at: number }[] = []
  private readonly app: TestApp
  private readonly server: Called
  private readonly carType: string
  /** The rider's authorization. */
  readonly rider: string
  private readonly driver: string
  private readonly driverId: string
  private readonly paymentMode: 'cash' | 'wallet'

  private constructor(
    app: TestApp,
    server: Called,
    carType: string,
    people: { rider: string; driver: string; driverId: string; paymentMode: 'cash' | 'wallet' },
  ) {
    this.app = app
    this.server = server
    this.carType = carType
    this.rider = people.rider
    this.driver = people.driver
    this.driverId = people.driverId
    this.paymentMode = people.paymentMode
  }

  static async begin(app: TestApp, server: Called, carType: string, number: number): Promise<Journey> {
    const [rider, driver] = [`rider${number}@example.test`, `driver${number}@example.test`]
    const riderId = await app.addUser({ email: rider, usertype: 'rider' })
    const paymentMode = number % 2 === 0 ? 'cash' : 'wallet'
    if (paymentMode === 'wallet') {
      const wallet = createWalletService(app)
      const origin = { at: Date.now(), currency: 'USD', by: null }
      await wallet.appendOnce([adminCredit(uuidv7(), riderId, 10_000_000 * unit)], origin)
    }
    const driverId = await app.addUser({ email: driver, usertype: 'driver' })
    await app.database.pool.query('update users set car_type_id = $2 where id = $1', [driverId, carType])
    const people = {
      rider: await server.signIn(rider),
      driver: await server.signIn(driver),
      driverId,
      paymentMode,
    } as const
    const journey = new Journey(app, server, carType, people)
    await journey.report(0)
    await until(() => server.post('/api/v1/driver/online', journey.driver, { online: true }))
    return journey
  }

  /** Drives one trip, from booking to rating. Throws if the booking is cancelled, unless it may be. */
  async drive(): Promise<void> {
    this.isDone = false
    const body = { pickup, drop, car_type_id: this.carType, bookLater: false, payment_mode: this.paymentMode }
    await this.step('/api/v1/bookings', this.rider, body)
    this.onBooking(this.id)
    if (!(await this.isRequested())) return
    const path = (command: string) => `/api/v1/bookings/${this.id}/${command}`
    await this.step(path('accept'), this.driver)
    await this.step(path('arrive'), this.driver)
    await this.step(path('start'), this.driver)
    for (let share = 1; share <= 10; share++) {
      const { at, accepted } = await this.report(share / 100)
      // The first one jumps from the end of the previous trip and may be rejected as implausible.
      if (accepted > 0) this.positions.push({ booking: this.id, at })
    }
    await this.step(path('reach'), this.driver)
    await this.step(path('close'), this.driver)
    await this.step(path('rate'), this.rider, { rating: 5 })
    this.isDone = true
  }

  /** Fails unless everything acknowledged is in the database. */
  async expectNothingLost(): Promise<void> {
    const { pool } = this.app.database
    const events = await pool.query<{ booking: string; version: number; status: string }>(
      `select booking_id as booking, version, to_status as status from booking_events where booking_id = any($1)`,
      [this.answers.map(({ booking }) => booking)],
    )
    const history = new Set(events.rows.map((event) => keyOf(event)))
    expect(this.answers.filter((answer) => !history.has(keyOf(answer)))).toEqual([])
    expect(this.positions.length).toBeGreaterThan(0)
    const points = await pool.query<{ booking: string; at: number }>(
      "select booking_id as booking, at from tracking where booking_id = any($1) and status = 'STARTED'",
      [this.positions.map(({ booking }) => booking)],
    )
    const stored = new Set(points.rows.map(({ booking, at }) => `${booking} ${at}`))
    expect(this.positions.filter(({ booking, at }) => !stored.has(`${booking} ${at}`))).toEqual([])
  }

  private async step(path: string, bearer: string, body: object = {}): Promise<void> {
    const key = uuidv7()
    const view = (await until(() => this.server.post(path, bearer, body, key))) as BookingView
    this.id = view.id
    this.answers.push({ booking: view.id, version: view.version, status: view.status })
    await wait(Math.random() * 150)
  }

  private async report(share: number): Promise<{ at: number; accepted: number }> {
    const lat = pickup.lat + (drop.lat - pickup.lat) * share
    const lng = pickup.lng + (drop.lng - pickup.lng) * share
    const at = Date.now()
    const positions = [{ lat, lng, at }]
    const answer = await until(() => this.server.post('/api/v1/driver/positions', this.driver, { positions }))
    await wait(40)
    return { at, ...(answer as { accepted: number }) }
  }

  /** Resolves when the driver is asked for the current booking; false if that was cancelled before. */
  private async isRequested(): Promise<boolean> {
    for (;;) {
      const state = await this.stateOfRequest().catch(() => 'unknown')
      if (state === 'requested') return true
      if (state === 'CANCELLED') {
        if (this.mayBeCancelled) return false
        throw new Error('the booking was cancelled before its driver got a request')
      }
      await this.report(0)
      await wait(100)
    }
  }

  /** Throws when the test's connections are lost with the server's. */
  private async stateOfRequest(): Promise<string> {
    const { rows } = await this.app.database.pool.query<{ state: string }>(
      `select case when exists (select from booking_requests where booking_id = b.id and driver_id = $2)
        then 'requested' else b.status end as state from bookings b where id = $1`,
      [this.id, this.driverId],
    )
    return rows[0]?.state ?? ''
  }
}

const keyOf = ({ booking, version, status }: { booking: string; version: number; status: string }) =>
  `${booking} ${version} ${status}`

/** Makes attempts until one does not return null. */
export async function until(attempt: () => Promise<unknown>): Promise<unknown> {
  for (;;) {
    const answer = await attempt()
    if (answer !== null) return answer
    await wait(50)
  }
}
