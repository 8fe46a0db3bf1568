import type { WithdrawView } from '@hansom/contract/withdraws'
import { Refusal } from '@hansom/domain/error-keys'
import type { Role } from '@hansom/domain/users/roles'
import { withdrawRequested } from '@hansom/domain/wallet/user-entries'
import { withdrawRefusal, type WithdrawRequest } from '@hansom/domain/wallet/withdraw'
import { uuidv7 } from 'uuidv7'
import type { Transaction } from '../../platform/database/transaction.ts'
import { tableChangedEvent } from '../../platform/tables/table-changed-event.ts'
import { idempotent } from '../../platform/outbox/idempotent.ts'
import { userChangedEvent } from '../users/user-changed.ts'
import { readWithdraw } from './read-withdraws.ts'
import type { WithdrawsDeps } from './deps.ts'
import { withdrawsTable } from './table.ts'

/**
 * Requests a withdrawal from the user's wallet, which is debited immediately; once per key. Throws the errors of
 * `withdrawRefusal`, and idempotency_mismatch.
 */
export async function requestWithdraw(
  deps: WithdrawsDeps,
  uid: string,
  wish: WithdrawRequest,
  key: string | null,
): Promise<WithdrawView> {
  const settings = await deps.settings.current()
  const at = deps.clock.now()
  return deps.database.withTransaction(async (tx) => {
    const id = await idempotent(
      tx,
      { user: uid, command: 'withdraws.request', key, body: wish, at },
      async () => {
        const made = uuidv7()
        const person = await lockOwner(tx, uid)
        const refusal = withdrawRefusal(person, wish, settings)
        if (refusal !== null) throw refusal
        await tx.db.insert(withdrawsTable).values({
          id: made,
          uid,
          name: person.name,
          date: at,
          currency: settings.code,
          ...wish,
        })
        const origin = { at, currency: settings.code, by: uid }
        await deps.wallet.append(tx, [withdrawRequested(made, uid, wish.amount)], origin, [uid])
        await deps.outbox.write(tx, [userChangedEvent(uid), tableChangedEvent('withdraws')])
        return made
      },
    )
    return readWithdraw(tx.db, id)
  })
}

interface Owner {
  name: string
  usertype: Role
  walletBalance: number
}

/** The wallet's owner, with the row locked: a concurrent request sees the reduced balance. */
async function lockOwner({ client }: Transaction, uid: string): Promise<Owner> {
  const { rows } = await client.query<Owner>(
    `select first_name || ' ' || last_name as name, usertype, wallet_balance as "walletBalance" from users
      where id = $1 and deleted_at is null for no key update`,
    [uid],
  )
  const [owner] = rows
  if (owner === undefined) throw new Refusal('not_logged_in')
  return owner
}
