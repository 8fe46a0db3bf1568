import { Refusal } from '@hansom/domain/error-keys'
import { fullName } from '@hansom/domain/users/full-name'
import { eq } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { PaymentError, type PaymentProvider } from '../../adapters/payments/port.ts'
import { isUniqueViolation } from '../../platform/database/postgres-errors.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { nextLatePoll, nextPoll, type PaymentsDeps } from './attempt.ts'
import { confirmPayment, endAttempt } from './confirm-payment.ts'
import type { PayableOrder } from './order.ts'
import { checkoutPath, payPath, signReturnUrl, webhookPath } from './providers.ts'
import { movePayment, nextNumber, readOpenPayment, readPayment } from './store.ts'
import { type PaymentRow, paymentsTable } from './table.ts'

/** How long an attempt is reused before a new one replaces it: provider sessions expire, ms. */
const freshMs = 14 * 60_000
/** How long starting may take before the server handling it is considered lost, ms. */
const startingMs = 60_000

/**
 * Returns the attempt to pay an order with a provider: the open one, or a new one. Throws payment_unavailable if the
 * provider does not support the payment, and user_issue_contact_admin if the payer no longer exists.
 */
export async function beginAttempt(
  deps: PaymentsDeps,
  provider: PaymentProvider,
  order: PayableOrder,
  locale: string,
): Promise<PaymentRow> {
  if (!provider.accepts(order.currency, order.amount)) throw new Refusal('payment_unavailable')
  const { db } = deps.database
  for (let turn = 1; turn <= 5; turn++) {
    const open = await readOpenPayment(db, order.id, provider.name)
    if (open && canReuse(open, order, deps.worldNow())) return open
    // Detect a payment made in the meantime before creating another attempt.
    if (open && (await wasPaid(deps, open, order))) return (await readPayment(db, open.id)) ?? open
    const made = await insertAttempt(deps, provider, order, open)
    if (made) return startAttempt(deps, provider, made, locale)
  }
  throw new Refusal('conflict')
}

function canReuse(open: PaymentRow, order: PayableOrder, now: number): boolean {
  if (open.amount !== order.amount || open.currency !== order.currency) return false
  const age = now - open.opened_at
  return open.step === null ? age < startingMs : age < freshMs
}

/** Confirms an attempt that is about to be replaced; true if it turns out to be paid. */
async function wasPaid(deps: PaymentsDeps, open: PaymentRow, order: PayableOrder): Promise<boolean> {
  if (open.step === null || open.amount !== order.amount) return false
  await confirmPayment(deps, open.id).catch((error: unknown) => {
    if (!(error instanceof PaymentError)) throw error
  })
  return (await readPayment(deps.database.db, open.id))?.state === 'paid'
}

/** Replaces `old` with a new attempt. Null if another request was first. */
async function insertAttempt(
  { database, clock, worldNow, users }: PaymentsDeps,
  provider: PaymentProvider,
  order: PayableOrder,
  old: PaymentRow | null,
): Promise<PaymentRow | null> {
  const payer = await users.find(order.payer)
  if (!payer) throw new Refusal('user_issue_contact_admin')
  const now = worldNow()
  try {
    return await database.withTransaction(async (tx) => {
      await expectVersion(tx, order)
      // The new attempt takes over the wallet hold of the old one: nothing is released.
      if (old) {
        const ask_at = nextLatePoll(old.opened_at, now)
        await movePayment(tx.db, old.id, 'expired', { failure: 'superseded', closed: true, ask_at })
      }
      const number = await nextNumber(tx.db, order.id)
      const [row] = await tx.db
        .insert(paymentsTable)
        .values({
          id: uuidv7(),
          provider: provider.name,
          live: provider.live,
          booking: order.kind === 'booking' ? order.id : null,
          top_up: order.kind === 'top_up' ? order.id : null,
          code: order.code,
          number,
          reference: `${order.code}-${number}`,
          payer: order.payer,
          payer_name: fullName(payer),
          amount: order.amount,
          currency: order.currency,
          created_at: clock.now(),
          opened_at: now,
          ask_at: nextPoll(now, now),
        })
        .returning()
      return row ?? null
    })
  } catch (error) {
    if (isUniqueViolation(error, 'payments_one_open') || isUniqueViolation(error, 'payments_reference')) {
      return null
    }
    throw error
  }
}

/** Locks the amount due until the attempt exists: a hold might be about to be released. Throws conflict. */
async function expectVersion({ client }: Transaction, { id, version }: PayableOrder): Promise<void> {
  if (version === null) return
  const { rows } = await client.query<{ version: number }>(
    'select version from booking_money where id = $1 for no key update',
    [id],
  )
  if (rows[0]?.version !== version) throw new Refusal('conflict')
}

/** Starts the payment at the provider, outside of any transaction. If that fails, the attempt fails. */
async function startAttempt(
  deps: PaymentsDeps,
  provider: PaymentProvider,
  row: PaymentRow,
  locale: string,
): Promise<PaymentRow> {
  const { database, users, settings, siteUrl, authSecret, log } = deps
  const payer = await users.find(row.payer)
  const { appName } = await settings.current()
  const site = siteUrl()
  const back = `${site}${payPath(provider.name)}/return/${row.id}`
  try {
    const { step, providerRef } = await provider.start({
      reference: row.reference,
      amount: row.amount,
      currency: row.currency,
      description: `${appName} ${row.code}`,
      payer: {
        id: row.payer,
        firstName: payer?.firstName ?? '',
        lastName: payer?.lastName ?? '',
        email: payer?.email ?? '',
        phone: payer?.mobile ?? null,
      },
      returnUrl: provider.complete ? signReturnUrl(back, authSecret, row.id) : back,
      webhookUrl: `${site}${webhookPath(provider.name)}`,
      locale: payer?.locale ?? locale,
    })
    // Store the step first: a webhook may have changed the state already.
    await database.db
      .update(paymentsTable)
      .set({ step, provider_ref: providerRef })
      .where(eq(paymentsTable.id, row.id))
    await movePayment(database.db, row.id, 'started')
  } catch (error) {
    log.warn({ err: error, provider: provider.name, payment: row.id }, 'payment could not be started')
    const failed = await movePayment(database.db, row.id, 'failed', { failure: 'not_started' })
    if (failed) await endAttempt(deps, failed)
  }
  return (await readPayment(database.db, row.id)) ?? row
}

/** The page to which the payer's browser goes next. */
export function pageOf({ provider, id }: Pick<PaymentRow, 'provider' | 'id'>): string {
  return checkoutPath(provider, id)
}
