import type { Amount } from '../money/amount.ts'

/**
 * The states of a payment attempt. `created`: stored here, not sent to the provider yet. `started`: the payer is at the
 * provider. `pending`: the provider has it and has not decided. `failed`: declined, abandoned, or refused by the
 * provider. `expired`: not paid in time. `mismatch`: the provider reports a different amount, currency, reference or
 * mode; an admin accepts the received amount, or records that it was refunded. `paid`: the provider's report matches in
 * every field.
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

/** The states from which each may be reached. Money that arrives late still counts: only `paid` is final. */
export const paymentSteps: Readonly<Record<PaymentState, readonly PaymentState[]>> = {
  created: [],
  started: ['created'],
  pending: ['created', 'started'],
  paid: ['created', 'started', 'pending', 'failed', 'expired', 'mismatch'],
  failed: ['created', 'started', 'pending', 'mismatch'],
  expired: ['created', 'started', 'pending'],
  mismatch: ['created', 'started', 'pending', 'failed', 'expired'],
}

/** States in which the provider may still decide. */
export const openPaymentStates = ['created', 'started', 'pending'] as const satisfies readonly PaymentState[]

/** How captured money was used: it paid the booking, or was credited to the payer's wallet. */
export const paymentUses = ['booking', 'wallet', 'top_up'] as const
export type PaymentUse = (typeof paymentUses)[number]

/** The payment requested from a provider. */
export interface ExpectedPayment {
  reference: string
  amount: Amount
  currency: string
  /** True: real money; false: the provider's sandbox. */
  live: boolean
}

/** The provider's report of a payment. Amounts in 10^-4 of the currency unit. */
export type ReportedPayment =
  /** With `complete`: the payer has agreed, and the money is captured by calling the adapter's `complete` with it. */
  | { state: 'pending'; complete?: Readonly<Record<string, string>> }
  | { state: 'failed' }
  | ({ state: 'paid' } & ReportedCapture)
  | ({ state: 'refunded' } & ReportedCapture)

export interface ReportedCapture {
  /** Our reference, as stored by the provider. */
  reference: string
  /** The provider's id of the capture, used for refunds. */
  providerId: string
  amount: Amount
  currency: string
  live: boolean
}

export type PaymentFinding =
  | { to: 'paid'; providerId: string }
  | { to: 'pending' | 'failed' }
  | { to: 'mismatch'; differs: ('reference' | 'amount' | 'currency' | 'mode')[] }

/** Compares the provider's report with the requested payment: paid only when every field matches. */
export function checkPayment(expected: ExpectedPayment, found: ReportedPayment): PaymentFinding {
  if (found.state === 'pending' || found.state === 'failed') return { to: found.state }
  const differs: ('reference' | 'amount' | 'currency' | 'mode')[] = []
  if (found.reference !== expected.reference) differs.push('reference')
  if (found.amount !== expected.amount) differs.push('amount')
  if (found.currency !== expected.currency) differs.push('currency')
  if (found.live !== expected.live) differs.push('mode')
  return differs.length > 0 ? { to: 'mismatch', differs } : { to: 'paid', providerId: found.providerId }
}

/** True when the received money may be accepted as is: only the amount differs. */
export function maySettleToWallet(differs: readonly string[]): boolean {
  return differs.length > 0 && differs.every((one) => one === 'amount')
}

/**
 * Notifications to payers about card payments; their texts are in the language packs under `notify.<notice>.title` and
 * `.msg`.
 */
export const paymentNotices = ['payment_to_wallet', 'topped_up'] as const
export type PaymentNotice = (typeof paymentNotices)[number]

const day = 24 * 3_600_000

/**
 * When to ask the provider next whether a payment begun at `openedAt` was refunded: daily for a month, then weekly for
 * half a year; then null. Epoch ms.
 */
export function nextRefundCheckAt(openedAt: number, now: number): number | null {
  const age = Math.max(0, now - openedAt)
  const step = age < 30 * day ? day : 7 * day
  const next = openedAt + (Math.floor(age / step) + 1) * step
  return next <= openedAt + 180 * day ? next : null
}
