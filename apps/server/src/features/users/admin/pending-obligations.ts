import { drivingStatuses } from '@hansom/domain/bookings/status'
import { type ErrorKey, Refusal } from '@hansom/domain/error-keys'
import type { Transaction } from '../../../platform/database/transaction.ts'

/** Pending obligations that prevent a deletion. */
interface PendingObligations {
  trip: boolean
  unpaid: boolean
  balance: number
  withdrawal: boolean
  /** A payment that is being captured or not yet applied, or a refund in progress. */
  payment: boolean
}

const inProgress = ['PAYMENT_PENDING', 'NEW', ...drivingStatuses]

/** Call it with the user's row locked for update, so that no booking of theirs starts before the transaction ends. */
async function readObligations({ client }: Transaction, uid: string): Promise<PendingObligations> {
  const reply = await client.query<PendingObligations>(
    `select
      exists (select from booking_money where (rider = $1 or driver = $1) and status = any($2)) as trip,
      exists (select from booking_money where (rider = $1 or driver = $1) and status = 'PENDING') as unpaid,
      (select wallet_balance from users where id = $1) as balance,
      exists (select from undecided_withdrawals where uid = $1) as withdrawal,
      exists (select from payment_records where payer = $1 and is_busy) or
      exists (select from refund_records where (rider = $1 or driver = $1) and ended_at is null) as payment`,
    [uid, inProgress],
  )
  return reply.rows[0] as PendingObligations
}

/** Throws open_booking while the user has a trip in progress. */
export async function refuseOpenTrip(tx: Transaction, uid: string): Promise<void> {
  if ((await readObligations(tx, uid)).trip) throw new Refusal('open_booking')
}

/**
 * Throws why an account cannot be deleted, by its owner or an admin: open_booking, unpaid_booking (a trip waiting for
 * payment), open_withdrawal, open_payment, open_debt. A debt that is waived must be credited first, so that the ledger
 * shows who bore it.
 */
export async function refusePendingObligations(tx: Transaction, uid: string): Promise<void> {
  const { trip, unpaid, balance, withdrawal, payment } = await readObligations(tx, uid)
  const key: ErrorKey | null = trip
    ? 'open_booking'
    : unpaid
      ? 'unpaid_booking'
      : withdrawal
        ? 'open_withdrawal'
        : payment
          ? 'open_payment'
          : balance < 0
            ? 'open_debt'
            : null
  if (key !== null) throw new Refusal(key)
}
