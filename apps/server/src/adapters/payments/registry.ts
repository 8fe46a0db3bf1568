import { createHmac } from 'node:crypto'
import { type PaymentProviderName, paymentProviders } from '@hansom/domain/payments/providers'
import { braintreeVariables } from './braintree/options.ts'
import { culqiVariables } from './culqi/options.ts'
import { flutterwaveVariables } from './flutterwave/options.ts'
import { liqpayVariables } from './liqpay/options.ts'
import { mercadopagoVariables } from './mercadopago/options.ts'
import type { ProviderVariables } from './options.ts'
import { payfastVariables } from './payfast/options.ts'
import { paypalVariables } from './paypal/options.ts'
import { paystackVariables } from './paystack/options.ts'
import { paytmVariables } from './paytm/options.ts'
import { payulatamVariables } from './payulatam/options.ts'
import type { PaymentProvider } from './port.ts'
import { securepayVariables } from './securepay/options.ts'
import { stripeVariables } from './stripe/options.ts'
import { testPaymentVariables } from './test/options.ts'
import type { TestPaymentStore } from './test/test-payments.ts'

/** Dependencies of the built-in test provider. */
export interface TestProviderDeps {
  store: TestPaymentStore
  /** The server's secret. */
  secret: string
}

interface Registered<Options> {
  variables: ProviderVariables<Options>
  /** Loads the adapter: only that of a configured provider. */
  open(options: Options, deps: TestProviderDeps): Promise<PaymentProvider>
}

const provider = <Options>(
  variables: ProviderVariables<Options>,
  open: Registered<Options>['open'],
): Registered<Options> => ({ variables, open })

/** The payment providers: a row for each, with its environment variables and its adapter. */
const providers = {
  braintree: provider(braintreeVariables, async (options) =>
    (await import('./braintree/braintree.ts')).braintreePayments(options),
  ),
  culqi: provider(culqiVariables, async (options) =>
    (await import('./culqi/culqi.ts')).culqiPayments(options),
  ),
  flutterwave: provider(flutterwaveVariables, async (options) =>
    (await import('./flutterwave/flutterwave.ts')).flutterwavePayments(options),
  ),
  liqpay: provider(liqpayVariables, async (options) =>
    (await import('./liqpay/liqpay.ts')).liqpayPayments(options),
  ),
  mercadopago: provider(mercadopagoVariables, async (options) =>
    (await import('./mercadopago/mercadopago.ts')).mercadopagoPayments(options),
  ),
  payfast: provider(payfastVariables, async (options) =>
    (await import('./payfast/payfast.ts')).payfastPayments(options),
  ),
  paypal: provider(paypalVariables, async (options) =>
    (await import('./paypal/paypal.ts')).paypalPayments(options),
  ),
  paystack: provider(paystackVariables, async (options) =>
    (await import('./paystack/paystack.ts')).paystackPayments(options),
  ),
  paytm: provider(paytmVariables, async (options) =>
    (await import('./paytm/paytm.ts')).paytmPayments(options),
  ),
  payulatam: provider(payulatamVariables, async (options) =>
    (await import('./payulatam/payulatam.ts')).payulatamPayments(options),
  ),
  securepay: provider(securepayVariables, async (options) =>
    (await import('./securepay/securepay.ts')).securepayPayments(options),
  ),
  stripe: provider(stripeVariables, async (options) =>
    (await import('./stripe/stripe.ts')).stripePayments(options),
  ),
  test: provider(testPaymentVariables, async (options, { store, secret }) =>
    (await import('./test/test-payments.ts')).testPayments({
      store,
      secret: options.secret ?? createHmac('sha256', secret).update('test payments').digest('hex'),
    }),
  ),
}
const rows: Readonly<Record<PaymentProviderName, Registered<unknown>>> = providers

/** The options of the configured providers. */
export type PaymentOptions = {
  [Name in PaymentProviderName]?: (typeof providers)[Name] extends Registered<infer Options> ? Options : never
}

/** The options of every configured payment provider, and problems with the variables. */
export function readPayments(given: Readonly<Record<string, string | undefined>>): {
  payments: PaymentOptions
  problems: string[]
} {
  const payments: Partial<Record<PaymentProviderName, unknown>> = {}
  const problems: string[] = []
  for (const name of paymentProviders) {
    const { prefix, required, schema } = rows[name].variables
    const set = Object.fromEntries(Object.entries(given).filter(([variable]) => variable.startsWith(prefix)))
    const names = Object.keys(set)
    if (names.length === 0) continue
    const missing = required.filter((variable) => set[variable] === undefined)
    if (missing.length > 0) {
      problems.push(`${names.join(', ')} set, but ${name} payments also need ${missing.join(', ')}`)
      continue
    }
    const parsed = schema.safeParse(set)
    if (parsed.success) payments[name] = parsed.data
    else
      problems.push(...parsed.error.issues.map((issue) => `${issue.path.join('.') || name} ${issue.message}`))
  }
  return { payments: payments as PaymentOptions, problems }
}

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

/** Opens the adapters of the configured providers, in the order shown to users. */
export async function openPayments(
  options: PaymentOptions,
  deps: TestProviderDeps,
): Promise<PaymentProvider[]> {
  const configured = paymentProviders.filter((name) => options[name] !== undefined)
  return Promise.all(configured.map((name) => rows[name].open(options[name], deps)))
}
