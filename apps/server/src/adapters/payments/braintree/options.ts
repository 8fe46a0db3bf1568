import { z } from 'zod'
import { type ProviderVariables, providerUrl, sandboxOrLive } from '../options.ts'

export interface GatewayOptions {
  /** Default: the vendor's URL. */
  url?: string | undefined
  environment: 'sandbox' | 'live'
  merchantId: string
  publicKey: string
  privateKey: string
}

export interface BraintreeOptions extends GatewayOptions {
  /** The merchant account for each currency: every account has exactly one currency, and requests name none. */
  merchantAccounts: Readonly<Record<string, string>>
}

const accountPrefix = 'BRAINTREE_MERCHANT_ACCOUNT_'

const fixed = z.strictObject({
  BRAINTREE_ENV: sandboxOrLive,
  BRAINTREE_MERCHANT_ID: z.string().regex(/^\w+$/, 'must be letters and digits'),
  BRAINTREE_PUBLIC_KEY: z.string().regex(/^\w+$/, 'must be letters and digits'),
  BRAINTREE_PRIVATE_KEY: z.string().min(1),
  BRAINTREE_URL: providerUrl.optional(),
})

/** Payments through Braintree. `BRAINTREE_MERCHANT_ACCOUNT_USD` is the merchant account for US dollars. */
export const braintreeVariables: ProviderVariables<BraintreeOptions> = {
  prefix: 'BRAINTREE_',
  required: ['BRAINTREE_ENV', 'BRAINTREE_MERCHANT_ID', 'BRAINTREE_PUBLIC_KEY', 'BRAINTREE_PRIVATE_KEY'],
  schema: z
    .record(z.string(), z.string())
    .transform((set) => {
      const accounts = Object.entries(set).filter(([name]) => name.startsWith(accountPrefix))
      const others = Object.entries(set).filter(([name]) => !name.startsWith(accountPrefix))
      return { fixed: Object.fromEntries(others) as Record<string, unknown>, accounts }
    })
    .pipe(
      z.object({
        fixed: z.record(z.string(), z.unknown()).pipe(fixed),
        accounts: z
          .array(z.tuple([z.string().regex(/_[A-Z]{3}$/, 'must end in a currency code'), z.string().min(1)]))
          .min(1, `needs ${accountPrefix}USD or the same for another currency`),
      }),
    )
    .transform(({ fixed: set, accounts }) => ({
      ...(set.BRAINTREE_URL === undefined ? {} : { url: set.BRAINTREE_URL }),
      environment: set.BRAINTREE_ENV,
      merchantId: set.BRAINTREE_MERCHANT_ID,
      publicKey: set.BRAINTREE_PUBLIC_KEY,
      privateKey: set.BRAINTREE_PRIVATE_KEY,
      merchantAccounts: Object.fromEntries(
        accounts.map(([name, account]) => [name.slice(accountPrefix.length), account]),
      ),
    })),
}
