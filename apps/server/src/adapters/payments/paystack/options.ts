import { z } from 'zod'
import { currencyList, type ProviderVariables, providerUrl } from '../options.ts'

export interface PaystackOptions {
  /** Default: the vendor's URL. */
  url?: string | undefined
  /** Also signs webhooks; its prefix tells test and live mode apart. */
  secretKey: string
  /** The account's currencies. */
  currencies: readonly string[]
}

/** Payments through Paystack. The public key is accepted but unused. */
export const paystackVariables: ProviderVariables<PaystackOptions> = {
  prefix: 'PAYSTACK_',
  required: ['PAYSTACK_SECRET_KEY'],
  schema: z
    .strictObject({
      PAYSTACK_SECRET_KEY: z.string().regex(/^sk_(test|live)_/, 'must begin with sk_test_ or sk_live_'),
      PAYSTACK_PUBLIC_KEY: z.string().optional(),
      PAYSTACK_CURRENCIES: currencyList.default(['NGN', 'GHS', 'KES', 'ZAR', 'USD']),
      PAYSTACK_URL: providerUrl.optional(),
    })
    .transform((set) => ({
      ...(set.PAYSTACK_URL === undefined ? {} : { url: set.PAYSTACK_URL }),
      secretKey: set.PAYSTACK_SECRET_KEY,
      currencies: set.PAYSTACK_CURRENCIES,
    })),
}
