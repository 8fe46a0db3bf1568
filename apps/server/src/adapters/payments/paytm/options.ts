import { z } from 'zod'
import { type ProviderVariables, providerUrl, sandboxOrLive } from '../options.ts'

export interface PaytmOptions {
  live: boolean
  mid: string
  /** 16 characters. */
  merchantKey: string
  /** Default: WEBSTAGING in the sandbox, DEFAULT in live mode. */
  website?: string | undefined
  /** Defaults: the vendor's URLs. */
  url?: string | undefined
  refundUrl?: string | undefined
}

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
export const paytmVariables: ProviderVariables<PaytmOptions> = {
  prefix: 'PAYTM_',
  required: ['PAYTM_ENV', 'PAYTM_MID', 'PAYTM_MERCHANT_KEY'],
  schema,
}
