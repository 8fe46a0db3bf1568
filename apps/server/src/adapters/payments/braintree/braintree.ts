import type { FoundPayment } from '@hansom/domain/payments/payment'
import type { Transaction } from 'braintree'
import { inTurn } from '../in-turn.ts'
import { type CompletedPayment, PaymentError, type PaymentProvider, type StartedPayment } from '../port.ts'
import { fits, toText } from '../units.ts'
import { type GatewayOptions, gatewayError, isNotFound, openGateway } from './gateway.ts'
import { refund, refundAnswer } from './refund.ts'
import { takenBack } from './taken-back.ts'
import { readWebhook } from './webhook.ts'
import { exponentOf, foundBy } from './word.ts'

export interface BraintreeOptions extends GatewayOptions {
  /** Which merchant account takes which currency: there is one currency an account, and none in a request. */
  merchantAccounts: Readonly<Record<string, string>>
}

/** Where the frames of the card form and what they talk to are (constants of braintree-web 3.144.0). */
const assets = 'https://assets.braintreegateway.com'
const clientHosts = {
  sandbox: ['https://api.sandbox.braintreegateway.com', 'https://payments.sandbox.braintree-api.com'],
  live: ['https://api.braintreegateway.com', 'https://payments.braintree-api.com'],
}

/**
 * Card payments through Braintree: Hosted Fields in our page hand out a one-time nonce, with which the vendor's client for
 * Node makes a sale. Source: that client, version 3.40.0; documentation "Transactions", "Webhooks", "Refunds, Voids, and
 * Detached Credits".
 *
 * Not verified with the vendor: that `apiRequestKey` lets a repeated sale happen once (a sale is also looked for by our
 * reference first); that a refund keeps our id as its order id (by it a repeated refund is found again); which hosts the
 * card form needs beyond those that its own constants name (its analytics are kept out on purpose). Data of the payer's
 * device is not collected, and cards are not authenticated by 3-D Secure.
 */
export function braintreePayments(options: BraintreeOptions): PaymentProvider {
  const { merchantAccounts, environment, url } = options
  const live = environment === 'live'
  const gateway = openGateway(options)

  /** All transactions of an order: a card that was declined leaves one too. */
  async function ofOrder(reference: string): Promise<Transaction[]> {
    const found: Transaction[] = []
    for await (const one of gateway.transaction.search((search) => search.orderId().is(reference)))
      found.push(one)
    return found
  }

  async function verify({ reference, providerId }: StartedPayment): Promise<FoundPayment> {
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
    // A declined card leaves a transaction; without one nothing was tried: the nonce is old or was used.
    if (answer.transaction) return { kind: 'found', found: { state: 'failed' } }
    throw new PaymentError('braintree does not take what the page sent', { permanent: true })
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
    takes: (currency, amount) =>
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
      if (!nonce) throw new PaymentError('braintree: the page brought no card', { permanent: true })
      return inTurn(payment.reference, async () => {
        const before = await verify(payment)
        return before.state === 'paid' ? { kind: 'found', found: before } : sale(payment, nonce)
      })
    },

    readReturn: async () => ({ kind: 'back', news: null }),
    readWebhook: (message) => readWebhook(message, options, gateway),
    verify,
    refund: (payment, order) => refund(gateway, payment, order),

    takenBack: (payment) => takenBack(gateway, payment),

    refundState: async (_payment, { providerRefundId }) => {
      if (providerRefundId === null) return { state: 'pending', providerRefundId }
      try {
        return refundAnswer(await gateway.transaction.find(providerRefundId))
      } catch (cause) {
        throw gatewayError(cause)
      }
    },
  }
}
