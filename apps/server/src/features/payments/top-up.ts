import { bookingCode } from '@hansom/domain/bookings/codes'
import { Refusal } from '@hansom/domain/error-keys'
import type { Amount } from '@hansom/domain/money/amount'
import { isPayable } from '@hansom/domain/wallet/withdraw'
import { randomBytes } from 'node:crypto'
import { uuidv7 } from 'uuidv7'
import { idempotent } from '../../platform/outbox/idempotent.ts'
import type { PaymentsDeps } from './deps.ts'
import { topUpsTable } from './table.ts'

/** Creates an order to add money to the user's wallet, once per key. */
export async function makeTopUp(
  deps: PaymentsDeps,
  uid: string,
  amount: Amount,
  key: string | null,
): Promise<string> {
  const { database, clock, providers } = deps
  const settings = await deps.settings.current()
  if (!isPayable(amount, settings)) {
    throw new Refusal('no_details_error', { fields: [{ field: 'amount', error: 'no_details_error' }] })
  }
  const { topUpLimit } = settings
  if (topUpLimit > 0 && amount > topUpLimit) {
    throw new Refusal('top_up_too_much', { fields: [{ field: 'amount', error: 'top_up_too_much' }] })
  }
  if (!providers.all.some((provider) => provider.accepts(settings.code, amount))) {
    throw new Refusal('no_provider_found')
  }
  const at = clock.now()
  return database.withTransaction((tx) =>
    idempotent(tx, { user: uid, command: 'payments.topUp', key, body: { amount }, at }, async () => {
      const id = uuidv7()
      const { code: currency } = settings
      await tx.db.insert(topUpsTable).values({ id, code: newCode(), uid, amount, currency, created_at: at })
      return id
    }),
  )
}

/** Seven characters: one more than a booking_id, so references never collide with those of trips. */
function newCode(): string {
  const randoms = Array.from({ length: 6 }, () => randomBytes(4).readUInt32BE() / 2 ** 32)
  return `W${bookingCode(randoms)}`
}
