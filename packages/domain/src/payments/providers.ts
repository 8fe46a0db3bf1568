/** Payment providers, in the order in which they are offered. `test` exists only in the demo. */
export const paymentProviders = [
  'paypal',
  'braintree',
  'stripe',
  'paytm',
  'payulatam',
  'flutterwave',
  'paystack',
  'securepay',
  'payfast',
  'liqpay',
  'culqi',
  'mercadopago',
  'test',
] as const
export type PaymentProviderName = (typeof paymentProviders)[number]

export function isPaymentProvider(name: string): name is PaymentProviderName {
  return (paymentProviders as readonly string[]).includes(name)
}
