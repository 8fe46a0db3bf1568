import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { SentMessage } from '@hansom/doubles/payments/double'
import { type StripeDouble, startStripe } from '@hansom/doubles/payments/stripe'
import { afterEach, describe, expect, test } from 'vitest'
import { incoming, paymentsSuite } from '../payments.suite.ts'
import type { Checkout, IncomingMessage, StartedPayment } from '../port.ts'
import { canCharge, fromStripeUnits, stripeUnits } from './currencies.ts'
import { stripeVariables } from './options.ts'
import { stripePayments } from './stripe.ts'
import { readStripeEvent } from './webhook.ts'

const openAt = (double: StripeDouble) => stripePayments(stripeVariables.schema.parse(double.environment))

paymentsSuite('stripe', async () => {
  const double = await startStripe()
  return { double, provider: openAt(double) }
})

const checkout: Checkout = {
  reference: 'K7M2PQ-1',
  amount: 500_000,
  currency: 'USD',
  description: 'Trip K7M2PQ',
  payer: { id: 'rider', firstName: 'Ana', lastName: 'Silva', email: 'ana@example.com', phone: null },
  returnUrl: 'https://rides.example/pay/stripe/return/1',
  webhookUrl: 'https://rides.example/pay/stripe/webhook',
  locale: 'ar',
}

const doubles: StripeDouble[] = []
afterEach(async () => {
  for (const double of doubles.splice(0)) await double.close()
})

async function started(change: Partial<Checkout> = {}) {
  const double = await startStripe()
  doubles.push(double)
  const provider = openAt(double)
  const params = { ...checkout, ...change }
  const { providerRef, step } = await provider.start(params)
  const payment: StartedPayment = { ...params, providerRef, providerId: null }
  return { double, provider, payment, step }
}

const event = (body: string, header: string, at = 1_700_000_000_000): IncomingMessage => ({
  method: 'POST',
  headers: { 'stripe-signature': header },
  query: new URLSearchParams(),
  body: Buffer.from(body),
  from: '127.0.0.1',
  at,
})

