import type { AddressInfo } from 'node:net'
import { paymentStates, paymentSteps } from '@hansom/domain/payments/payment'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Scene } from '../../access-scene.fixture.ts'
import { attemptSteps, createPaymentScene, type PaymentScene, webhookSecret } from './payments.fixture.ts'
import { movePayment } from './store.ts'

let scene: PaymentScene
beforeAll(async () => {
  scene = await createPaymentScene()
  await scene.app.server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => scene.app.close())

const due = 1_100_000
const { begin, expectUsedOnce } = attemptSteps(() => scene)
const confirm = (id: string) => scene.app.services.payments.confirm(id)
const rider = (trip: Scene, command: string, payload: object = {}) =>
  scene.call<{ status: string }>(
    trip,
    'rider',
    'POST',
    `/api/v1/bookings/${trip.booking}/${command}`,
    payload,
  )

test('webhook: 100 concurrent deliveries of ten messages -> one entry, one PAID event', async () => {
  const trip = await scene.trip()
  const attempt = await begin(trip)
  attempt.paid()
  const { port } = scene.app.server.server.address() as AddressInfo
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, turn) =>
      fetch(`http://127.0.0.1:${port}/pay/stripe/webhook`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-signature': webhookSecret },
        body: JSON.stringify({ event: `storm-${turn % 10}`, reference: attempt.reference }),
      }).then(({ status }) => status),
    ),
  )
  expect(new Set(answers)).toEqual(new Set([200]))
  await scene.app.services.payments.stop()
  await expectUsedOnce(trip, [attempt.id])
  expect((await scene.booking(trip))?.status).toBe('PAID')
  const stored = await scene.rows('select from payment_messages where reference = $1', [attempt.reference])
  expect(stored).toHaveLength(10)
  const events = await scene.rows(`select from booking_events where booking_id = $1 and to_status = 'PAID'`, [
    trip.booking,
  ])
  expect(events).toHaveLength(1)
  // The driver's share, credited once.
  expect(await scene.balance(trip.ids.driver)).toBe(1_000_000)
})

describe("captured money: not needed by the booking -> rider's wallet, with a notification", () => {
  const toWallet = async (trip: Scene, id: string, amount = due) => {
    const before = (await scene.balance(trip.ids.rider)) ?? 0
    await confirm(id)
    expect(await scene.payment(id)).toMatchObject({ state: 'paid', used_for: 'wallet', closed: true })
    expect(await scene.balance(trip.ids.rider)).toBe(before + amount)
    const notified = await scene.rows<{ title: string }>(
      'select title from user_notifications where user_id = $1 order by id desc limit 1',
      [trip.ids.rider],
    )
    expect(notified).toEqual([{ title: 'notify.payment_to_wallet.title' }])
    await confirm(id)
    await expectUsedOnce(trip, [id])
    expect(await scene.balance(trip.ids.rider)).toBe(before + amount)
  }

  test('booking was cancelled', async () => {
    const trip = await scene.trip('PAYMENT_PENDING')
    const attempt = await begin(trip)
    expect((await rider(trip, 'cancel', { reason: 'because' })).body.status).toBe('CANCELLED')
    attempt.paid()
    await toWallet(trip, attempt.id)
  })

  test('booking was paid in cash meanwhile', async () => {
    const trip = await scene.trip()
    const attempt = await begin(trip)
    attempt.paid()
    await scene.call(trip, 'driver', 'POST', `/api/v1/bookings/${trip.booking}/confirm-cash`, {})
    await toWallet(trip, attempt.id)
    expect(await scene.balance(trip.ids.driver)).toBe(-100_000)
  })

  test('booking was paid by wallet meanwhile', async () => {
    const trip = await scene.trip()
    await scene.credit(trip.ids.rider, due)
    const attempt = await begin(trip)
    attempt.paid()
    expect((await rider(trip, 'pay-by-wallet')).body.status).toBe('PAID')
    await toWallet(trip, attempt.id)
  })

  test('two providers captured the money', async () => {
    const trip = await scene.trip()
    const [first, second] = [await begin(trip), await begin(trip, 'paystack')]
    first.paid()
    second.paid()
    await confirm(first.id)
    expect((await scene.booking(trip))?.status).toBe('PAID')
    await toWallet(trip, second.id)
  })

  test('amount due was reduced -> the surplus goes to the wallet', async () => {
    const trip = await scene.trip()
    await scene.credit(trip.ids.rider, 300_000)
    const attempt = await begin(trip)
    expect((await rider(trip, 'choose-payment', { payment_mode: 'wallet_card' })).status).toBe(200)
    expect((await scene.booking(trip))?.payable_amount).toBe(800_000)
    attempt.paid()
    await confirm(attempt.id)
    // The card payment pays the trip; the surplus goes to the rider.
    expect((await scene.booking(trip))?.status).toBe('PAID')
    expect(await scene.balance(trip.ids.rider)).toBe(300_000)
  })

  test('attempt was given up before the capture arrived', async () => {
    const trip = await scene.trip()
    const attempt = await begin(trip)
    await scene.call(trip, 'rider', 'POST', `/api/v1/payments/${attempt.id}/give-up`)
    expect(await scene.payment(attempt.id)).toMatchObject({
      state: 'failed',
      failure: 'given_up',
      closed: true,
    })
    await scene.call(trip, 'driver', 'POST', `/api/v1/bookings/${trip.booking}/confirm-cash`, {})
    attempt.paid()
    await toWallet(trip, attempt.id)
  })
})

