import { createHmac, timingSafeEqual } from 'node:crypto'
import { unit } from '@hansom/domain/money/amount'
import { isPaymentProvider } from '@hansom/domain/payments/providers'
import type { PaymentProvider } from '../../adapters/payments/port.ts'

/** The configured card payment providers. */
export interface Providers {
  /** In display order. */
  all: readonly PaymentProvider[]
  /** Null for an unknown name or a provider that is not configured. */
  find(name: string): PaymentProvider | null
}

export function configuredProviders(all: readonly PaymentProvider[]): Providers {
  return {
    all,
    find: (name) => (isPaymentProvider(name) ? all.find((one) => one.name === name) : null) ?? null,
  }
}

/** A typical amount, to check whether a currency is supported at all. */
const everyday = 100 * unit

/** Tests whether one of the providers supports a currency. */
export function acceptsCurrency(providers: readonly PaymentProvider[]): (currency: string) => boolean {
  return (currency) => providers.some((provider) => provider.accepts(currency, everyday))
}

/** The path that the form of an order is posted to. */
export function payPath(name: string): string {
  return `/pay/${name}`
}

/** The path of a provider's webhook. */
export function webhookPath(name: string): string {
  return `${payPath(name)}/webhook`
}

/** The page that runs an attempt and shows its state. */
export function checkoutPath(provider: string, payment: string): string {
  return `/checkout/${provider}/${payment}`
}

const proofOf = (secret: string, id: string): string =>
  createHmac('sha256', secret).update(`payment return ${id}`).digest('base64url').slice(0, 22)

/**
 * The return URL with a proof known only to the provider and the payer's browser. Without it, a return neither ends nor
 * captures anything.
 */
export function signReturnUrl(address: string, secret: string, id: string): string {
  return `${address}?proof=${proofOf(secret, id)}`
}

export function hasReturnProof(query: URLSearchParams, secret: string, id: string): boolean {
  const [given, right] = [Buffer.from(query.get('proof') ?? ''), Buffer.from(proofOf(secret, id))]
  return given.length === right.length && timingSafeEqual(given, right)
}
