import { unit } from '@hansom/domain/money/amount'
import { isPaymentProvider } from '@hansom/domain/payments/providers'
import type { PaymentProvider } from '../../adapters/payments/port.ts'

/** Who can take card payments here. */
export interface Providers {
  /** In the order in which people are offered them. */
  all: readonly PaymentProvider[]
  /** Null for a name that is none, or of nobody who is set up. */
  find(name: string): PaymentProvider | null
}

export function configuredProviders(all: readonly PaymentProvider[]): Providers {
  return {
    all,
    find: (name) => (isPaymentProvider(name) ? all.find((one) => one.name === name) : null) ?? null,
  }
}

/** An amount of everyday size: whether a currency is taken at all is asked with it. */
const everyday = 100 * unit

/** True for a currency that somebody of these takes. */
export function cardTaker(providers: readonly PaymentProvider[]): (currency: string) => boolean {
  return (currency) => providers.some((provider) => provider.takes(currency, everyday))
}

/** The path to which the form of an order is posted. */
export function payPath(name: string): string {
  return `/pay/${name}`
}

/** The path at which a provider's messages come in. */
export function webhookPath(name: string): string {
  return `${payPath(name)}/webhook`
}

/** The page that carries an attempt out and shows how it stands. */
export function checkoutPath(provider: string, payment: string): string {
  return `/checkout/${provider}/${payment}`
}
