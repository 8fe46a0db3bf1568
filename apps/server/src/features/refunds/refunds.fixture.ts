import type { Disputed, RefundView } from '@hansom/contract/refunds'
import { unit } from '@hansom/domain/money/amount'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createCarType, createScene, type Scene } from '../../access-scene.fixture.ts'
import {
  PaymentError,
  type PaymentProvider,
  type RefundResult,
  type ReversalReport,
} from '../../adapters/payments/port.ts'
import { type ManualClock, manualClock } from '../../platform/clock/manual-clock.ts'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { straightMaps } from '../bookings/straight-city.fixture.ts'

const secret = 'session secret for the refund tests, long enough'

/** The test application, and what the provider does and was asked. */
interface World {
  app: TestApp
  scene: Scene
  clock: ManualClock
  /** Requests to the provider, and its next answers. */
  orders: { id: string; amount: number; whole: boolean; repeated: boolean; refundedBefore: number }[]
  answers: (RefundResult | PaymentError)[]
  /** Returned money that the provider reports. */
  reported: ReversalReport | PaymentError
  /** Payments that the provider was asked about. */
  asked: (string | null)[]
}

/** Registers the hooks of refund tests, each with a separate scene, and returns their steps. */
export function refundSteps() {
  const world = { orders: [], answers: [], reported: [], asked: [] } as Partial<World> as World
  let carType: string

  const next = (): RefundResult => {
    const answer = world.answers.shift() ?? { state: 'done', providerRefundId: 'back-1' }
    if (answer instanceof PaymentError) throw answer
    return answer
  }
  const provider: PaymentProvider = {
    name: 'stripe',
    live: false,
    hosts: {},
    accepts: () => true,
    start: () => Promise.reject(new Error('not called in these tests')),
    readReturn: async () => ({ kind: 'back', event: null }),
    readWebhook: async () => ({ kind: 'refused', why: 'not called in these tests' }),
    verify: null,
    refund: async (_payment, { id, amount, whole, repeated, refundedBefore }) => {
      world.orders.push({ id, amount, whole, repeated, refundedBefore })
      return next()
    },
    refundState: async () => next(),
    listReversals: async ({ reference }) => {
      world.asked.push(reference)
      if (world.reported instanceof PaymentError) throw world.reported
      return world.reported
    },
  }

  beforeAll(async () => {
    world.clock = manualClock()
    const limits = { all: 1e6 }
    world.app = await createTestApp({
      maps: straightMaps(),
      authSecret: secret,
      limits,
      clock: world.clock,
      payments: [provider],
    })
    carType = await createCarType(world.app.database)
  })
  afterAll(() => world.app.close())

  beforeEach(async () => {
    world.orders = []
    world.answers = []
    world.reported = []
    world.asked = []
    await renewScene()
  })

  async function renewScene() {
    world.scene = await createScene(world.app.database, secret, { carType, isAssigned: true })
  }

  async function call<T>(method: 'GET' | 'POST', url: string, payload?: object, key?: string) {
    const headers = { authorization: world.scene.bearers.admin, ...(key && { 'idempotency-key': key }) }
    const answer = await world.app.server.inject({ method, url, headers, ...(payload && { payload }) })
    return { status: answer.statusCode, body: answer.json<T & { error?: string }>() }
  }
  const why = 'The route was too long'
  const ask = (wish: object, key?: string) =>
    call<RefundView>(
      'POST',
      '/api/v1/refunds',
      { booking: world.scene.booking, payment: null, reason: why, ...wish },
      key,
    )
  const disputed = async () =>
    (await call<Disputed>('GET', `/api/v1/bookings/${world.scene.booking}/refunds`)).body
  const cash = (amount: number, bearer = 'platform') => ({ source: 'cash', amount: amount * unit, bearer })

  /** Ends the scene's booking, paid by these parts (in currency units). */
  async function paid({ cash: byCash = 0, card = 0, wallet = 0, status = 'COMPLETE', fee = 0 }) {
    await world.app.database.pool.query(
      `update bookings set status = $2, cash_payment_amount = $3, card_payment_amount = $4, used_wallet_money = $5,
        customer_paid = $6, cancellation_fee = $7,
        cancelled_by = case when $2 = 'CANCELLED' then 'admin' end, reason = case when $2 = 'CANCELLED' then 'why' end where id = $1`,
      [
        world.scene.booking,
        status,
        ...[byCash, card, wallet, byCash + card + wallet, fee].map((one) => one * unit),
      ],
    )
  }

  /** A card payment that paid the booking or was credited to the payer's wallet. */
  async function captured(amount: number, usedFor: 'booking' | 'wallet' = 'booking'): Promise<string> {
    const id = uuidv7()
    await world.app.database.pool.query(
      `insert into payments (id, provider, live, booking, code, number, reference, payer, payer_name, amount, currency, state,
          used_for, created_at, paid_at, opened_at, provider_id)
        values ($1, 'stripe', false, $2, 'ABC234', 1, $1::uuid::text, $3, 'R R', $4, 'UYU', 'paid', $5, 1, 1, 1, 'pi_1')`,
      [id, world.scene.booking, world.scene.ids.rider, amount * unit, usedFor],
    )
    return id
  }

  async function balance(member: 'rider' | 'driver'): Promise<number> {
    const { rows } = await world.app.database.pool.query('select wallet_balance from users where id = $1', [
      world.scene.ids[member],
    ])
    return rows[0].wallet_balance / unit
  }
  async function account(name: string): Promise<number> {
    const { rows } = await world.app.database.pool.query(
      `select coalesce(sum(l.amount), 0)::bigint as sum from ledger_legs l join ledger_entries e on e.id = l.entry_id
        where l.account = $1 and e.booking_id = $2`,
      [name, world.scene.booking],
    )
    return rows[0].sum / unit
  }
  /** Runs the job after the backoff of failed attempts. */
  async function later(ms = 0) {
    await world.clock.advance(ms)
    await world.app.services.refunds.processDue()
  }
  const stateOf = async (id: string) => (await disputed()).refunds.find((one) => one.id === id)?.state

  return {
    world,
    renewScene,
    call,
    why,
    ask,
    disputed,
    cash,
    paid,
    captured,
    balance,
    account,
    later,
    stateOf,
  }
}
