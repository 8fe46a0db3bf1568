import type { CheckoutView } from '@hansom/contract/payments'
import { Refusal } from '@hansom/domain/error-keys'
import { openPaymentStates } from '@hansom/domain/payments/payment'
import { and, eq, inArray } from 'drizzle-orm'
import { PaymentError } from '../../adapters/payments/port.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { eraseBy } from '../users/erase-user.ts'
import {
  afterReturnMs,
  captureOnce,
  checkoutView,
  isOpen,
  nextLatePoll,
  type PaymentsDeps,
} from './attempt.ts'
import { type ConfirmationHints, confirmPayment, endAttempt } from './confirm-payment.ts'
import { isLapsed } from './order.ts'
import { movePayment, readPayment } from './store.ts'
import { type PaymentRow, paymentsTable as table } from './table.ts'

/** The user's own attempt. Throws not_found for others and unknown ones alike. */
async function readOwn(deps: PaymentsDeps, uid: string, id: string): Promise<PaymentRow> {
  const row = await readPayment(deps.database.db, id)
  if (row === null || row.payer !== uid) throw new Refusal('not_found')
  return row
}

/** The user's own attempt as its page shows it. Throws not_found. */
export async function showOwn(deps: PaymentsDeps, uid: string, id: string): Promise<CheckoutView> {
  const row = await readOwn(deps, uid, id)
  return checkoutView(row, await isLapsed(deps, row))
}

/**
 * Passes input from an embedded page to the provider and confirms the payment. Throws not_found, wrong_status if the
 * attempt is not open, provider_fetch_error.
 */
export async function completeAttempt(
  deps: PaymentsDeps,
  uid: string,
  id: string,
  input: Readonly<Record<string, string>>,
): Promise<{ payment: CheckoutView; challenge: Record<string, string> | null }> {
  const row = await readOwn(deps, uid, id)
  const provider = deps.providers.find(row.provider)
  if (!provider?.complete || !isOpen(row)) throw new Refusal('wrong_status')
  const answer = await orFetchError(() => captureOnce(deps, provider, row, input))
  if (answer === null) return { payment: await showOwn(deps, uid, id), challenge: null }
  if (answer.kind === 'challenge') return { payment: await showOwn(deps, uid, id), challenge: answer.data }
  await orFetchError(() => confirmPayment(deps, id, { answered: answer.found }))
  return { payment: await showOwn(deps, uid, id), challenge: null }
}

/** Ends an attempt for the payer, unless it was paid in the meantime. Throws not_found, provider_fetch_error. */
export async function giveUpAttempt(deps: PaymentsDeps, uid: string, id: string): Promise<CheckoutView> {
  const row = await readOwn(deps, uid, id)
  if (isOpen(row)) {
    await orFetchError(() => confirmPayment(deps, id, { isGivenUp: true }))
    const ask_at = nextLatePoll(row.opened_at, deps.worldNow())
    const ended = await movePayment(deps.database.db, id, 'failed', { failure: 'given_up', ask_at })
    if (ended) await endAttempt(deps, ended)
  }
  return showOwn(deps, uid, id)
}

/** Gives up a deleted user's open attempts. If one is paid anyway, the provider is still polled. */
export async function giveUpAttemptsOf({ db }: Transaction, payer: string): Promise<void> {
  await db
    .update(table)
    .set({ state: 'failed', failure: 'given_up', closed: true })
    .where(and(eq(table.payer, payer), inArray(table.state, ['created', 'started'])))
}

/** Queries the provider after the payer has returned. If it does not respond, a poll follows soon. */
export async function confirmAfterReturn(
  deps: PaymentsDeps,
  row: PaymentRow,
  hints: ConfirmationHints,
): Promise<void> {
  try {
    await confirmPayment(deps, row.id, hints)
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error
    deps.log.warn({ err: error, payment: row.id }, 'payment provider did not respond')
  }
  await deps.database.db
    .update(table)
    .set({ ask_at: deps.worldNow() + afterReturnMs })
    .where(and(eq(table.id, row.id), inArray(table.state, [...openPaymentStates])))
}

/** Throws provider_fetch_error if a provider does not respond. */
async function orFetchError<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof PaymentError) throw new Refusal('provider_fetch_error', { cause: error })
    throw error
  }
}

/** Erases messages to and from providers, which contain the payer's name. */
export const erasePaymentMessages = eraseBy(
  `update payment_messages set body = '', query = '' where id in
    (select m.id from payments p join payment_messages m on m.payment = p.id
      where $2::text is not null and p.payer = $1 and (length(m.body) > 0 or m.query <> '') limit $3)`,
)

/** Erases the payer's name. */
export const eraseFromPayments = eraseBy(
  `update payments set payer_name = $2, step = null where id in
    (select id from payments where payer = $1 and (payer_name <> $2 or step is not null) limit $3)`,
)
