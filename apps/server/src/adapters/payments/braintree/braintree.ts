import type { ReportedPayment } from '@hansom/domain/payments/payment'
import type { Transaction } from 'braintree'
import { serializeByKey } from '../http.ts'
import { type CompletedPayment, PaymentError, type PaymentProvider, type StartedPayment } from '../port.ts'
import { fits, toText } from '../units.ts'
import { exponentOf, foundBy, gatewayError, isNotFound, openGateway } from './gateway.ts'
import type { BraintreeOptions } from './options.ts'
import { listReversals, refund, refundResultOf } from './refunds.ts'
import { readWebhook } from './webhook.ts'

/** Hosts of the card form's iframes and of the APIs they call (constants of braintree-web 3.144.0). */
const assets = 'https://assets.braintreegateway.com'
const clientHosts = {
  sandbox: ['https://api.sandbox.braintreegateway.com', 'https://payments.sandbox.braintree-api.com'],
  live: ['https://api.braintreegateway.com', 'https://payments.braintree-api.com'],
}

/**
 * Card payments through Braintree: Hosted Fields in our page return a one-time nonce, which the vendor's Node client
 * uses for a sale. Source: that client, version 3.40.0; documentation "Transactions", "Webhooks", "Refunds, Voids, and
 * Detached Credits".
 *
 * Not verified with the vendor: that `apiRequestKey` makes a repeated sale idempotent (we also search for a sale by our
 * reference first); that a refund keeps our id as its order id (used to find a repeated refund); which hosts the card
 * form needs beyond those in its constants (its analytics are deliberately blocked). The payer's device data is not
 * collected, and cards are not authenticated with 3-D Secure.
 */
export function braintreePayments(options: BraintreeOptions): PaymentProvider {
  const { merchantAccounts, environment, url } = options
  const live = environment === 'live'
  const gateway = openGateway(options)

  /** All transactions of an order, including declined ones. */
  async function ofOrder(reference: string): Promise<Transaction[]> {
    const found: Transaction[] = []
    for await (const one of gateway.transaction.search((search) => search.orderId().is(reference)))
      found.push(one)
    return found
  }

  async function verify({ reference, providerId }: StartedPayment): Promise<ReportedPayment> {
    try {
      if (providerId !== null) return foundBy(await gateway.transaction.find(providerId), live)
      const found = (await ofOrder(reference)).map((one) => foundBy(one, live))
      return found.find(({ state }) => state === 'paid') ?? found[0] ?? { state: 'pending' }
    } catch (cause) {
      if (isNotFound(cause)) return { state: 'pending' }
      throw gatewayError(cause)
    }
  }

  async function sale(payment: StartedPayment, nonce: string): Promise<CompletedPayment> {
    const request = {
      amount: toText(payment.amount, exponentOf(payment.currency)),
      paymentMethodNonce: nonce,
      orderId: payment.reference,
      merchantAccountId: accountOf(payment.currency),
      options: { submitForSettlement: true },
      apiRequestKey: payment.reference,
    }
    const answer = await gateway.transaction.sale(request).catch((cause: unknown) => {
      throw gatewayError(cause)
    })
    if (answer.success)
      return { kind: 'found', found: await verify({ ...payment, providerId: answer.transaction.id }) }
    // A declined card creates a transaction; without one, nothing was charged: the nonce expired or was already used.
    if (answer.transaction) return { kind: 'found', found: { state: 'failed' } }
    throw new PaymentError('braintree rejected the data from the page', { permanent: true })
  }

  function accountOf(currency: string): string {
    const account = merchantAccounts[currency]
    if (account === undefined)
      throw new PaymentError(`braintree: no account for ${currency}`, { permanent: true })
    return account
  }

  return {
    name: 'braintree',
    live,
    hosts: {
      frame: [assets],
      connect: [...clientHosts[environment], ...(url === undefined ? [] : [new URL(url).origin])],
    },
    accepts: (currency, amount) =>
      amount > 0 && Object.hasOwn(merchantAccounts, currency) && fits(amount, exponentOf(currency)),

    start: async ({ currency }) => {
      try {
        const { clientToken } = await gateway.clientToken.generate({ merchantAccountId: accountOf(currency) })
        return { providerRef: null, step: { kind: 'page', data: { clientToken: String(clientToken) } } }
      } catch (cause) {
        throw gatewayError(cause)
      }
    },

    complete: async (payment, { nonce }) => {
      if (!nonce) throw new PaymentError('braintree: the page sent no card', { permanent: true })
      return serializeByKey(payment.reference, async () => {
        const before = await verify(payment)
        return before.state === 'paid' ? { kind: 'found', found: before } : sale(payment, nonce)
      })
    },

    readReturn: async () => ({ kind: 'back', event: null }),
    readWebhook: (message) => readWebhook(message, options, gateway),
    verify,
    refund: (payment, order) => refund(gateway, payment, order),

    listReversals: (payment) => listReversals(gateway, payment),

    refundState: async (_payment, { providerRefundId }) => {
      if (providerRefundId === null) return { state: 'pending', providerRefundId }
      try {
        return refundResultOf(await gateway.transaction.find(providerRefundId))
      } catch (cause) {
        throw gatewayError(cause)
      }
    },
  }
}
