import { openPaymentStates } from '@hansom/domain/payments/payment'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Scene } from '../../access-scene.fixture.ts'
import { attemptSteps, createPaymentScene, type PaymentScene } from './payments.fixture.ts'
import { movePayment } from './store.ts'

let scene: PaymentScene
beforeAll(async () => {
  scene = await createPaymentScene()
})
afterAll(() => scene.app.close())

const due = 1_100_000
const { begin, expectUsedOnce } = attemptSteps(() => scene)
const rider = (trip: Scene, command: string, payload: object = {}) =>
  scene.call<{ status: string }>(
    trip,
    'rider',
    'POST',
    `/api/v1/bookings/${trip.booking}/${command}`,
    payload,
  )

describe('crash recovery', () => {
  const { reconcile } = { reconcile: () => scene.app.services.payments.reconcile() }
  const paidAt = { paid_at: 1, provider_id: 'x' }

  test('attempt stored, provider not yet called -> superseded by a new attempt', async () => {
    const trip = await scene.trip()
    const attempt = await begin(trip)
    await scene.rows(
      `update payments set state = 'created', step = null, provider_ref = null where id = $1`,
      [attempt.id],
    )
    // Shortly after, the open attempt is returned; much later, a new one is created.
    expect((await scene.pay(trip, 'stripe')).id).toBe(attempt.id)
    await scene.rows('update payments set opened_at = opened_at - 120000 where id = $1', [attempt.id])
    const next = await scene.pay(trip, 'stripe')
    expect(next.id).not.toBe(attempt.id)
    expect(await scene.payment(attempt.id)).toMatchObject({ state: 'expired', failure: 'superseded' })
    expect((await scene.payment(next.id))?.state).toBe('started')
  })

  test('attempt paid, booking not yet -> booking is paid', async () => {
    const trip = await scene.trip()
    const attempt = await begin(trip)
    await movePayment(scene.app.database.db, attempt.id, 'paid', paidAt)
    await reconcile()
    await expectUsedOnce(trip, [attempt.id])
    expect((await scene.booking(trip))?.status).toBe('PAID')
  })

  test('booking paid, use not recorded on the attempt -> recorded', async () => {
    const trip = await scene.trip()
    const attempt = await begin(trip)
    await movePayment(scene.app.database.db, attempt.id, 'paid', paidAt)
    await scene.app.services.bookingsFeature.bookings.system.settleCapture(trip.booking, {
      provider: 'stripe',
      amount: due,
      payment: attempt.id,
    })
    expect((await scene.payment(attempt.id))?.used_for).toBeNull()
    await reconcile()
    await expectUsedOnce(trip, [attempt.id])
    expect((await scene.payment(attempt.id))?.used_for).toBe('booking')
    expect(await scene.balance(trip.ids.rider)).toBe(0)
  })

  test('money already credited to the wallet -> not used for the booking too', async () => {
    const trip = await scene.trip()
    const attempt = await begin(trip)
    await movePayment(scene.app.database.db, attempt.id, 'paid', paidAt)
    await scene.app.services.wallet.appendOnce(
      [
        {
          kind: 'late_capture',
          key: `payment:${attempt.id}`,
          booking: trip.booking,
          legs: [
            { account: 'provider:stripe', amount: -due },
            { account: `user:${trip.ids.rider}`, amount: due },
          ],
        },
      ],
      { at: 1, currency: 'UYU', by: null },
    )
    const query = vi.spyOn(scene.app.database.pool, 'query')
    const refused = scene.app.services.bookingsFeature.bookings.system.settleCapture(trip.booking, {
      provider: 'stripe',
      amount: due,
      payment: attempt.id,
    })
    await expect(refused).rejects.toMatchObject({ key: 'conflict' })
    const sent = query.mock.calls.map(([statement]) => statement as { name?: string })
    query.mockRestore()
    // The second one with reloaded facts; more could not succeed.
    expect(sent.filter(({ name }) => name === 'apply-booking-decision')).toHaveLength(2)
    await reconcile()
    await expectUsedOnce(trip, [attempt.id])
    expect((await scene.booking(trip))?.status).toBe('PENDING')
  })

  test('message stored, not processed -> processed', async () => {
    const trip = await scene.trip()
    const attempt = await begin(trip)
    attempt.paid()
    await scene.rows(
      `insert into payment_messages (id, provider, event_key, query, body, received_at, reference, retry_at)
        values (gen_random_uuid(), 'stripe', $1, '', '', 0, $1, 0)`,
      [attempt.reference],
    )
    await reconcile()
    await expectUsedOnce(trip, [attempt.id])
  })

  test('attempt failed, wallet hold not released -> released', async () => {
    const trip = await scene.trip()
    await scene.credit(trip.ids.rider, 300_000)
    await rider(trip, 'choose-payment', { payment_mode: 'wallet_card' })
    const attempt = await begin(trip)
    await movePayment(scene.app.database.db, attempt.id, 'failed', { failure: 'declined' })
    expect(await scene.balance(trip.ids.rider)).toBe(0)
    await reconcile()
    expect(await scene.balance(trip.ids.rider)).toBe(300_000)
    expect(await scene.booking(trip)).toMatchObject({ payment_mode: 'card', payable_amount: due })
    const { version } = (await scene.booking(trip)) ?? {}
    await reconcile()
    expect((await scene.booking(trip))?.version).toBe(version)
  })
})

