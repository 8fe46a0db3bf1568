import { z } from 'zod'
import { type ProviderVariables, providerUrl, sandboxOrLive } from '../options.ts'

const number = z.string().regex(/^\d+$/, 'must be digits')

const schema = z
  .strictObject({
    PAYU_ENV: sandboxOrLive,
    PAYU_API_KEY: z.string().min(1),
    PAYU_API_LOGIN: z.string().min(1),
    PAYU_MERCHANT_ID: number,
    PAYU_ACCOUNT_ID_AR: number.optional(),
    PAYU_ACCOUNT_ID_BR: number.optional(),
    PAYU_ACCOUNT_ID_CL: number.optional(),
    PAYU_ACCOUNT_ID_CO: number.optional(),
    PAYU_ACCOUNT_ID_MX: number.optional(),
    PAYU_ACCOUNT_ID_PA: number.optional(),
    PAYU_ACCOUNT_ID_PE: number.optional(),
    PAYU_ALGORITHM: z.enum(['MD5', 'SHA', 'SHA256', 'HMAC-SHA256']).default('MD5'),
    PAYU_HMAC_SECRET: z.string().min(1).optional(),
    PAYU_URL: providerUrl.optional(),
    PAYU_API_URL: providerUrl.optional(),
  })
  .transform((set) => ({
    live: set.PAYU_ENV === 'live',
    apiKey: set.PAYU_API_KEY,
    apiLogin: set.PAYU_API_LOGIN,
    merchantId: set.PAYU_MERCHANT_ID,
    accounts: {
      AR: set.PAYU_ACCOUNT_ID_AR,
      BR: set.PAYU_ACCOUNT_ID_BR,
      CL: set.PAYU_ACCOUNT_ID_CL,
      CO: set.PAYU_ACCOUNT_ID_CO,
      MX: set.PAYU_ACCOUNT_ID_MX,
      PA: set.PAYU_ACCOUNT_ID_PA,
      PE: set.PAYU_ACCOUNT_ID_PE,
    },
    algorithm: set.PAYU_ALGORITHM,
    hmacSecret: set.PAYU_HMAC_SECRET,
    url: set.PAYU_URL,
    apiUrl: set.PAYU_API_URL,
  }))
  .refine(({ accounts }) => Object.values(accounts).some((account) => account !== undefined), {
    path: ['PAYU_ACCOUNT_ID_...'],
    message: 'must be set for at least one country',
  })

/** PayU Latam: a merchant with an account per country. */
export const payulatamVariables = {
  prefix: 'PAYU_',
  required: ['PAYU_ENV', 'PAYU_API_KEY', 'PAYU_API_LOGIN', 'PAYU_MERCHANT_ID'],
  schema,
} satisfies ProviderVariables<unknown>
