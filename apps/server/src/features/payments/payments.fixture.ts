import type { BookingStatus } from '@hansom/domain/bookings/status'
import type { ReportedCapture, ReportedPayment } from '@hansom/domain/payments/payment'
import type { PaymentProviderName } from '@hansom/domain/payments/providers'
import { expect } from 'vitest'
import { createCarType, createScene, type Scene, type SceneUser } from '../../access-scene.fixture.ts'
import { type Checkout, PaymentError, type PaymentProvider } from '../../adapters/payments/port.ts'
import { testPayments } from '../../adapters/payments/test/test-payments.ts'
import type { AppDeps } from '../../app-deps.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { createTestPayments } from '../../platform/test-payments/test-payments.ts'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { straightMaps } from '../bookings/straight-city.fixture.ts'

export const testSecret = 'test provider secret for the payment tests'
export const webhookSecret = 'whsec-that-must-not-stray'
const sessionSecret = 'session secret for the payment tests'

/** A provider for tests whose records the test writes. Its messages are JSON with a plain secret in a header. */
export function scriptedProvider(name: PaymentProviderName) {
  const books = new Map<string, ReportedPayment>()
  const begun = new Map<string, Checkout>()
  const control = {
    isDown: false,
    cannotCheck: false,
    asked: 0,
    taken: 0,
    startFails: false,
    duringStart: async () => {},
  }
  const provider: PaymentProvider = {
    name,
    live: false,
    hosts: { form: ['https://pay.example'], frame: ['https://frame.example'] },
    accepts: (currency) => currency === 'UYU',
    start: async (checkout) => {
      if (control.startFails) throw new PaymentError('pay.example responded with 503', { permanent: false })
      begun.set(checkout.reference, checkout)
      if (!books.has(checkout.reference)) books.set(checkout.reference, { state: 'pending' })
      await control.duringStart()
      const { reference } = checkout
      return {
        providerRef: `ref-${reference}`,
        step: { kind: 'redirect', url: `https://pay.example/${reference}` },
      }
    },
    readReturn: async ({ query }) => {
      const agreed = query.get('agreed')
      return { kind: 'back', event: null, ...(agreed !== null && { complete: { agreed } }) }
    },
    readWebhook: async ({ headers, body }) => {
      if (control.cannotCheck) throw new PaymentError('pay.example does not respond', { permanent: false })
      if (headers['x-signature'] !== webhookSecret) return { kind: 'refused', why: 'wrong signature' }
      const parsed = JSON.parse(body.toString()) as { event: string; reference: string; isReversal?: boolean }
      const { event, reference, isReversal = false } = parsed
      return {
        kind: 'event',
        event: {
          eventKey: event,
          reference,
          providerRef: null,
          providerId: `id-${reference}`,
          isReversal,
        },
      }
    },
    complete: async ({ reference }, { agreed }) => {
      if (agreed === 'no') return { kind: 'found', found: { state: 'failed' } }
      if (books.get(reference)?.state === 'pending') {
        control.taken += 1
        pay(reference)
      }
      return { kind: 'found', found: books.get(reference) ?? { state: 'failed' } }
    },
    verify: async ({ reference }) => {
      control.asked += 1
      if (control.isDown) throw new PaymentError('pay.example does not respond', { permanent: false })
      return books.get(reference) ?? { state: 'failed' }
    },
    refund: null,
  }
  const pay = (reference: string, changes: Partial<ReportedCapture> = {}): void => {
    const checkout = begun.get(reference)
    if (!checkout) throw new Error(`${reference} was never started`)
    const { amount, currency } = checkout
    books.set(reference, {
      state: 'paid',
      reference,
      providerId: `id-${reference}`,
      amount,
      currency,
      live: false,
      ...changes,
    })
  }
  return {
    provider,
    control,
    begun,
    /** The payer pays at the provider. */
    pay,
    /** The payer approves, and the provider waits for the capture. */
    agree: (reference: string) =>
      void books.set(reference, { state: 'pending', complete: { agreed: 'yes' } }),
    decline: (reference: string) => void books.set(reference, { state: 'failed' }),
  }
}

export type PaymentScene = Awaited<ReturnType<typeof createPaymentScene>>

