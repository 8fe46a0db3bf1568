import type { PaymentProvider } from './adapters/payments/port.ts'
import type { PaymentOptions } from './config/payments/read-payments.ts'

type Openers = {
  [Name in keyof PaymentOptions]-?: (options: NonNullable<PaymentOptions[Name]>) => Promise<PaymentProvider>
}

/** How each provider's adapter is opened. Only who uses it pays for loading it. */
const openers: Openers = {
  stripe: async (options) => (await import('./adapters/payments/stripe/stripe.ts')).stripePayments(options),
  flutterwave: async (options) =>
    (await import('./adapters/payments/flutterwave/flutterwave.ts')).flutterwavePayments(options),
  paystack: async (options) =>
    (await import('./adapters/payments/paystack/paystack.ts')).paystackPayments(options),
  liqpay: async (options) => (await import('./adapters/payments/liqpay/liqpay.ts')).liqpayPayments(options),
}

/** The adapters of the configured providers, in the order in which people are offered them. */
export async function openPayments(options: PaymentOptions): Promise<PaymentProvider[]> {
  const opening = Object.entries(openers).flatMap(([name, open]) => {
    const given = options[name as keyof PaymentOptions]
    return given === undefined ? [] : [(open as (given: unknown) => Promise<PaymentProvider>)(given)]
  })
  return Promise.all(opening)
}
