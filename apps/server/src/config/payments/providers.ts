import type { PaymentProviderName } from '@hansom/domain/payments/providers'
import { flutterwaveVariables } from './flutterwave.ts'
import { liqpayVariables } from './liqpay.ts'
import { payfastVariables } from './payfast.ts'
import { paystackVariables } from './paystack.ts'
import type { ProviderVariables } from './provider-variables.ts'
import { stripeVariables } from './stripe.ts'
import { testPaymentVariables } from './test.ts'

/** The variables of every payment provider that can be configured. */
export const providerVariables = {
  stripe: stripeVariables,
  flutterwave: flutterwaveVariables,
  paystack: paystackVariables,
  payfast: payfastVariables,
  liqpay: liqpayVariables,
  test: testPaymentVariables,
} as const satisfies Partial<Record<PaymentProviderName, ProviderVariables<unknown>>>