describe('open attempts', () => {
  const age = (id: string, ms: number) =>
    scene.rows('update payments set opened_at = opened_at - $2, ask_at = 0 where id = $1', [id, ms])
  const reconcile = () => scene.app.services.payments.reconcile()
  /** Makes the next poll due. */
  const later = (id: string) =>
    scene.rows('update payments set ask_at = 0 where id = $1 and ask_at is not null', [id])

  test('reconciled -> paid or lapsed', async () => {
    const [trip, other] = [await scene.trip(), await scene.trip()]
    const [attempt, lost] = [await begin(trip), await begin(other)]
    await age(attempt.id, 60_000)
    attempt.paid()
    await reconcile()
    await expectUsedOnce(trip, [attempt.id])
    await age(lost.id, 23 * 60 * 60_000)
    await reconcile()
    expect(openPaymentStates).toContain((await scene.payment(lost.id))?.state)
    await age(lost.id, 60 * 60_000)
    await reconcile()
    expect(await scene.payment(lost.id)).toMatchObject({ state: 'expired', failure: null, closed: true })
    // Money that arrives later still counts.
    lost.paid()
    await scene.webhook('stripe', `late-${lost.reference}`, lost.reference)
    await scene.app.services.payments.stop()
    await expectUsedOnce(other, [lost.id])
  })

  test('provider is silent -> lapse after three days instead of one', async () => {
    const trip = await scene.trip()
    const attempt = await begin(trip)
    scene.one.control.isDown = true
    await age(attempt.id, 30 * 60 * 60_000)
    await reconcile()
    expect(openPaymentStates).toContain((await scene.payment(attempt.id))?.state)
    await age(attempt.id, 50 * 60 * 60_000)
    await reconcile()
    scene.one.control.isDown = false
    expect((await scene.payment(attempt.id))?.state).toBe('expired')
  })

  test.each([
    [
      'given up',
      (trip: Scene, id: string) => scene.call(trip, 'rider', 'POST', `/api/v1/payments/${id}/give-up`),
    ],
    [
      'replaced',
      async (trip: Scene, id: string) => {
        await scene.rows('update payments set amount = amount - 100 where id = $1', [id])
        await scene.pay(trip, 'stripe')
        await scene.rows('update payments set amount = amount + 100 where id = $1', [id])
      },
    ],
    [
      'lapsed',
      async (_trip: Scene, id: string) => {
        await age(id, 25 * 60 * 60_000)
        await reconcile()
      },
    ],
  ] as const)('%s, then paid without a webhook -> found by a later poll', async (_how, end) => {
    const trip = await scene.trip()
    const attempt = await begin(trip)
    await end(trip, attempt.id)
    expect(openPaymentStates).not.toContain((await scene.payment(attempt.id))?.state)
    attempt.paid()
    await reconcile()
    expect((await scene.payment(attempt.id))?.state).not.toBe('paid')
    await later(attempt.id)
    await reconcile()
    await expectUsedOnce(trip, [attempt.id])
  })

  test('ended attempt -> polled four times, then never', async () => {
    const trip = await scene.trip()
    const attempt = await begin(trip)
    await scene.call(trip, 'rider', 'POST', `/api/v1/payments/${attempt.id}/give-up`)
    const asks: (number | null)[] = []
    for (let look = 0; look < 5; look += 1) {
      const [row] = await scene.rows<{ ask_at: number | null; opened_at: number }>(
        'select ask_at, opened_at from payments where id = $1',
        [attempt.id],
      )
      asks.push(row?.ask_at ?? null)
      if (!row?.ask_at) break
      await scene.rows('update payments set opened_at = opened_at - ask_at + $2, ask_at = $2 where id = $1', [
        attempt.id,
        Date.now() - 1,
      ])
      await reconcile()
    }
    expect(asks).toHaveLength(5)
    expect(asks.at(-1)).toBeNull()
  })

  test('message whose provider is silent -> processed later', async () => {
    const trip = await scene.trip()
    const attempt = await begin(trip)
    attempt.paid()
    scene.one.control.isDown = true
    expect((await scene.webhook('stripe', `silent-${attempt.id}`, attempt.reference)).statusCode).toBe(200)
    await scene.app.services.payments.stop()
    scene.one.control.isDown = false
    expect((await scene.booking(trip))?.status).toBe('PENDING')
    await scene.rows('update payment_messages set retry_at = 0 where processed_at is null')
    await reconcile()
    await expectUsedOnce(trip, [attempt.id])
  })
})

