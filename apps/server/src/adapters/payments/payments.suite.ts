import { checkPayment, type ReportedPayment } from '@hansom/domain/payments/payment'
import type { Falsified, ProviderDouble, SentMessage } from '@hansom/doubles/payments/double'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Checkout,
  type IncomingMessage,
  PaymentError,
  type PaymentProvider,
  type StartedCheckout,
  type StartedPayment,
} from './port.ts'

export interface PaymentsUnderTest {
  provider: PaymentProvider
  double: ProviderDouble
}

const site = 'https://rides.example'
let count = 0

/** Contract tests for every payment provider's adapter, against a double of that provider. */
export function paymentsSuite(name: string, open: () => Promise<PaymentsUnderTest>): void {
  describe(`payments: ${name}`, () => {
    let provider: PaymentProvider
    let double: ProviderDouble

    beforeAll(async () => {
      ;({ provider, double } = await open())
    })
    afterAll(() => double?.close())

    function newCheckout(change: Partial<Checkout> = {}): Checkout {
      count += 1
      return {
        reference: `K7M2PQ-${count}`,
        ...double.sample,
        description: 'Trip K7M2PQ',
        payer: {
          id: '01914de9-2cd4-7722-82bd-4d43ffed0c8a',
          firstName: 'Ana María',
          lastName: "O'Neill & Söhne",
          email: 'rider+1@example.com',
          phone: '+59899123456',
        },
        returnUrl: `${site}/pay/${name}/return/1`,
        webhookUrl: `${site}/pay/${name}/webhook`,
        locale: 'en',
        ...change,
      }
    }

    const asStarted = (checkout: Checkout, { providerRef }: StartedCheckout): StartedPayment => ({
      reference: checkout.reference,
      amount: checkout.amount,
      currency: checkout.currency,
      providerRef,
      providerId: null,
    })

    /** The payment's state after the payer has acted: from the provider's API, otherwise from its signed message. */
    async function found(payment: StartedPayment): Promise<ReportedPayment> {
      const queried = await provider.verify?.(payment)
      if (queried && queried.state !== 'pending') return queried
      // Some providers can only be queried by the id in their message.
      const message = incoming(await double.webhook(payment.reference))
      const reading = await provider.readWebhook(message)
      if (reading.kind !== 'event') throw new Error('no event')
      const { providerId, found: signed } = reading.event
      if (provider.verify) return provider.verify({ ...payment, providerId }, message.body)
      if (!signed) throw new Error('no signed message')
      return signed
    }

    /** A payment after the payer has acted, including the data that the browser returned. */
    async function acted(action: 'approve' | 'decline' | 'leave', checkout = newCheckout()) {
      const started = await provider.start(checkout)
      const payment = asStarted(checkout, started)
      const { complete, back } = await double.pay(started.step, action)
      if (back) {
        const reading = await provider.readReturn(incoming(back), payment)
        expect(reading.kind).toBe('back')
        if (reading.kind === 'back' && reading.complete && provider.complete) {
          await provider.complete(payment, reading.complete)
        }
      }
      if (complete && provider.complete) await provider.complete(payment, complete)
      return { payment, checkout, complete }
    }

    const expected = (payment: StartedPayment) => ({ ...payment, live: provider.live })

    test('start: payer pays -> paid with our reference, amount and currency', async () => {
      const { payment } = await acted('approve')
      expect(checkPayment(expected(payment), await found(payment))).toMatchObject({ to: 'paid' })
      expect(double.captures(payment.reference)).toBe(1)
    })

    test('start and complete: repeated -> charged once', async () => {
      const { payment, checkout, complete } = await acted('approve')
      if (complete && provider.complete) await provider.complete(payment, complete).catch(() => {})
      await provider.start(checkout).catch(() => {})
      expect(double.captures(payment.reference)).toBe(1)
      expect(checkPayment(expected(payment), await found(payment))).toMatchObject({ to: 'paid' })
    })

    test('payer declines or leaves -> not paid', async () => {
      for (const action of ['decline', 'leave'] as const) {
        // A declined one-time token may be a PaymentError; any other error is a bug.
        const { payment } = await acted(action).catch((reason: unknown) => {
          if (!(reason instanceof PaymentError)) throw reason
          return { payment: null }
        })
        if (payment === null || !provider.verify) continue
        expect(double.captures(payment.reference)).toBe(0)
        expect(['pending', 'failed']).toContain((await provider.verify(payment)).state)
      }
    })

    test('verify: another amount or currency -> reported as is', async () => {
      for (const falsified of [{ amount: double.sample.amount - 10_000 }, { currency: 'XTS' }]) {
        const { payment } = await acted('approve')
        double.falsify(payment.reference, falsified)
        // A provider with a single currency does not name it.
        const finding = await found(payment).then(
          (one) => checkPayment(expected(payment), one).to,
          () => 'refused',
        )
        if ('amount' in falsified) expect(['mismatch', 'refused']).toContain(finding)
        else expect(['mismatch', 'refused', 'paid']).toContain(finding)
      }
    })

    test('webhook: genuine message -> its attempt, same key for every delivery', async () => {
      const { payment } = await acted('approve')
      const message = incoming(await double.webhook(payment.reference))
      const [first, second] = [await provider.readWebhook(message), await provider.readWebhook(message)]
      expect(first.kind).toBe('event')
      if (first.kind !== 'event' || second.kind !== 'event') return
      expect(second.event.eventKey).toBe(first.event.eventKey)
      const { reference, providerRef, providerId } = first.event
      const namesIt =
        reference === payment.reference ||
        (providerRef !== null && providerRef === payment.providerRef) ||
        (reference === null && providerRef === null && providerId !== null)
      expect(namesIt).toBe(true)
    })

    test('webhook: signed with another secret -> refused, no secret in the reason', async () => {
      const { payment } = await acted('approve')
      const reading = await provider.readWebhook(
        incoming(await double.webhook(payment.reference, { forged: true })),
      )
      expect(reading.kind).toBe('refused')
      for (const value of Object.values(double.environment)) {
        if (value.length > 8) expect(JSON.stringify(reading)).not.toContain(value)
      }
    })

    test("webhook: changed content -> refused, or the provider's API decides", async () => {
      const { payment } = await acted('approve')
      const change: Falsified = { amount: double.sample.amount * 2 }
      const reading = await provider.readWebhook(incoming(await double.webhook(payment.reference, change)))
      if (reading.kind === 'event' && reading.event.found) {
        expect(checkPayment(expected(payment), reading.event.found).to).toBe('mismatch')
      }
      if (provider.verify) expect(checkPayment(expected(payment), await found(payment)).to).toBe('paid')
    })

    test('refund: part, then the rest -> each exactly once, where supported', async () => {
      if (!provider.refund) return
      const { payment } = await acted('approve')
      const one = await found(payment)
      if (one.state !== 'paid') throw new Error('not paid')
      const paid = { ...payment, providerId: one.providerId }
      const part = double.sample.amount / 2
      const order = (id: string, amount: number, refundedBefore: number, repeated = false) => ({
        id: `${payment.reference}-${id}`,
        amount,
        whole: amount === payment.amount,
        refundedBefore,
        repeated,
        reason: 'The route was longer than shown',
      })
      const refund = provider.refund
      const answer = await refund(paid, order('r1', part, 0))
      if (answer.state === 'failed') {
        // Some providers void the complete payment while it is unsettled.
        expect(double.refunded(payment.reference)).toBe(0)
        const rest = await refund(paid, order('r2', payment.amount, 0))
        expect(rest.state).not.toBe('failed')
        double.endRefunds?.('done')
        expect(double.refunded(payment.reference)).toBe(payment.amount)
        return
      }
      // An adapter that cannot tell whether a refund was made must not report it as failed.
      await refund(paid, order('r1', part, 0, true)).then(
        (again) => expect(again.state).not.toBe('failed'),
        (error: unknown) => expect(error).toMatchObject({ name: 'PaymentError', permanent: true }),
      )
      double.endRefunds?.('done')
      expect(double.refunded(payment.reference)).toBe(part)
      if (answer.state === 'pending' && provider.refundState) {
        const { providerRefundId } = answer
        const after = await provider.refundState(paid, { ...order('r1', part, 0), providerRefundId })
        expect(after.state).toBe('done')
      }
      const rest = await refund(paid, order('r2', payment.amount - part, part))
      expect(rest.state).not.toBe('failed')
      double.endRefunds?.('done')
      expect(double.refunded(payment.reference)).toBe(payment.amount)
      const more = await refund(paid, order('r3', part, payment.amount)).catch(() => null)
      if (more) expect(more.state).toBe('failed')
      double.endRefunds?.('done')
      expect(double.refunded(payment.reference)).toBe(payment.amount)
    })

    test('takenBack: refunds by us and by others -> reported, ours identified, where supported', async () => {
      const { listReversals: takenBack, refund } = provider
      if (!takenBack || !refund) return
      const { payment } = await acted('approve')
      const one = await found(payment)
      if (one.state !== 'paid') throw new Error('not paid')
      const paid = { ...payment, providerId: one.providerId }
      const before = await takenBack(paid)
      expect(before).toEqual(Array.isArray(before) ? [] : { total: 0 })
      double.endDay?.(payment.reference)
      const part = payment.amount / 5
      const id = `${payment.reference}-r1`
      const order = { id, amount: part, whole: false, refundedBefore: 0, repeated: false, reason: 'why' }
      const answer = await refund(paid, order)
      if (answer.state === 'failed') throw new Error(answer.why)
      double.endRefunds?.('done')
      double.reverse(payment.reference, 'refund', part * 2)
      const reported = await takenBack(paid)
      if (Array.isArray(reported)) {
        expect(reported.every(({ kind, state }) => kind === 'refund' && state === 'done')).toBe(true)
        expect(reported.map(({ amount }) => amount).toSorted((x, y) => x - y)).toEqual([part, part * 2])
        const ours = reported.filter((back) => back.order === id || back.id === answer.providerRefundId)
        expect(ours.map(({ amount }) => amount)).toEqual([part])
        expect(new Set(reported.map((back) => back.id)).size).toBe(2)
      } else expect(reported).toEqual({ total: part * 3 })
      if (!double.reversalMessage) return
      const reading = await provider.readWebhook(incoming(double.reversalMessage(payment.reference)))
      if (reading.kind !== 'event') throw new Error('no event')
      expect(reading.event.isReversal).toBe(true)
      const { reference, providerId } = reading.event
      expect(reference === payment.reference || providerId === one.providerId).toBe(true)
    })

    test('takenBack: chargeback -> pending, then lost or won, where supported', async () => {
      const { listReversals: takenBack } = provider
      const { endDispute } = double
      if (!takenBack || !endDispute) return
      const { payment } = await acted('approve')
      const one = await found(payment)
      if (one.state !== 'paid') throw new Error('not paid')
      const paid = { ...payment, providerId: one.providerId }
      double.reverse(payment.reference, 'chargeback', payment.amount)
      const disputes = async () => {
        const all = await takenBack(paid)
        return Array.isArray(all) ? all.map(({ kind, amount, state }) => [kind, amount, state]) : all
      }
      expect(await disputes()).toEqual([['chargeback', payment.amount, 'pending']])
      for (const [outcome, state] of [
        ['won', 'failed'],
        ['lost', 'done'],
      ] as const) {
        endDispute(payment.reference, outcome)
        expect(await disputes()).toEqual([['chargeback', payment.amount, state]])
      }
    })

    test("takes: the sample's currency and amount -> true; unknown currency -> false", () => {
      expect(provider.accepts(double.sample.currency, double.sample.amount)).toBe(true)
      expect(provider.accepts('XTS', double.sample.amount)).toBe(false)
    })

    test('provider does not respond -> PaymentError without URL path or secret', async () => {
      const { payment } = await acted('approve')
      const one = await found(payment)
      const unknown = { ...payment, providerId: 'providerId' in one ? one.providerId : null }
      double.isDown = true
      try {
        if (!provider.verify) return
        const error: unknown = await provider.verify(unknown).then(
          () => null,
          (reason: unknown) => reason,
        )
        expect(error).toMatchObject({ name: 'PaymentError', permanent: false })
        for (const value of Object.values(double.environment)) {
          if (value.length > 8 && !value.startsWith('http')) expect(String(error)).not.toContain(value)
        }
      } finally {
        double.isDown = false
      }
    })
  })
}

/** A message as the server's webhook endpoint passes it on. */
export function incoming(sent: SentMessage): IncomingMessage {
  return {
    method: sent.method,
    headers: Object.fromEntries(
      Object.entries(sent.headers).map(([key, value]) => [key.toLowerCase(), value]),
    ),
    query: new URL(sent.url).searchParams,
    body: Buffer.from(sent.body),
    from: '127.0.0.1',
    at: Date.now(),
  }
}
