/** Who can take a card payment, in the order in which people are offered them. `test` exists in the demo only. */
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
