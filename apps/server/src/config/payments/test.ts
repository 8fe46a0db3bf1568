import { z } from 'zod'
import type { PaymentOptions } from './read-payments.ts'
import type { ProviderVariables } from './provider-variables.ts'

const onOff = z
  .string()
  .refine((text) => /^(1|true|on|yes|0|false|off|no)$/i.test(text), 'must be true or false')
  .transform((text) => /^(1|true|on|yes)$/i.test(text))

/** `secret` signs the messages of the test provider; undefined: derived from the server's own secret. */
export const testPaymentVariables: ProviderVariables<{
  enabled: boolean | undefined
  secret: string | undefined
}> = {
  prefix: 'PAYMENT_TEST_',
  needed: [],
  schema: z
    .strictObject({
      PAYMENT_TEST_ENABLED: onOff.optional(),
      PAYMENT_TEST_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
    })
    .transform((set) => ({ enabled: set.PAYMENT_TEST_ENABLED, secret: set.PAYMENT_TEST_SECRET })),
}

/** The providers as they are offered: that for tests in the demo alone, where it needs no variable; and what speaks against it. */
export function withTestPayments(
  { test, ...others }: PaymentOptions,
  { demo, production }: { demo: boolean; production: boolean },
): { payments: PaymentOptions; problems: string[] } {
  const isClash = production && test?.enabled === true && Object.keys(others).length > 0
  const isOffered = demo && test?.enabled !== false
  return {
    payments: isOffered ? { ...others, test: test ?? { enabled: true, secret: undefined } } : others,
    problems: isClash
      ? ['PAYMENT_TEST_ENABLED is on beside a provider in earnest: test payments are for the demo alone']
      : [],
  }
}