describe('event signature', () => {
  const secret = 'whsec_test_secret'
  const body = '{"id":"evt_1","object":"event"}'
  const known = '0c8670ed117751cc551a20e35839447075c42800ea3cf3e8a2fbda99cd1e6edd'
  const read = (header: string, at?: number, text = body) =>
    readStripeEvent(event(text, header, at), secret, false)
  const refusal = (header: string, at?: number, text?: string) => {
    const reading = read(header, at, text)
    return reading.kind === 'refused' ? reading.why : reading.kind
  }

  test('value from the official package -> valid, but not a readable event', () => {
    expect(refusal(`t=1700000000,v1=${known}`)).toBe('not an event')
  })

  test('several values -> any valid v1 value suffices', () => {
    expect(refusal(`t=1700000000,v1=${'0'.repeat(64)},v1=${known}`)).toBe('not an event')
    expect(refusal(`t=1700000000,v0=${known}`)).toMatch('invalid signature')
  })

  test.each([
    ['another value', `t=1700000000,v1=${known.replace('0', '1')}`],
    ['a shorter one', `t=1700000000,v1=${known.slice(1)}`],
    ['another time', `t=1700000001,v1=${known}`],
    ['no time', `v1=${known}`],
    ['nothing', ''],
  ])('%s -> refused', (_name, header) => {
    expect(refusal(header)).toMatch('invalid signature')
  })

  test('body with one more space -> refused', () => {
    expect(refusal(`t=1700000000,v1=${known}`, undefined, `${body} `)).toMatch('invalid signature')
  })

  test('clock difference -> 300 s allowed in both directions', () => {
    const header = `t=1700000000,v1=${known}`
    expect(refusal(header, 1_700_000_300_999)).toBe('not an event')
    expect(refusal(header, 1_700_000_301_000)).toMatch('too old')
    expect(refusal(header, 1_699_999_700_000)).toBe('not an event')
    expect(refusal(header, 1_699_999_699_000)).toMatch('future')
  })

  test("HMAC -> same as the vendor's vectors", () => {
    const hmac = (text: string) => createHmac('sha256', 'test_secret').update(text).digest('hex')
    expect(hmac('')).toBe('f7f9bd47fb987337b5796fdc1fdb9ba221d0d5396814bfcaf9521f43fd8927fd')
    expect(hmac('{"obj1":"hello","obj2":"world"}')).toBe(
      'bebb1a643997f419b315ddba19e6f5411e1ce7f810ba6d3617ce72823092f363',
    )
    expect(hmac('\u{1f600}')).toBe('837da296d05c4fe31f61d5d7ead035099d9585a5bcde87de952012a78f0b0c43')
  })

  const signed = (content: object) => {
    const text = JSON.stringify(content)
    const value = createHmac('sha256', secret).update(`1700000000.${text}`).digest('hex')
    return read(`t=1700000000,v1=${value}`, undefined, text)
  }
  const session = { id: 'cs_1', client_reference_id: 'K7M2PQ-1', payment_intent: 'pi_1' }

  test.each([
    ['charge.refunded', true],
    ['charge.dispute.created', true],
    ['charge.dispute.closed', true],
    ['charge.dispute.updated', false],
  ])('webhook: %s -> reports money returned: %s', (type, isReported) => {
    const of = (payment_intent: unknown) => ({
      id: 'evt_3',
      type,
      livemode: false,
      data: { object: { payment_intent } },
    })
    const names = { eventKey: 'evt_3', reference: null, providerRef: null, providerId: 'pi_1' }
    const reported = { kind: 'event', event: { ...names, isReversal: true } }
    const ignored = { kind: 'ignored', eventKey: 'evt_3' }
    expect(signed(of('pi_1'))).toEqual(isReported ? reported : ignored)
    expect(signed(of({ id: 'pi_1' }))).toEqual(isReported ? reported : ignored)
    // A charge that none of our checkouts created.
    expect(signed(of(null))).toEqual(ignored)
  })

  test('event of the other mode -> refused; unrelated event -> ignored', () => {
    const one = { id: 'evt_2', type: 'checkout.session.completed', livemode: true, data: { object: session } }
    expect(signed(one)).toMatchObject({ kind: 'refused' })
    expect(signed({ ...one, livemode: false })).toEqual({
      kind: 'event',
      event: { eventKey: 'evt_2', reference: 'K7M2PQ-1', providerRef: 'cs_1', providerId: 'pi_1' },
    })
    expect(signed({ ...one, livemode: false, type: 'charge.updated' })).toEqual({
      kind: 'ignored',
      eventKey: 'evt_2',
    })
    const elsewhere = { ...session, client_reference_id: null }
    expect(signed({ ...one, livemode: false, data: { object: elsewhere } }).kind).toBe('ignored')
  })
})

describe('amounts', () => {
  test.each([
    ['USD', 123_400, 1234],
    ['JPY', 5_000_000, 500],
    ['ISK', 50_000, 500],
    ['UGX', 50_000, 500],
    ['HUF', 105_000, 1050],
    ['KWD', 51_200, 5120],
  ])('%s %i -> sent as %i', (currency, amount, units) => {
    expect(stripeUnits(currency, amount)).toBe(units)
    expect(fromStripeUnits(currency, units)).toBe(amount)
  })

  test.each([
    ['a tenth of a cent', 'USD', 100_010],
    ['half a yen', 'JPY', 5000],
    ['half a crown of Iceland', 'ISK', 5000],
    ['a third decimal of a dinar', 'KWD', 51_240],
    ['nothing', 'USD', 0],
    ['nine digits', 'USD', 10_000_000_000],
    ['an unknown currency', 'XTS', 10_000],
  ])('%s -> cannot be charged', (_name, currency, amount) => {
    expect(canCharge(currency, amount)).toBe(false)
  })
})

