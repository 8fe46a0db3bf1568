import type { PaymentOptions } from './read-payments.ts'

/**
 * Adds the test provider in the demo, where it needs no variables; a problem if it is enabled elsewhere next to other
 * providers.
 */
export function withTestPayments(
  { test, ...others }: PaymentOptions,
  { demo, production }: { demo: boolean; production: boolean },
): { payments: PaymentOptions; problems: string[] } {
  const isClash = production && test?.enabled === true && Object.keys(others).length > 0
  const isOffered = demo && test?.enabled !== false
  return {
    payments: isOffered ? { ...others, test: test ?? { enabled: true, secret: undefined } } : others,
    problems: isClash
      ? ['PAYMENT_TEST_ENABLED is on next to a live provider: test payments are only available in the demo']
      : [],
  }
}
