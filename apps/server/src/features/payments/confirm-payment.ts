import { Refusal } from '@hansom/domain/error-keys'
import { moneyText } from '@hansom/domain/money/amount'
import {
  checkPayment,
  type PaymentNotice,
  type PaymentState,
  type PaymentUse,
  type ReportedCapture,
  type ReportedPayment,
} from '@hansom/domain/payments/payment'
import type { Entry } from '@hansom/domain/wallet/ledger'
import { lateCapture, paymentKey } from '@hansom/domain/wallet/trip-entries'
import { topUp } from '@hansom/domain/wallet/user-entries'
import { eq } from 'drizzle-orm'
import { PaymentError, type PaymentProvider } from '../../adapters/payments/port.ts'
import { isUniqueViolation } from '../../platform/database/postgres-errors.ts'
import { userChangedEvent } from '../users/user-changed.ts'
import { collectFromWalletEvent } from '../wallet/service.ts'
import {
  captureOnce,
  isOpen,
  nextLatePoll,
  type PaymentsDeps,
  paymentReversedEvent,
  startedOf,
} from './attempt.ts'
import { closePayment, findByMessage, hasOtherOpen, movePayment, readPayment } from './store.ts'
import { type PaymentMessageRow, type PaymentRow, paymentMessagesTable } from './table.ts'

/** What a caller knows of an attempt. If the provider can be queried, hints are never trusted without a query. */
export interface ConfirmationHints {
  /** The provider's ID of the capture, from its message. */
  providerId?: string | null
  /** The provider's current response to `complete`. */
  answered?: ReportedPayment | null
  /** Signed facts of a provider that cannot be queried. */
  found?: ReportedPayment | null
  /** The raw message, for a provider that verifies its own messages. */
  message?: Buffer
  /** The payer has given up: an approved payment is no longer captured. */
  isGivenUp?: boolean
}

/**
 * Queries the provider about an attempt, stores the result and processes it: payments become paid only here. Safe to
 * call at any time, concurrently and after a crash: money is used once. Returns the state. Throws PaymentError if the
 * provider does not respond.
 */
export async function confirmPayment(
  deps: PaymentsDeps,
  id: string,
  hints: ConfirmationHints = {},
): Promise<PaymentState | null> {
  const { db } = deps.database
  const row = await readPayment(db, id)
  if (row === null) return null
  if (row.state === 'paid') {
    await endAttempt(deps, row)
    return 'paid'
  }
  const provider = deps.providers.find(row.provider)
  const found = provider && (await queryProvider(deps, provider, row, hints))
  if (!found) return row.state
  const moved = await storeFinding(deps, row, found)
  if (moved && !isOpen(moved)) await endAttempt(deps, moved)
  return (await readPayment(db, id))?.state ?? null
}

async function queryProvider(
  deps: PaymentsDeps,
  provider: PaymentProvider,
  row: PaymentRow,
  hints: ConfirmationHints,
): Promise<ReportedPayment | null> {
  if (hints.answered) return hints.answered
  if (provider.verify === null) return hints.found ?? null
  const payment = { ...startedOf(row), providerId: hints.providerId ?? row.provider_id }
  const found = await provider.verify(payment, hints.message)
  if (found.state !== 'pending' || !found.complete || !isOpen(row) || hints.isGivenUp) return found
  // The payer approved but never returned: capture the payment now.
  const answer = await captureOnce(deps, provider, row, found.complete)
  return answer?.kind === 'found' ? answer.found : found
}

/** Null if nothing has changed. */
async function storeFinding(
  { database, clock, worldNow, log }: PaymentsDeps,
  row: PaymentRow,
  found: ReportedPayment,
): Promise<PaymentRow | null> {
  const { db } = database
  const finding = checkPayment(row, found)
  if (finding.to === 'pending') return movePayment(db, row.id, 'pending')
  // Captured and refunded at the provider before we knew of it: nothing to use or to review.
  if (found.state === 'refunded') return movePayment(db, row.id, 'failed', { failure: 'refunded' })
  if (finding.to === 'mismatch') {
    // An admin has settled it with the provider: ignore the repeated report.
    if (row.failure === 'refunded') return null
    const { id, provider, reference } = row
    // The provider's ID, to find the money on its pages.
    const capture = 'providerId' in found ? found.providerId : null
    log.warn(
      { payment: id, provider, reference, capture, differs: finding.differs },
      'provider reports a mismatching payment; not settled',
    )
    return movePayment(db, row.id, 'mismatch', {
      differs: finding.differs,
      found: captureIn(found),
      mismatch_at: clock.now(),
    })
  }
  if (finding.to !== 'paid') {
    // Some providers let the payer try another card on the same page.
    const ask_at = nextLatePoll(row.opened_at, worldNow())
    return movePayment(db, row.id, 'failed', { failure: 'declined', ask_at })
  }
  return movePayment(db, row.id, 'paid', {
    provider_id: finding.providerId,
    paid_at: clock.now(),
    failure: null,
    differs: [],
    found: null,
  })
}

function captureIn(found: ReportedPayment): ReportedCapture | null {
  if (!('providerId' in found)) return null
  const { reference, providerId, amount, currency, live } = found
  return { reference, providerId, amount, currency, live }
}

/**
 * Processes the final state of an attempt: uses captured money; after a failure, releases the wallet hold unless
 * another attempt is open. Idempotent.
 */
export async function endAttempt(deps: PaymentsDeps, row: PaymentRow): Promise<void> {
  if (row.closed) return
  if (row.state === 'paid') {
    await applyCapturedFunds(deps, row)
    return
  }
  const { db } = deps.database
  if (row.booking !== null) await releaseHold(deps, row.booking, () => hasOtherOpen(db, row))
  await closePayment(db, row)
}

