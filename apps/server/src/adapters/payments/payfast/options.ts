import { z } from 'zod'
import { type ProviderVariables, providerUrl, sandboxOrLive } from '../options.ts'

const schema = z
  .strictObject({
    PAYFAST_ENV: sandboxOrLive,
    PAYFAST_MERCHANT_ID: z.string().regex(/^\d+$/, 'must be digits'),
    PAYFAST_MERCHANT_KEY: z.string().min(1),
    // The vendor's library encodes other characters twice.
    PAYFAST_PASSPHRASE: z.string().regex(/^[A-Za-z0-9]+$/, 'must contain only letters and digits'),
    PAYFAST_URL: providerUrl.optional(),
    PAYFAST_API_URL: providerUrl.optional(),
  })
  .transform((set) => ({
    live: set.PAYFAST_ENV === 'live',
    merchantId: set.PAYFAST_MERCHANT_ID,
    merchantKey: set.PAYFAST_MERCHANT_KEY,
    passphrase: set.PAYFAST_PASSPHRASE,
    url: set.PAYFAST_URL,
    apiUrl: set.PAYFAST_API_URL,
  }))

/** Payfast: a merchant with a passphrase, without which Payfast's messages are not signed. */
export const payfastVariables = {
  prefix: 'PAYFAST_',
  required: ['PAYFAST_ENV', 'PAYFAST_MERCHANT_ID', 'PAYFAST_MERCHANT_KEY', 'PAYFAST_PASSPHRASE'],
  schema,
} satisfies ProviderVariables<unknown>