test('confirm: prepaid booking -> NEW, with the money in escrow', async () => {
  const trip = await scene.trip('PAYMENT_PENDING')
  const attempt = await begin(trip)
  attempt.paid()
  await Promise.all([confirm(attempt.id), confirm(attempt.id), confirm(attempt.id)])
  await expectUsedOnce(trip, [attempt.id])
  expect((await scene.booking(trip))?.status).toBe('NEW')
  expect(await scene.escrow(trip)).toBe(due)
})

test('movePayment: every pair of states -> only the allowed transitions, paid is final', async () => {
  const { db } = scene.app.database
  for (const from of paymentStates) {
    for (const to of paymentStates) {
      const trip = await scene.trip()
      const { id } = await begin(trip)
      await scene.rows(
        `update payments set state = $2, paid_at = case when $2 = 'paid' then 1 end where id = $1`,
        [id, from],
      )
      const moved = await movePayment(db, id, to, to === 'paid' ? { paid_at: 1 } : {})
      expect([from, to, moved !== null]).toEqual([from, to, paymentSteps[to].includes(from)])
      await scene.rows(`delete from payments where id = $1`, [id])
    }
  }
})

describe('concurrency', () => {
  test.each([1, 2, 3, 4])(
    'two cards, wallet and cash at once -> one settles, no money is lost (%s)',
    async () => {
      const trip = await scene.trip()
      await scene.credit(trip.ids.rider, due)
      const [first, second] = [await begin(trip), await begin(trip, 'paystack')]
      first.paid()
      second.paid()
      await Promise.all([
        confirm(first.id),
        rider(trip, 'pay-by-wallet'),
        confirm(second.id),
        scene.call(trip, 'driver', 'POST', `/api/v1/bookings/${trip.booking}/confirm-cash`, {}),
        confirm(first.id),
        confirm(second.id),
      ])
      await expectUsedOnce(trip, [first.id, second.id])
      expect((await scene.booking(trip))?.status).toBe('PAID')
      const uses = (
        await scene.rows<{ used_for: string }>('select used_for from payments where booking = $1', [
          trip.booking,
        ])
      ).filter(({ used_for }) => used_for === 'booking').length
      const kinds = await scene.rows<{ kind: string }>(
        `select kind from ledger_entries where booking_id = $1 and kind in ('card_payment', 'wallet_payment', 'cash_payment')`,
        [trip.booking],
      )
      expect(kinds).toHaveLength(1)
      // The rider paid twice by card and had 110: the wallet keeps all of it minus one trip, or all of it if the driver
      // got cash.
      const [rest, share] = [await scene.balance(trip.ids.rider), await scene.balance(trip.ids.driver)]
      const isCash = kinds[0]?.kind === 'cash_payment'
      expect(rest).toBe(isCash ? 3 * due : 2 * due)
      expect(share).toBe(isCash ? -100_000 : 1_000_000)
      expect(uses).toBe(kinds[0]?.kind === 'card_payment' ? 1 : 0)
    },
  )

  test('cancel and capture -> the money is in escrow or refunded', async () => {
    for (let turn = 0; turn < 4; turn++) {
      const trip = await scene.trip('PAYMENT_PENDING')
      const attempt = await begin(trip)
      attempt.paid()
      await Promise.all([confirm(attempt.id), rider(trip, 'cancel', { reason: 'because' })])
      await expectUsedOnce(trip, [attempt.id])
      const { status } = (await scene.booking(trip)) ?? {}
      const rest = await scene.balance(trip.ids.rider)
      // If it was captured and then cancelled, the money is refunded too.
      expect(status === 'CANCELLED' ? rest : await scene.escrow(trip)).toBe(due)
    }
  })
})