async function releaseHold(
  { bookings }: PaymentsDeps,
  booking: string,
  isPaying: () => Promise<boolean>,
): Promise<void> {
  try {
    await bookings.system.releaseHold(booking, isPaying)
  } catch (error) {
    // Paid by other means, cancelled or in progress: there is no hold, or another attempt needs it.
    if (!(error instanceof Refusal)) throw error
  }
}

/**
 * Uses captured money once: for its booking, or for the payer's wallet if the booking ended, was paid by other means or
 * now has another price. Every use has the same ledger key, so the ledger shows which one it was.
 */
async function applyCapturedFunds(deps: PaymentsDeps, payment: PaymentRow): Promise<void> {
  const { db } = deps.database
  if (payment.booking !== null && (await applyToBooking(deps, payment, payment.booking))) {
    return closePayment(db, payment, { used_for: 'booking' })
  }
  if (await creditWallet(deps, payment)) return
  // The money was used before, by another process or just before a crash.
  const use = await knownUse(deps, payment)
  if (use === null) throw new Error(`payment ${payment.id} has an unknown use in the ledger`)
  await closePayment(db, payment, { used_for: use })
}

const uses: Readonly<Record<string, PaymentUse>> = {
  card_payment: 'booking',
  late_capture: 'wallet',
  top_up: 'top_up',
}

async function knownUse({ wallet }: PaymentsDeps, { id }: PaymentRow): Promise<PaymentUse | null> {
  const kind = await wallet.kindOf(paymentKey(id))
  return kind === null ? null : (uses[kind] ?? null)
}

/** False if the booking refuses it. */
async function applyToBooking(
  { bookings }: PaymentsDeps,
  payment: PaymentRow,
  booking: string,
): Promise<boolean> {
  const captured = { provider: payment.provider, amount: payment.amount, payment: payment.id }
  for (const command of ['settleCapture', 'capturePayment'] as const) {
    try {
      await bookings.system[command](booking, captured)
      return true
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
  return false
}

/** Credits the payer's wallet and notifies them. False if the money was already used. */
async function creditWallet(deps: PaymentsDeps, payment: PaymentRow): Promise<boolean> {
  const { database, clock, users, wallet, outbox } = deps
  const settings = await deps.settings.current()
  const { id, provider, payer, booking, amount, currency, code } = payment
  const captured = { provider, amount, payment: id }
  const entry: Entry[] = booking === null ? [topUp(payer, captured)] : lateCapture(booking, payer, captured)
  const notice: PaymentNotice = booking === null ? 'topped_up' : 'payment_to_wallet'
  const at = clock.now()
  try {
    await database.withTransaction(async (tx) => {
      await wallet.append(tx, entry, { at, currency, by: null })
      await closePayment(tx.db, payment, { used_for: booking === null ? 'top_up' : 'wallet' })
      await users.notify(tx, [
        {
          user_id: payer,
          at,
          title: `notify.${notice}.title`,
          msg: `notify.${notice}.msg`,
          params: { amount: moneyText(amount, settings.decimal, settings), booking_id: code },
          screen: 'wallet',
          booking_id: booking,
          dedupe: `payment:${id}`,
        },
      ])
      await outbox.write(tx, [userChangedEvent(payer), collectFromWalletEvent(payer)])
    })
    return true
  } catch (error) {
    if (isUniqueViolation(error, 'ledger_entries_key_unique')) return false
    throw error
  }
}

/** How long a message about an unknown attempt is retried, ms: it may have arrived before the attempt was stored. */
const unknownForMs = 24 * 60 * 60_000
const maxWaitMs = 60 * 60_000

/** Processes a stored message. Throws the errors of `confirmPayment`; it can be called again then. */
export async function processMessage(deps: PaymentsDeps, message: PaymentMessageRow): Promise<void> {
  const { db } = deps.database
  const payment = await findByMessage(db, message.provider, message)
  if (payment !== null) {
    const { provider_id: providerId, found, body } = message
    try {
      await confirmPayment(deps, payment.id, { providerId, found, message: body })
      if (message.goes_back) {
        await deps.database.withTransaction((tx) => deps.outbox.write(tx, [paymentReversedEvent(payment.id)]))
      }
    } catch (error) {
      if (!(error instanceof PaymentError && error.permanent)) throw error
      // The provider does not confirm its message, and would not on a retry.
      deps.log.warn(
        { err: error, provider: message.provider, message: message.id },
        'webhook failed verification',
      )
    }
  }
  const now = deps.worldNow()
  const isDone = payment !== null || now - message.received_at > unknownForMs
  if (payment === null && isDone) {
    deps.log.warn({ provider: message.provider, message: message.id }, 'message matches no payment')
  }
  // Personal data of deleted accounts is not stored.
  const payer = payment && (await deps.users.find(payment.payer))
  const isDeleted = payer !== null && payer.deleted_at !== null
  await db
    .update(paymentMessagesTable)
    .set({
      payment: payment?.id ?? null,
      ...(isDeleted && { body: Buffer.alloc(0), query: '' }),
      ...(isDone ? { processed_at: now } : retryLater(message, now)),
    })
    .where(eq(paymentMessagesTable.id, message.id))
}

/** Backoff of a message that could not be processed. */
export function retryLater({ tries }: Pick<PaymentMessageRow, 'tries'>, now: number) {
  return { tries: tries + 1, retry_at: now + Math.min(maxWaitMs, 30_000 * 2 ** Math.min(tries, 10)) }
}
