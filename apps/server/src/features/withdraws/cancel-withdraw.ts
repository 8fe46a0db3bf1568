import type { WithdrawView } from '@hansom/contract/withdraws'
import { Refusal } from '@hansom/domain/error-keys'
import { withdrawRefused } from '@hansom/domain/wallet/user-entries'
import { and, eq } from 'drizzle-orm'
import { idempotent } from '../../platform/outbox/idempotent.ts'
import { tableChangedEvent } from '../../platform/tables/table-changed-event.ts'
import { userChangedEvent } from '../users/user-changed.ts'
import type { WithdrawsDeps } from './deps.ts'
import { readWithdraw } from './read-withdraws.ts'
import { withdrawsTable } from './table.ts'

/**
 * Cancels a waiting request as its owner and returns the money to the wallet. Uses the ledger key of a refusal, so only
 * one of concurrent decisions counts. Throws not_found, and wrong_status if it is already decided.
 */
export async function cancelWithdraw(
  deps: WithdrawsDeps,
  uid: string,
  id: string,
  key: string | null,
): Promise<WithdrawView> {
  const at = deps.clock.now()
  const { processed, refused } = withdrawsTable
  return deps.database.withTransaction(async (tx) => {
    await idempotent(tx, { user: uid, command: 'withdraws.takeBack', key, body: { id }, at }, async () => {
      const [row] = await tx.db
        .update(withdrawsTable)
        .set({ refused: true, takenBack: true, procesDate: at })
        .where(
          and(
            eq(withdrawsTable.id, id),
            eq(withdrawsTable.uid, uid),
            eq(processed, false),
            eq(refused, false),
          ),
        )
        .returning()
      if (row === undefined) {
        const current = await readWithdraw(tx.db, id)
        if (current.uid !== uid) throw new Refusal('not_found')
        throw new Refusal('wrong_status', { data: { current } })
      }
      const origin = { at, currency: row.currency, by: uid }
      await deps.wallet.append(tx, [withdrawRefused(id, uid, row.amount)], origin)
      await deps.outbox.write(tx, [userChangedEvent(uid), tableChangedEvent('withdraws')])
      return id
    })
    return readWithdraw(tx.db, id)
  })
}
