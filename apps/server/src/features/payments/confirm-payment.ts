import {
  type FoundCapture,
  type FoundPayment,
  findPayment,
  type PaymentState,
} from '@hansom/domain/payments/payment'
import type { PaymentProvider } from '../../adapters/payments/port.ts'
import { askLate } from './ask-times.ts'
import type { PaymentsDeps } from './deps.ts'
import { isOpen, startedOf } from './attempt.ts'
import { captureOnce } from './capture-once.ts'
import { endAttempt } from './end-attempt.ts'
import { movePayment, readPayment } from './store/payments.ts'
import type { PaymentRow } from './table.ts'

/** What somebody has told of an attempt; it is never believed by itself where the provider can be asked. */
export interface Told {
  /** The provider's id of the capture, as its message says. */
  providerId?: string | null
  /** The provider's own answer of just now, to `complete`. */
  answered?: FoundPayment | null
  /** Facts that were signed, of a provider that cannot be asked. */
  found?: FoundPayment | null
  /** The raw message, for a provider that confirms its own. */
  message?: Buffer
  /** The payer has given up: what was agreed to is not taken any more. */
  isGivenUp?: boolean
}

/**
 * Asks the provider about an attempt, keeps its word and does what follows from that: the one way in which anything is
 * paid. It may be called at any time, by several at once and again after a crash: money is used once. Answers with the state.
 * Throws PaymentError when the provider does not answer.
 */
export async function confirmPayment(
  deps: PaymentsDeps,
  id: string,
  told: Told = {},
): Promise<PaymentState | null> {
  const { db } = deps.database
  const row = await readPayment(db, id)
  if (row === null) return null
  if (row.state === 'paid') {
    await endAttempt(deps, row)
    return 'paid'
  }
  const provider = deps.providers.find(row.provider)
  const found = provider && (await askAbout(deps, provider, row, told))
  if (!found) return row.state
  const moved = await keepWord(deps, row, found)
  if (moved && !isOpen(moved)) await endAttempt(deps, moved)
  return (await readPayment(db, id))?.state ?? null
}

async function askAbout(
  deps: PaymentsDeps,
  provider: PaymentProvider,
  row: PaymentRow,
  told: Told,
): Promise<FoundPayment | null> {
  if (told.answered) return told.answered
  if (provider.verify === null) return told.found ?? null
  const payment = { ...startedOf(row), providerId: told.providerId ?? row.provider_id }
  const found = await provider.verify(payment, told.message)
  if (found.state !== 'pending' || !found.complete || !isOpen(row) || told.isGivenUp) return found
  // The payer has agreed and never came back: the money moves when we say so.
  const answer = await captureOnce(deps, provider, row, found.complete)
  return answer?.kind === 'found' ? answer.found : found
}

/** Null when nothing has changed. */
async function keepWord(
  { database, clock, worldNow, log }: PaymentsDeps,
  row: PaymentRow,
  found: FoundPayment,
): Promise<PaymentRow | null> {
  const { db } = database
  const finding = findPayment(row, found)
  if (finding.to === 'pending') return movePayment(db, row.id, 'pending')
  // Taken and given back by hand before we heard of it: there is nothing to use, and nothing to look at.
  if (found.state === 'refunded') return movePayment(db, row.id, 'failed', { failure: 'refunded' })
  if (finding.to === 'mismatch') {
    // Somebody has settled it with the provider: the same word again is no news.
    if (row.failure === 'refunded') return null
    const { id, provider, reference } = row
    // By it whoever looks there finds the money.
    const capture = 'providerId' in found ? found.providerId : null
    log.warn(
      { payment: id, provider, reference, capture, differs: finding.differs },
      'a provider reports another payment than ours: nothing is paid',
    )
    return movePayment(db, row.id, 'mismatch', { differs: finding.differs, found: captureIn(found) })
  }
  if (finding.to !== 'paid') {
    // With some, the payer may try another card on the same page.
    const ask_at = askLate(row.opened_at, worldNow())
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

function captureIn(found: FoundPayment): FoundCapture | null {
  if (!('providerId' in found)) return null
  const { reference, providerId, amount, currency, live } = found
  return { reference, providerId, amount, currency, live }
}