describe('wallet and card', () => {
  test('card part is captured -> the trip is paid', async () => {
    const trip = await scene.trip()
    await scene.credit(trip.ids.rider, 300_000)
    await rider(trip, 'choose-payment', { payment_mode: 'wallet_card' })
    const attempt = await begin(trip)
    expect(scene.one.begun.get(attempt.reference)?.amount).toBe(800_000)
    attempt.paid()
    await confirm(attempt.id)
    await expectUsedOnce(trip, [attempt.id])
    expect([(await scene.booking(trip))?.status, await scene.balance(trip.ids.rider)]).toEqual(['PAID', 0])
  })

  test('last attempt fails while another begins -> the new one is for the amount due', async () => {
    for (let round = 0; round < 12; round += 1) {
      const trip = await scene.trip('PAYMENT_PENDING')
      await scene.credit(trip.ids.rider, 300_000)
      await rider(trip, 'choose-payment', { payment_mode: 'wallet_card' })
      const first = await begin(trip)
      first.decline()
      const [, next] = await Promise.all([confirm(first.id), scene.pay(trip, 'paystack')])
      const [attempt] = await scene.rows<{ amount: number; state: string }>(
        'select amount, state from payments where id = $1',
        [next.id],
      )
      expect([attempt?.state, attempt?.amount]).toEqual([
        'started',
        (await scene.booking(trip))?.payable_amount,
      ])
    }
  })

  test('wallet hold -> kept while another attempt is open, released with the last', async () => {
    const trip = await scene.trip('PAYMENT_PENDING')
    await scene.credit(trip.ids.rider, 300_000)
    await rider(trip, 'choose-payment', { payment_mode: 'wallet_card' })
    const [first, second] = [await begin(trip), await begin(trip, 'paystack')]
    first.decline()
    await confirm(first.id)
    expect(await scene.payment(first.id)).toMatchObject({ state: 'failed', closed: true })
    expect(await scene.balance(trip.ids.rider)).toBe(0)
    second.decline()
    await confirm(second.id)
    expect(await scene.balance(trip.ids.rider)).toBe(300_000)
    expect(await scene.booking(trip)).toMatchObject({ payment_mode: 'card', payable_amount: due })
  })
})

test('ledger: all payments -> sums to zero', async () => {
  const [row] = await scene.rows<{ sum: number }>(
    'select coalesce(sum(amount), 0)::bigint as sum from ledger_legs',
  )
  expect(row?.sum).toBe(0)
})
