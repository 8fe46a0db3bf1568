import { z } from 'zod'
import type { ProviderVariables } from '../options.ts'

const onOff = z
  .string()
  .refine((text) => /^(1|true|on|yes|0|false|off|no)$/i.test(text), 'must be true or false')
  .transform((text) => /^(1|true|on|yes)$/i.test(text))

/** `secret` signs the test provider's messages; undefined: derived from the server's secret. */
export const testPaymentVariables: ProviderVariables<{
  enabled: boolean | undefined
  secret: string | undefined
}> = {
  prefix: 'PAYMENT_TEST_',
  required: [],
  schema: z
    .strictObject({
      PAYMENT_TEST_ENABLED: onOff.optional(),
      PAYMENT_TEST_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
    })
    .transform((set) => ({ enabled: set.PAYMENT_TEST_ENABLED, secret: set.PAYMENT_TEST_SECRET })),
}
