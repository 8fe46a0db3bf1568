import { type FoundPayment, findPayment } from '@hansom/domain/payments/payment'
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

/** What every payment provider's adapter does, against a double of that provider. */
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

    /** The provider's word about a payment after the payer has acted: by its interface, else by its signed message. */
    async function found(payment: StartedPayment): Promise<FoundPayment> {
      const asked = await provider.verify?.(payment)
      if (asked && asked.state !== 'pending') return asked
      // Some can only be asked by the id that their message brings.
      const message = incoming(await double.webhook(payment.reference))
      const reading = await provider.readWebhook(message)
      if (reading.kind !== 'news') throw new Error('no news')
      const { providerId, found: signed } = reading.news
      if (provider.verify) return provider.verify({ ...payment, providerId }, message.body)
      if (!signed) throw new Error('no signed facts')
      return signed
    }

    /** A payment on which the payer has acted, with what the browser brought back handed over. */
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

    test('starts a checkout, and is found paid with our reference, amount and currency', async () => {
      const { payment } = await acted('approve')
      expect(findPayment(expected(payment), await found(payment))).toMatchObject({ to: 'paid' })
      expect(double.captures(payment.reference)).toBe(1)
    })

    test('takes nothing twice when it is started or completed again', async () => {
      const { payment, checkout, complete } = await acted('approve')
      if (complete && provider.complete) await provider.complete(payment, complete).catch(() => {})
      await provider.start(checkout).catch(() => {})
      expect(double.captures(payment.reference)).toBe(1)
      expect(findPayment(expected(payment), await found(payment))).toMatchObject({ to: 'paid' })
    })

    test('is not paid when the payer declines or leaves', async () => {
      for (const action of ['decline', 'leave'] as const) {
        // A declined one-time token may be an error of the provider's; any other error is ours.
        const { payment } = await acted(action).catch((reason: unknown) => {
          if (!(reason instanceof PaymentError)) throw reason
          return { payment: null }
        })
        if (payment === null || !provider.verify) continue
        expect(double.captures(payment.reference)).toBe(0)
        expect(['pending', 'failed']).toContain((await provider.verify(payment)).state)
      }
    })

    test('tells another amount or currency as it is', async () => {
      for (const falsified of [{ amount: double.sample.amount - 10_000 }, { currency: 'XTS' }]) {
        const { payment } = await acted('approve')
        double.falsify(payment.reference, falsified)
        // A provider with one currency alone does not name it.
        const finding = await found(payment).then(
          (one) => findPayment(expected(payment), one).to,
          () => 'refused',
        )
        if ('amount' in falsified) expect(['mismatch', 'refused']).toContain(finding)
        else expect(['mismatch', 'refused', 'paid']).toContain(finding)
      }
    })

    test('reads the message of the provider: the attempt it is about, and one key however often it comes', async () => {
      const { payment } = await acted('approve')
      const message = incoming(await double.webhook(payment.reference))
      const [first, second] = [await provider.readWebhook(message), await provider.readWebhook(message)]
      expect(first.kind).toBe('news')
      if (first.kind !== 'news' || second.kind !== 'news') return
      expect(second.news.eventKey).toBe(first.news.eventKey)
      const { reference, providerRef, providerId } = first.news
      const namesIt =
        reference === payment.reference ||
        (providerRef !== null && providerRef === payment.providerRef) ||
        (reference === null && providerRef === null && providerId !== null)
      expect(namesIt).toBe(true)
    })

    test('refuses a message that somebody else has signed, and says no secret', async () => {
      const { payment } = await acted('approve')
      const reading = await provider.readWebhook(
        incoming(await double.webhook(payment.reference, { forged: true })),
      )
      expect(reading.kind).toBe('refused')
      for (const value of Object.values(double.environment)) {
        if (value.length > 8) expect(JSON.stringify(reading)).not.toContain(value)
      }
    })

    test('refuses a message whose content was changed on the way, or believes only the provider', async () => {
      const { payment } = await acted('approve')
      const change: Falsified = { amount: double.sample.amount * 2 }
      const reading = await provider.readWebhook(incoming(await double.webhook(payment.reference, change)))
      if (reading.kind === 'news' && reading.news.found) {
        expect(findPayment(expected(payment), reading.news.found).to).toBe('mismatch')
      }
      if (provider.verify) expect(findPayment(expected(payment), await found(payment)).to).toBe('paid')
    })

    test('refunds a part and then the rest, each once, where it can refund', async () => {
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
        reason: 'The way was longer than shown',
      })
      const refund = provider.refund
      const answer = await refund(paid, order('r1', part, 0))
      if (answer.state === 'failed') {
        // Some void the whole while nothing is settled.
        expect(double.refunded(payment.reference)).toBe(0)
        const whole = await refund(paid, order('r2', payment.amount, 0))
        expect(whole.state).not.toBe('failed')
        double.endRefunds?.('done')
        expect(double.refunded(payment.reference)).toBe(payment.amount)
        return
      }
      // Whoever cannot know whether it was given says so: it has not failed.
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

    test('tells what went back without us, and which of it was ours, where it tells of it', async () => {
      const { takenBack, refund } = provider
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
      double.goBack(payment.reference, 'refund', part * 2)
      const told = await takenBack(paid)
      if (Array.isArray(told)) {
        expect(told.every(({ kind, state }) => kind === 'refund' && state === 'done')).toBe(true)
        expect(told.map(({ amount }) => amount).toSorted((x, y) => x - y)).toEqual([part, part * 2])
        const ours = told.filter((back) => back.order === id || back.id === answer.providerRefundId)
        expect(ours.map(({ amount }) => amount)).toEqual([part])
        expect(new Set(told.map((back) => back.id)).size).toBe(2)
      } else expect(told).toEqual({ total: part * 3 })
      if (!double.backMessage) return
      const reading = await provider.readWebhook(incoming(double.backMessage(payment.reference)))
      if (reading.kind !== 'news') throw new Error('no news')
      expect(reading.news.goesBack).toBe(true)
      const { reference, providerId } = reading.news
      expect(reference === payment.reference || providerId === one.providerId).toBe(true)
    })

    test('tells what a bank demands: waiting, then lost or won, where it tells of it', async () => {
      const { takenBack } = provider
      const { endDispute } = double
      if (!takenBack || !endDispute) return
      const { payment } = await acted('approve')
      const one = await found(payment)
      if (one.state !== 'paid') throw new Error('not paid')
      const paid = { ...payment, providerId: one.providerId }
      double.goBack(payment.reference, 'chargeback', payment.amount)
      const told = async () => {
        const all = await takenBack(paid)
        return Array.isArray(all) ? all.map(({ kind, amount, state }) => [kind, amount, state]) : all
      }
      expect(await told()).toEqual([['chargeback', payment.amount, 'pending']])
      for (const [outcome, state] of [
        ['won', 'failed'],
        ['lost', 'done'],
      ] as const) {
        endDispute(payment.reference, outcome)
        expect(await told()).toEqual([['chargeback', payment.amount, state]])
      }
    })

    test('takes what the sample says, and no currency that nobody has', () => {
      expect(provider.takes(double.sample.currency, double.sample.amount)).toBe(true)
      expect(provider.takes('XTS', double.sample.amount)).toBe(false)
    })

    test('says that the provider does not answer, without an address or a secret', async () => {
      const { payment } = await acted('approve')
      const one = await found(payment)
      const asked = { ...payment, providerId: 'providerId' in one ? one.providerId : null }
      double.down = true
      try {
        if (!provider.verify) return
        const error: unknown = await provider.verify(asked).then(
          () => null,
          (reason: unknown) => reason,
        )
        expect(error).toMatchObject({ name: 'PaymentError', permanent: false })
        for (const value of Object.values(double.environment)) {
          if (value.length > 8 && !value.startsWith('http')) expect(String(error)).not.toContain(value)
        }
      } finally {
        double.down = false
      }
    })
  })
}

/** A message as the server's door hands it on. */
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
