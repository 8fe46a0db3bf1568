import type { PaymentProviderName } from '@hansom/domain/payments/providers'
import type { ProviderVariables } from './provider-variables.ts'
import { providerVariables } from './providers.ts'

export type PaymentOptions = {
  [Name in keyof typeof providerVariables]?: (typeof providerVariables)[Name] extends ProviderVariables<
    infer Options
  >
    ? Options
    : never
}

const providers: [string, ProviderVariables<unknown>][] = Object.entries(providerVariables)

/** The options of every configured payment provider, and problems with the variables. */
export function readPayments(given: Readonly<Record<string, string | undefined>>): {
  payments: PaymentOptions
  problems: string[]
} {
  const payments: Partial<Record<PaymentProviderName, unknown>> = {}
  const problems: string[] = []
  for (const [name, { prefix, required: needed, schema }] of providers) {
    const set = Object.fromEntries(Object.entries(given).filter(([variable]) => variable.startsWith(prefix)))
    const names = Object.keys(set)
    if (names.length === 0) continue
    const missing = needed.filter((variable) => set[variable] === undefined)
    if (missing.length > 0) {
      problems.push(`${names.join(', ')} set, but ${name} payments also need ${missing.join(', ')}`)
      continue
    }
    const parsed = schema.safeParse(set)
    if (parsed.success) payments[name as PaymentProviderName] = parsed.data
    else
      problems.push(...parsed.error.issues.map((issue) => `${issue.path.join('.') || name} ${issue.message}`))
  }
  return { payments: payments as PaymentOptions, problems }
}
