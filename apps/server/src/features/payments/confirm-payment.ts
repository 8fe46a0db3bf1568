import {
  type ReportedCapture,
  type ReportedPayment,
  checkPayment,
  type PaymentState,
} from '@hansom/domain/payments/payment'
import type { PaymentProvider } from '../../adapters/payments/port.ts'
import { nextLatePoll } from './poll-schedule.ts'
import type { PaymentsDeps } from './deps.ts'
import { isOpen, startedOf } from './attempt.ts'
import { captureOnce } from './capture-once.ts'
import { endAttempt } from './end-attempt.ts'
import { movePayment, readPayment } from './store/payments.ts'
import type { PaymentRow } from './table.ts'

/** What a caller knows of an attempt. If the provider can be queried, it is never trusted alone. */
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
    return movePayment(db, row.id, 'mismatch', { differs: finding.differs, found: captureIn(found) })
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
