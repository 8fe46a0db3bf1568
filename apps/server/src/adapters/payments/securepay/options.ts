import { z } from 'zod'
import { type ProviderVariables, providerUrl, sandboxOrLive } from '../options.ts'

const schema = z
  .strictObject({
    SECUREPAY_ENV: sandboxOrLive,
    SECUREPAY_MERCHANT_ID: z.string().regex(/^[A-Za-z0-9]+$/, 'must contain only letters and digits'),
    SECUREPAY_TXN_PASSWORD: z.string().min(1),
    SECUREPAY_URL: providerUrl.optional(),
    SECUREPAY_API_URL: providerUrl.optional(),
  })
  .transform((set) => ({
    live: set.SECUREPAY_ENV === 'live',
    merchantId: set.SECUREPAY_MERCHANT_ID,
    password: set.SECUREPAY_TXN_PASSWORD,
    url: set.SECUREPAY_URL,
    apiUrl: set.SECUREPAY_API_URL,
  }))

/** SecurePay: a merchant and its transaction password. */
export const securepayVariables = {
  prefix: 'SECUREPAY_',
  required: ['SECUREPAY_ENV', 'SECUREPAY_MERCHANT_ID', 'SECUREPAY_TXN_PASSWORD'],
  schema,
} satisfies ProviderVariables<unknown>