/** An application with two scripted providers, the test provider and `more`. */
export async function createPaymentScene(
  changes: Partial<Omit<AppDeps, 'payments'>> = {},
  more: readonly PaymentProvider[] = [],
) {
  const plenty = 1e6
  const [one, other] = [scriptedProvider('stripe'), scriptedProvider('paystack')]
  const app: TestApp = await createTestApp({
    maps: straightMaps(),
    authSecret: sessionSecret,
    limits: { all: plenty, payments: plenty, webhooks: plenty },
    payments: (database) => [
      one.provider,
      other.provider,
      testPayments({ secret: testSecret, store: createTestPayments(database, systemClock) }),
      ...more,
    ],
    ...changes,
  })
  const carType = await createCarType(app.database)
  const { pool } = app.database
  const rows = async <Row extends object>(text: string, values: unknown[] = []) =>
    (await pool.query<Row>(text, values)).rows

  return {
    app,
    one,
    other,
    rows,
    /** A rider with a trip of 110 to pay: closed, or waiting for prepayment. */
    async trip(status: BookingStatus = 'PENDING', fields: Record<string, unknown> = {}): Promise<Scene> {
      const scene = await createScene(app.database, sessionSecret, { carType, isAssigned: true })
      await pool.query('delete from payments where id = $1', [scene.payment])
      const code = `T${Math.random().toString(36).slice(2, 9).toUpperCase()}`
      const row = {
        status,
        booking_id: code,
        trip_cost: 1_100_000,
        driver_share: 1_000_000,
        convenience_fees: 100_000,
        payable_amount: 1_100_000,
        payment_mode: 'card',
        ...(status === 'PAYMENT_PENDING' ? { driver: null, fleetadmin: null } : { closed_at: Date.now() }),
        ...fields,
      }
      await pool.query(
        `update bookings b set (${Object.keys(row).join()}) =
          (select ${Object.keys(row).join()} from jsonb_populate_record(b, $2)) where id = $1`,
        [scene.booking, JSON.stringify(row)],
      )
      return scene
    },

    async call<T>(scene: Scene, member: SceneUser, method: 'GET' | 'POST', url: string, payload?: object) {
      const answer = await app.server.inject({
        method,
        url,
        headers: { authorization: scene.bearers[member] },
        ...(payload && { payload }),
      })
      return { status: answer.statusCode, body: answer.json<T & { error?: string }>() }
    },

    /** Posts the form of an order like the rider's browser; returns the redirect. */
    async pay(
      scene: Scene,
      provider: string,
      fields: Record<string, string> = {},
      member: SceneUser = 'rider',
    ) {
      const answer = await app.server.inject({
        method: 'POST',
        url: `/pay/${provider}`,
        headers: {
          authorization: scene.bearers[member],
          'content-type': 'application/x-www-form-urlencoded',
        },
        payload: new URLSearchParams({ order_id: scene.booking, ...fields }).toString(),
      })
      const location = String(answer.headers.location)
      return { status: answer.statusCode, location, id: location.split('/')[3] ?? '' }
    },

    /** The scripted provider's message about a reference. */
    webhook: (provider: string, event: string, reference: string, signature = webhookSecret) =>
      app.server.inject({
        method: 'POST',
        url: `/pay/${provider}/webhook`,
        headers: { 'content-type': 'application/json', 'x-signature': signature },
        payload: JSON.stringify({ event, reference }),
      }),

    payment: async (id: string) =>
      (
        await rows<{
          reference: string
          state: string
          used_for: string | null
          closed: boolean
          failure: string | null
        }>('select reference, state, used_for, closed, failure from payments where id = $1', [id])
      )[0],
    booking: async ({ booking }: Scene) =>
      (
        await rows<{ status: string; payment_mode: string; payable_amount: number; version: number }>(
          'select status, payment_mode, payable_amount, version from bookings where id = $1',
          [booking],
        )
      )[0],
    /** The ledger entries of a payment; never more than one. */
    entries: (id: string) =>
      rows<{ kind: string }>('select kind from ledger_entries where key = $1', [`payment:${id}`]),
    balance: async (uid: string) =>
      (await rows<{ n: number }>('select wallet_balance as n from users where id = $1', [uid]))[0]?.n,
    /** The balance of a trip's escrow. */
    escrow: async ({ booking }: Scene) =>
      (
        await rows<{ n: number }>(
          'select coalesce(sum(amount), 0)::bigint as n from ledger_legs where account = $1',
          [`trip:${booking}`],
        )
      )[0]?.n,
    credit: async (uid: string, amount: number) => {
      await app.services.walletAdmin.adjustments.credit(uid, { uid, amount, reason: 'test' }, null)
    },
  }
}

/** Steps that tests of attempts share. */
export function attemptSteps(current: () => PaymentScene) {
  /** Starts an attempt. */
  async function begin(trip: Scene, provider: 'stripe' | 'paystack' = 'stripe') {
    const { id } = await current().pay(trip, provider)
    const reference = (await current().payment(id))?.reference ?? ''
    const scripted = provider === 'stripe' ? current().one : current().other
    return { id, reference, paid: () => scripted.pay(reference), decline: () => scripted.decline(reference) }
  }

  /** Asserts that each payment was used once, with one ledger entry, and that ended trips have an empty escrow. */
  async function expectUsedOnce(trip: Scene, ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const payment = await current().payment(id)
      expect(payment).toMatchObject({ state: 'paid', closed: true })
      const kind = { booking: 'card_payment', wallet: 'late_capture' }[payment?.used_for ?? '']
      expect(await current().entries(id)).toEqual([{ kind }])
    }
    const { status } = (await current().booking(trip)) ?? {}
    if (status === 'PAID' || status === 'CANCELLED') expect(await current().escrow(trip)).toBe(0)
  }
  return { begin, expectUsedOnce }
}
