import type { AdminPayment, CheckoutView, PaymentView } from '@hansom/contract/payments'
import { openPaymentStates } from '@hansom/domain/payments/payment'
import { and, eq, inArray, isNull, lte, or } from 'drizzle-orm'
import type { CompletedPayment, PaymentProvider, StartedPayment } from '../../adapters/payments/port.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Log } from '../../platform/log/log.ts'
import type { NewEvent } from '../../platform/outbox/event.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import type { BookingsService } from '../bookings/service.ts'
import type { SettingsService } from '../settings/service.ts'
import type { UsersService } from '../users/service.ts'
import type { WalletService } from '../wallet/service.ts'
import type { Providers } from './providers.ts'
import { type PaymentRow, paymentsTable as table } from './table.ts'

/** The dependencies of payments. */
export interface PaymentsDeps {
  database: Database
  log: Log
  /** The clock of bookings, which runs faster in a demo. */
  clock: Clock
  /** The real time, which providers use: epoch ms. */
  worldNow(): number
  jobs: Jobs
  outbox: Pick<Outbox, 'write'>
  settings: Pick<SettingsService, 'current'>
  users: Pick<UsersService, 'find' | 'notify'>
  wallet: Pick<WalletService, 'append' | 'kindOf'>
  bookings: Pick<BookingsService, 'get' | 'system'>
  providers: Providers
  /** The server's secret. */
  authSecret: string
  /** The public URL of the site, without a trailing slash. */
  siteUrl(): string
}

/** True if the provider may still decide. */
export function isOpen({ state }: Pick<PaymentRow, 'state'>): boolean {
  return (openPaymentStates as readonly string[]).includes(state)
}

/** The attempt in the form that provider calls take. */
export function startedOf(row: PaymentRow): StartedPayment {
  const { reference, amount, currency, provider_ref, provider_id } = row
  return { reference, amount, currency, providerRef: provider_ref, providerId: provider_id }
}

/** Longer than any provider call may take, ms; if the server crashes, others can take over after it. */
const leaseMs = 60_000

/**
 * Captures the money at the provider, one call per attempt at a time across servers: some providers lack idempotency
 * keys. Null if another capture is in progress or the attempt is already decided. Throws PaymentError.
 */
export async function captureOnce(
  { database: { db }, worldNow }: Pick<PaymentsDeps, 'database' | 'worldNow'>,
  provider: PaymentProvider,
  { id }: Pick<PaymentRow, 'id'>,
  input: Readonly<Record<string, string>>,
): Promise<CompletedPayment | null> {
  if (!provider.complete) return null
  const now = worldNow()
  const [row] = await db
    .update(table)
    .set({ capturing_until: now + leaseMs })
    .where(
      and(
        eq(table.id, id),
        inArray(table.state, [...openPaymentStates]),
        or(isNull(table.capturing_until), lte(table.capturing_until, now)),
      ),
    )
    .returning()
  if (row === undefined) return null
  try {
    return await provider.complete(startedOf(row), input)
  } finally {
    await db
      .update(table)
      .set({ capturing_until: null })
      .where(and(eq(table.id, id), eq(table.capturing_until, now + leaseMs)))
  }
}

const minute = 60_000

/** When the provider is polled about an attempt, ms after it was created; after that, hourly. */
const pollTimes = [1, 5, 15, 60].map((minutes) => minutes * minute)
/** Age at which an undecided attempt lapses, ms. */
export const lapseMs = 24 * 60 * minute
/** Age at which it lapses even if the provider has not answered, ms. */
export const silenceMs = 72 * 60 * minute
/** Delay until the next poll if the attempt is undecided when the payer returns, ms. */
export const afterReturnMs = 10_000

/**
 * When the provider is polled about an attempt that ended unpaid, ms after it was created: its page may still be open.
 */
const latePollTimes = [1, 24, 72, 168].map((hours) => hours * 60 * minute)

/** When to poll about an ended attempt that was created at `openedAt`, or null for no more. Both in world time. */
export function nextLatePoll(openedAt: number, now: number): number | null {
  const next = latePollTimes.find((time) => time > now - openedAt)
  return next === undefined ? null : openedAt + next
}

/** When to poll next about an attempt that was created at `openedAt`. Both in world time. */
export function nextPoll(openedAt: number, now: number): number {
  const age = now - openedAt
  const next = pollTimes.find((time) => time > age)
  if (next !== undefined) return openedAt + next
  return Math.min(now + 60 * minute, Math.max(openedAt + lapseMs, now + minute))
}

/** An attempt as its payer sees it. */
export function paymentView(row: PaymentRow): PaymentView {
  return {
    id: row.id,
    provider: row.provider,
    live: row.live,
    order: row.booking ?? row.top_up ?? row.id,
    kind: row.booking === null ? 'top_up' : 'booking',
    booking: row.booking,
    booking_id: row.booking === null ? null : row.code,
    reference: row.reference,
    amount: row.amount,
    currency: row.currency,
    state: row.state,
    used_for: row.used_for,
    failure: row.failure && `payments.failure_${row.failure}`,
    created_at: row.created_at,
    paid_at: row.paid_at,
  }
}

/** Adds the remaining step in the payer's browser, and whether the attempt has lapsed. */
export function checkoutView(row: PaymentRow, lapsed: boolean): CheckoutView {
  return { ...paymentView(row), step: stepView(row), lapsed }
}

function stepView({ step }: PaymentRow): CheckoutView['step'] {
  if (step?.kind !== 'form') return step ?? null
  const { kind, action, fields } = step
  return { kind, action, fields: fields.map(([name, value]) => ({ name, value })) }
}

export function adminPaymentView(row: PaymentRow): AdminPayment {
  const { payer, payer_name, provider_id, refunded, differs, found } = row
  return { ...paymentView(row), payer, payer_name, provider_id, refunded, differs, found }
}

/** Event kind: a provider reports that money was returned. */
export const paymentReversed = 'payment.went_back'

/** The outbox event. Consumers query the provider for the amount and reason. */
export function paymentReversedEvent(payment: string): NewEvent {
  return { kind: paymentReversed, stream: payment, payload: { payment } }
}
