import { createHmac } from 'node:crypto'
import { paymentProviders } from '@hansom/domain/payments/providers'
import type { PaymentProvider } from './adapters/payments/port.ts'
import type { TestPaymentStore } from './adapters/payments/test/store.ts'
import type { PaymentOptions } from './config/payments/read-payments.ts'

/** Dependencies of the built-in test provider. */
export interface OwnPaymentDeps {
  book: TestPaymentStore
  /** The server's secret. */
  secret: string
}

type Openers = {
  [Name in keyof PaymentOptions]-?: (
    options: NonNullable<PaymentOptions[Name]>,
    deps: OwnPaymentDeps,
  ) => Promise<PaymentProvider>
}

/** Opens each provider's adapter, which is loaded only when used. */
const openers: Openers = {
  paypal: async (options) => (await import('./adapters/payments/paypal/paypal.ts')).paypalPayments(options),
  braintree: async (options) =>
    (await import('./adapters/payments/braintree/braintree.ts')).braintreePayments(options),
  stripe: async (options) => (await import('./adapters/payments/stripe/stripe.ts')).stripePayments(options),
  paytm: async (options) => (await import('./adapters/payments/paytm/paytm.ts')).paytmPayments(options),
  payulatam: async (options) =>
    (await import('./adapters/payments/payulatam/payulatam.ts')).payulatamPayments(options),
  flutterwave: async (options) =>
    (await import('./adapters/payments/flutterwave/flutterwave.ts')).flutterwavePayments(options),
  paystack: async (options) =>
    (await import('./adapters/payments/paystack/paystack.ts')).paystackPayments(options),
  securepay: async (options) =>
    (await import('./adapters/payments/securepay/securepay.ts')).securepayPayments(options),
  payfast: async (options) =>
    (await import('./adapters/payments/payfast/payfast.ts')).payfastPayments(options),
  liqpay: async (options) => (await import('./adapters/payments/liqpay/liqpay.ts')).liqpayPayments(options),
  culqi: async (options) => (await import('./adapters/payments/culqi/culqi.ts')).culqiPayments(options),
  test: async (options, { book, secret }) =>
    (await import('./adapters/payments/test/test-payments.ts')).testPayments({
      store: book,
      secret: options.secret ?? createHmac('sha256', secret).update('test payments').digest('hex'),
    }),
  mercadopago: async (options) =>
    (await import('./adapters/payments/mercadopago/mercadopago.ts')).mercadopagoPayments(options),
}

/** Opens the adapters of the configured providers, in the order shown to users. */
export async function openPayments(
  options: PaymentOptions,
  deps: OwnPaymentDeps,
): Promise<PaymentProvider[]> {
  const opening = paymentProviders.flatMap((name) => {
    const given = options[name as keyof PaymentOptions]
    const open = openers[name as keyof PaymentOptions] as
      | ((given: unknown, deps: OwnPaymentDeps) => Promise<PaymentProvider>)
      | undefined
    return given === undefined || open === undefined ? [] : [open(given, deps)]
  })
  return Promise.all(opening)
}
