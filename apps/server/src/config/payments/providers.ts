import type { PaymentProviderName } from '@hansom/domain/payments/providers'
import { liqpayVariables } from './liqpay.ts'
import type { ProviderVariables } from './provider-variables.ts'

/** The variables of every payment provider that can be configured. */
export const providerVariables = {
  liqpay: liqpayVariables,
} as const satisfies Partial<Record<PaymentProviderName, ProviderVariables<unknown>>>