describe('checkout session', () => {
  test('start -> one line item, our currency, return URL that names the session', async () => {
    const { double, step, payment } = await started()
    const form = double.request('K7M2PQ-1')
    expect(form.get('line_items[0][price_data][unit_amount]')).toBe('5000')
    expect(form.get('line_items[0][price_data][currency]')).toBe('usd')
    expect(form.get('adaptive_pricing[enabled]')).toBe('false')
    expect(form.get('success_url')).toBe(`${checkout.returnUrl}?session_id={CHECKOUT_SESSION_ID}`)
    expect(form.get('cancel_url')).toBe(`${checkout.returnUrl}?cancelled=1`)
    expect(form.get('customer_email')).toBe('ana@example.com')
    expect(form.get('locale')).toBe('auto')
    expect(form.get('payment_intent_data[metadata][reference]')).toBe('K7M2PQ-1')
    expect(step).toMatchObject({ kind: 'redirect', url: expect.stringContaining(payment.providerRef ?? '-') })
  })

  test('wrong key -> status in the error, not the key', async () => {
    const { double, payment } = await started()
    const key = `sk_test_${'9'.repeat(24)}`
    const other = stripePayments({
      secretKey: key,
      webhookSecret: 'whsec_x',
      url: double.environment.STRIPE_URL ?? '',
    })
    const error: unknown = await other.verify?.(payment).catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      name: 'PaymentError',
      permanent: true,
      message: expect.stringContaining('401'),
    })
    expect(JSON.stringify(error) + String(error)).not.toContain('9999')
  })
})

