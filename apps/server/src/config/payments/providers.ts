import type { PaymentProviderName } from '@hansom/domain/payments/providers'
import { braintreeVariables } from './braintree.ts'
import { culqiVariables } from './culqi.ts'
import { flutterwaveVariables } from './flutterwave.ts'
import { liqpayVariables } from './liqpay.ts'
import { mercadopagoVariables } from './mercadopago.ts'
import { payfastVariables } from './payfast.ts'
import { paypalVariables } from './paypal.ts'
import { paystackVariables } from './paystack.ts'
import { paytmVariables } from './paytm.ts'
import { payulatamVariables } from './payulatam.ts'
import type { ProviderVariables } from './provider-variables.ts'
import { securepayVariables } from './securepay.ts'
import { stripeVariables } from './stripe.ts'
import { testPaymentVariables } from './test.ts'

/** The variables of every supported payment provider. */
export const providerVariables = {
  paypal: paypalVariables,
  braintree: braintreeVariables,
  stripe: stripeVariables,
  paytm: paytmVariables,
  payulatam: payulatamVariables,
  flutterwave: flutterwaveVariables,
  paystack: paystackVariables,
  securepay: securepayVariables,
  payfast: payfastVariables,
  liqpay: liqpayVariables,
  culqi: culqiVariables,
  test: testPaymentVariables,
  mercadopago: mercadopagoVariables,
} as const satisfies Partial<Record<PaymentProviderName, ProviderVariables<unknown>>>
