import type { Amount } from '../money/amount.ts'

/**
 * The states of one attempt to pay. `created`: kept here, the provider not asked yet. `started`: the payer is on the way.
 * `pending`: the provider has it and has not decided. `failed`: declined, given up, or refused by the provider. `expired`:
 * nobody came in time. `mismatch`: the provider reports another amount, currency, reference or mode than ours; an admin
 * looks, and takes what came, or says that it went back. `paid`: the provider's own word agrees with ours in everything.
 */
export const paymentStates = [
  'created',
  'started',
  'pending',
  'paid',
  'failed',
  'expired',
  'mismatch',
] as const
export type PaymentState = (typeof paymentStates)[number]

/** From which states each may be reached. Money that arrives late still counts: only `paid` is for ever. */
export const paymentSteps: Readonly<Record<PaymentState, readonly PaymentState[]>> = {
  created: [],
  started: ['created'],
  pending: ['created', 'started'],
  paid: ['created', 'started', 'pending', 'failed', 'expired', 'mismatch'],
  failed: ['created', 'started', 'pending', 'mismatch'],
  expired: ['created', 'started', 'pending'],
  mismatch: ['created', 'started', 'pending', 'failed', 'expired'],
}

/** The states in which the provider may still decide. */
export const openPaymentStates = ['created', 'started', 'pending'] as const satisfies readonly PaymentState[]

/** What became of captured money: it paid the booking, or it lies in the payer's wallet. */
export const paymentUses = ['booking', 'wallet', 'top_up'] as const
export type PaymentUse = (typeof paymentUses)[number]

/** What we asked a provider for. */
export interface ExpectedPayment {
  reference: string
  amount: Amount
  currency: string
  /** Real money, or the provider's sandbox. */
  live: boolean
}

/** What a provider's interface says of a payment. Amounts in 10^-4 of the currency unit. */
export type FoundPayment =
  /** With `complete`: the payer has agreed, and the money moves when the adapter's `complete` is called with it. */
  | { state: 'pending'; complete?: Readonly<Record<string, string>> }
  | { state: 'failed' }
  | ({ state: 'paid' } & FoundCapture)
  | ({ state: 'refunded' } & FoundCapture)

export interface FoundCapture {
  /** Our reference, as the provider kept it. */
  reference: string
  /** The provider's id of the capture: what a refund names. */
  providerId: string
  amount: Amount
  currency: string
  live: boolean
}

export type PaymentFinding =
  | { to: 'paid'; providerId: string }
  | { to: 'pending' | 'failed' }
  | { to: 'mismatch'; differs: ('reference' | 'amount' | 'currency' | 'mode')[] }

/** Holds the provider's word against what was asked for: paid only when everything agrees. */
export function findPayment(expected: ExpectedPayment, found: FoundPayment): PaymentFinding {
  if (found.state === 'pending' || found.state === 'failed') return { to: found.state }
  const differs: ('reference' | 'amount' | 'currency' | 'mode')[] = []
  if (found.reference !== expected.reference) differs.push('reference')
  if (found.amount !== expected.amount) differs.push('amount')
  if (found.currency !== expected.currency) differs.push('currency')
  if (found.live !== expected.live) differs.push('mode')
  return differs.length > 0 ? { to: 'mismatch', differs } : { to: 'paid', providerId: found.providerId }
}

/** True where what came may be taken as it came: only the amount is another one than was asked for. */
export function maySettleToWallet(differs: readonly string[]): boolean {
  return differs.length > 0 && differs.every((one) => one === 'amount')
}