describe('end of a session', () => {
  const mode = (live: boolean) => ({ amount: 500_000, currency: 'USD', reference: 'K7M2PQ-1', live })

  test('payer cancels -> session expired, cannot be paid later', async () => {
    const { double, provider, payment, step } = await started()
    const { back } = await double.pay(step, 'decline')
    const reading = await provider.readReturn(incoming(back ?? never()), payment)
    expect(reading).toEqual({ kind: 'back', event: null, complete: { cancelled: '1' } })
    expect(await provider.complete?.(payment, {})).toEqual({ kind: 'found', found: { state: 'pending' } })
    expect(await provider.complete?.(payment, { cancelled: '1' })).toEqual({
      kind: 'found',
      found: { state: 'failed' },
    })
    await expect(double.pay(step, 'approve')).rejects.toThrow()
    expect(await provider.verify?.(payment)).toEqual({ state: 'failed' })
  })

  test('payer cancels in one tab after paying in another -> paid', async () => {
    const { double, provider, payment, step } = await started()
    await double.pay(step, 'approve')
    const done = await provider.complete?.(payment, { cancelled: '1' })
    expect(done).toMatchObject({ kind: 'found', found: { state: 'paid', ...mode(false) } })
  })

  test('bank decides later -> pending, then paid or failed', async () => {
    for (const outcome of ['paid', 'failed'] as const) {
      const { double, provider, payment, step } = await started()
      double.payLater = true
      await double.pay(step, 'approve')
      expect(await provider.verify?.(payment)).toEqual({ state: 'pending' })
      double.settle(payment.reference, outcome)
      expect(await provider.verify?.(payment)).toMatchObject({ state: outcome })
    }
  })

  test('return: names another session -> refused', async () => {
    const { provider, payment } = await started()
    const back = incoming({
      method: 'GET',
      url: `${checkout.returnUrl}?session_id=cs_2`,
      headers: {},
      body: '',
    })
    expect((await provider.readReturn(back, payment)).kind).toBe('refused')
  })

  test('fully refunded -> refunded', async () => {
    const { double, provider, payment, step } = await started()
    await double.pay(step, 'approve')
    const found = await provider.verify?.(payment)
    const paid = { ...payment, providerId: found && 'providerId' in found ? found.providerId : null }
    const order = {
      id: 'r1',
      amount: 500_000,
      whole: true,
      refundedBefore: 0,
      repeated: false,
      reason: 'Asked',
    }
    expect(await provider.refund?.(paid, order)).toMatchObject({ state: 'done' })
    expect(await provider.verify?.(payment)).toMatchObject({ state: 'refunded' })
    const more = await provider.refund?.(paid, { ...order, id: 'r2' })
    expect(more).toEqual({ state: 'failed', why: 'The charge has already been refunded.' })
    expect(double.refunded(payment.reference)).toBe(500_000)
  })

  test('refund: concurrent, and repeated after the key expired -> only once', async () => {
    const { double, provider, payment, step } = await started()
    await double.pay(step, 'approve')
    const found = await provider.verify?.(payment)
    const paid = { ...payment, providerId: found && 'providerId' in found ? found.providerId : null }
    const order = {
      id: 'r1',
      amount: 100_000,
      whole: false,
      refundedBefore: 0,
      repeated: false,
      reason: 'Asked',
    }
    const answers = await Promise.all([provider.refund?.(paid, order), provider.refund?.(paid, order)])
    expect(answers[0]).toEqual(answers[1])
    double.forgetKeys()
    expect(await provider.refund?.(paid, { ...order, repeated: true })).toEqual(answers[0])
    expect(await provider.refundState?.(paid, { ...order, providerRefundId: null })).toEqual(answers[0])
    expect(await provider.refundState?.(paid, { ...order, id: 'r9', providerRefundId: null })).toMatchObject({
      state: 'failed',
    })
    expect(double.refunded(payment.reference)).toBe(100_000)
  })

  test('start: same attempt again -> same session', async () => {
    const { provider, payment, step } = await started()
    expect(await provider.start(checkout)).toEqual({ providerRef: payment.providerRef, step })
  })

  test('webhook: message from an hour ago -> refused', async () => {
    const { double, provider, payment, step } = await started()
    await double.pay(step, 'approve')
    const old = incoming(await double.webhook(payment.reference, { agedMs: 3_600_000 }))
    expect((await provider.readWebhook(old)).kind).toBe('refused')
  })
})

describe('page of the double', () => {
  test('declined -> stays; paid -> redirects and sends the webhook', async () => {
    const received: IncomingMessage[] = []
    const server = createServer(async (request, response) => {
      const body = await text(request)
      received.push(incoming({ ...sentOf(request), body }))
      response.end()
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    const { double, provider, payment, step } = await started()
    double.site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    if (step.kind !== 'redirect') throw new Error('no redirect')
    const decide = (decision: string) =>
      fetch(step.url, { method: 'POST', body: new URLSearchParams({ decision }), redirect: 'manual' })
    expect(await (await fetch(step.url)).text()).toContain('<p>50.00 USD</p>')
    expect(await (await decide('decline')).text()).toContain('Your card has been declined.')
    expect(await provider.verify?.(payment)).toEqual({ state: 'pending' })
    const paid = await decide('approve')
    server.close()
    expect(paid.status).toBe(303)
    expect(paid.headers.get('location')).toBe(`${checkout.returnUrl}?session_id=${payment.providerRef}`)
    expect(received).toHaveLength(1)
    const reading = await provider.readWebhook(received[0] ?? never())
    expect(reading).toMatchObject({
      kind: 'event',
      event: { reference: 'K7M2PQ-1', providerRef: payment.providerRef },
    })
    expect((await fetch(step.url)).status).toBe(404)
  })
})

const sentOf = ({
  url = '',
  headers,
}: {
  url?: string | undefined
  headers: IncomingHttpHeaders
}): SentMessage => ({
  method: 'POST',
  url: `http://127.0.0.1${url}`,
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  body: '',
})

function never(): never {
  throw new Error('no redirect')
}
