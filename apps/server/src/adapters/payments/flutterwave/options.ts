import { z } from 'zod'
import { currencyList, type ProviderVariables, providerUrl } from '../options.ts'

export interface FlutterwaveOptions {
  /** Default: the vendor's URL. */
  url?: string | undefined
  /** Its prefix tells test and live mode apart. */
  secretKey: string
  /** The secret hash entered next to the webhook URL in the dashboard. */
  secretHash: string
  /** The account's currencies. */
  currencies: readonly string[]
}

/** Payments through Flutterwave. The public key is accepted but unused. */
export const flutterwaveVariables: ProviderVariables<FlutterwaveOptions> = {
  prefix: 'FLW_',
  required: ['FLW_SECRET_KEY', 'FLW_SECRET_HASH'],
  schema: z
    .strictObject({
      FLW_SECRET_KEY: z.string().regex(/^FLWSECK(_TEST)?-/, 'must begin with FLWSECK- or FLWSECK_TEST-'),
      FLW_SECRET_HASH: z.string().min(8, "must be the webhook's secret hash, at least 8 characters"),
      FLW_PUBLIC_KEY: z.string().optional(),
      FLW_CURRENCIES: currencyList.default(['NGN']),
      FLW_URL: providerUrl.optional(),
    })
    .transform((set) => ({
      ...(set.FLW_URL === undefined ? {} : { url: set.FLW_URL }),
      secretKey: set.FLW_SECRET_KEY,
      secretHash: set.FLW_SECRET_HASH,
      currencies: set.FLW_CURRENCIES,
    })),
}