describe('fifty failing payments', () => {
  const reconcile = () => scene.app.services.payments.reconcile()

  /** Paid attempts whose ledger key is taken by an unrelated entry. */
  async function poison(count: number): Promise<string[]> {
    const { ids } = await scene.trip()
    const made = await scene.rows<{ id: string }>(
      `with wishes as (insert into top_ups (id, code, uid, amount, currency, created_at)
          select gen_random_uuid(), 'P' || gen_random_uuid(), $1, 10000, 'UYU', 1 from generate_series(1, $2) returning *)
        insert into payments (id, provider, live, top_up, code, number, reference, payer, payer_name, amount, currency,
            state, created_at, opened_at, paid_at)
          select ('00000000' || substr(gen_random_uuid()::text, 9))::uuid, 'stripe', false, id, code, 1, code || '-1', $1,
            'R R', 10000, 'UYU', 'paid', 1, 1, 1 from wishes returning id`,
      [ids.rider, count],
    )
    for (const { id } of made) {
      const legs = [
        { account: 'adjustment' as const, amount: -1 },
        { account: `user:${ids.rider}` as const, amount: 1 },
      ]
      const entry = { kind: 'admin_credit' as const, key: `payment:${id}`, booking: null, legs }
      await scene.app.services.wallet.appendOnce([entry], { at: 1, currency: 'UYU', by: null })
    }
    return made.map(({ id }) => id)
  }
  const triesOf = async (ids: readonly string[]) =>
    (
      await scene.rows<{ n: number }>(
        'select sum(close_tries)::int as n from payments where id = any($1::uuid[])',
        [ids],
      )
    )[0]?.n

  test('ended attempts -> a good one is handled in the next run, failing ones back off', async () => {
    const poisoned = await poison(50)
    const good = async () => {
      const trip = await scene.trip()
      const attempt = await begin(trip)
      await movePayment(scene.app.database.db, attempt.id, 'paid', { paid_at: 1, provider_id: 'x' })
      return { trip, attempt }
    }
    const first = await good()
    await reconcile()
    await reconcile()
    await expectUsedOnce(first.trip, [first.attempt.id])
    expect(await triesOf(poisoned)).toBe(50)
    const second = await good()
    await reconcile()
    await expectUsedOnce(second.trip, [second.attempt.id])
    expect(await triesOf(poisoned)).toBe(50)
    await scene.rows('update payments set close_at = 0 where id = any($1::uuid[])', [poisoned])
    await reconcile()
    expect(await triesOf(poisoned)).toBe(100)
    const [waits] = await scene.rows<{ least: number }>(
      'select min(close_at) as least from payments where id = any($1::uuid[])',
      [poisoned],
    )
    expect((waits?.least ?? 0) - Date.now()).toBeGreaterThan(50_000)
    await scene.rows('update payments set closed = true where id = any($1::uuid[])', [poisoned])
  })

  test("open attempts of a silent provider -> another provider's payment is polled in the same run", async () => {
    const trip = await scene.trip()
    const attempt = await begin(trip, 'paystack')
    attempt.paid()
    const silent = await scene.rows<{ id: string }>(
      `with wishes as (insert into top_ups (id, code, uid, amount, currency, created_at)
          select gen_random_uuid(), 'S' || gen_random_uuid(), $1, 10000, 'UYU', 1 from generate_series(1, 50) returning *)
        insert into payments (id, provider, live, top_up, code, number, reference, payer, payer_name, amount, currency,
            state, created_at, opened_at, ask_at)
          select gen_random_uuid(), 'stripe', false, id, code, 1, code || '-1', $1, 'R R', 10000, 'UYU', 'pending', 1, $2, 1
            from wishes returning id`,
      [trip.ids.rider, Date.now()],
    )
    await scene.rows('update payments set ask_at = $2 where id = $1', [attempt.id, Date.now() - 1])
    scene.one.control.isDown = true
    await reconcile()
    scene.one.control.isDown = false
    await expectUsedOnce(trip, [attempt.id])
    const ids = silent.map(({ id }) => id)
    await scene.rows(`delete from payments where id = any($1::uuid[])`, [ids])
  })
})
