import { z } from 'zod'
import { type ProviderVariables, providerUrl, sandboxOrLive } from './provider-variables.ts'

const schema = z
  .strictObject({
    PAYTM_ENV: sandboxOrLive,
    PAYTM_MID: z.string().min(1),
    PAYTM_MERCHANT_KEY: z.string().refine((key) => Buffer.byteLength(key) === 16, 'must have 16 characters'),
    PAYTM_WEBSITE: z.string().min(1).optional(),
    PAYTM_URL: providerUrl.optional(),
    PAYTM_REFUND_BASE_URL: providerUrl.optional(),
  })
  .transform((set) => ({
    live: set.PAYTM_ENV === 'live',
    mid: set.PAYTM_MID,
    merchantKey: set.PAYTM_MERCHANT_KEY,
    website: set.PAYTM_WEBSITE,
    url: set.PAYTM_URL,
    refundUrl: set.PAYTM_REFUND_BASE_URL,
  }))

/** Paytm: a merchant and its key. */
export const paytmVariables = {
  prefix: 'PAYTM_',
  required: ['PAYTM_ENV', 'PAYTM_MID', 'PAYTM_MERCHANT_KEY'],
  schema,
} satisfies ProviderVariables<unknown>
