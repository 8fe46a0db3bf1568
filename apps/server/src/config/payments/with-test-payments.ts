import type { PaymentOptions } from './read-payments.ts'

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
