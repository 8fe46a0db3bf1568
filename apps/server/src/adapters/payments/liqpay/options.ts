import { z } from 'zod'
import { type ProviderVariables, providerUrl } from '../options.ts'

export interface LiqpayOptions {
  /** Default: the vendor's URL. */
  url?: string | undefined
  publicKey: string
  privateKey: string
  /** Uses the test mode: no money moves. */
  test: boolean
}

const schema = z
  .strictObject({
    LIQPAY_PUBLIC_KEY: z.string().min(1),
    LIQPAY_PRIVATE_KEY: z.string().min(1),
    LIQPAY_TEST: z.enum(['0', '1'], 'must be 1 for test payments, 0 for real ones').default('0'),
    LIQPAY_URL: providerUrl.optional(),
  })
  .transform((set) => ({
    publicKey: set.LIQPAY_PUBLIC_KEY,
    privateKey: set.LIQPAY_PRIVATE_KEY,
    test: set.LIQPAY_TEST === '1',
    url: set.LIQPAY_URL,
  }))

/** LiqPay: a shop's keys. */
export const liqpayVariables: ProviderVariables<LiqpayOptions> = {
  prefix: 'LIQPAY_',
  required: ['LIQPAY_PUBLIC_KEY', 'LIQPAY_PRIVATE_KEY'],
  schema,
}
