import { Refusal } from '@hansom/domain/error-keys'
import { type Amount, moneyText } from '@hansom/domain/money/amount'
import type { Role } from '@hansom/domain/users/roles'
import { adminCredit } from '@hansom/domain/wallet/user-entries'
import { isPayable } from '@hansom/domain/wallet/withdraw'
import { uuidv7 } from 'uuidv7'
import { writeAudit } from '../../platform/audit/audit.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { idempotent } from '../../platform/outbox/idempotency.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import type { SettingsService } from '../settings/service.ts'
import type { UsersService } from '../users/service.ts'
import { userChangedEvent } from '../users/user-changed.ts'
import type { WalletService } from './service.ts'

export interface CreditDeps {
  database: Database
  clock: Clock
  outbox: Pick<Outbox, 'write'>
  settings: Pick<SettingsService, 'current'>
  users: Pick<UsersService, 'find' | 'lock' | 'notify'>
  wallet: Pick<WalletService, 'append'>
}

export interface Credit {
  id: string
  uid: string
  amount: Amount
  /** The balance before and after it. */
  before: Amount
  after: Amount
}

/** Adds to a wallet as an admin, once per key. Throws no_details_error, not_found, idempotency_mismatch. */
export async function creditWallet(
  deps: CreditDeps,
  by: string,
  input: { uid: string; amount: Amount },
  key: string | null,
): Promise<Credit> {
  const settings = await deps.settings.current()
  if (!isPayable(input.amount, settings)) {
    throw new Refusal('no_details_error', { fields: [{ field: 'amount', error: 'no_details_error' }] })
  }
  const at = deps.clock.now()
  return deps.database.withTransaction(async (tx) => {
    const once = { user: by, command: 'wallet.credit', key, body: input, at }
    const id = await idempotent(tx, once, async () => {
      const made = uuidv7()
      const { uid, amount } = input
      const { name, balance } = await lockWallet(deps.users, tx, uid)
      const origin = { at, currency: settings.code, by }
      await deps.wallet.append(tx, [adminCredit(made, uid, amount)], origin)
      await writeAudit(tx, {
        by,
        at,
        action: 'wallet.credit',
        kind: 'wallet',
        subject: uid,
        label: name,
        person: uid,
        before: { balance },
        after: { balance: balance + amount, amount },
      })
      await deps.users.notify(tx, [
        {
          user_id: uid,
          at,
          title: 'notify.wallet_credited.title',
          msg: 'notify.wallet_credited.msg',
          params: { amount: moneyText(amount, settings.decimal, settings) },
          screen: 'wallet',
          dedupe: `credit:${made}`,
        },
      ])
      await deps.outbox.write(tx, [userChangedEvent(uid)])
      return made
    })
    return readCredit(tx, id)
  })
}

interface LockedWallet {
  name: string
  balance: Amount
}

/** The name and balance of a driver or rider, with the row locked. Throws not_found, not_valid_user_type. */
export async function lockWallet(
  users: Pick<UsersService, 'lock'>,
  tx: Transaction,
  uid: string,
): Promise<LockedWallet> {
  const { isDeleted, ...user } = await lockAnyWallet(users, tx, uid)
  if (isDeleted) throw new Refusal('not_found')
  // Other user types cannot see, spend or withdraw a balance.
  if (user.usertype !== 'rider' && user.usertype !== 'driver') throw new Refusal('not_valid_user_type')
  return user
}

/** Like `lockWallet`, for any user type and deleted accounts. Throws not_found. */
export async function lockAnyWallet(
  users: Pick<UsersService, 'lock'>,
  tx: Transaction,
  uid: string,
): Promise<LockedWallet & { usertype: Role; isDeleted: boolean }> {
  const user = (await users.lock(tx, [uid])).get(uid)
  if (user === undefined) throw new Refusal('not_found')
  const { firstName, lastName, walletBalance: balance, usertype, deleted_at } = user
  return { name: `${firstName} ${lastName}`, balance, usertype, isDeleted: deleted_at !== null }
}

async function readCredit({ client }: Transaction, id: string): Promise<Credit> {
  const { rows } = await client.query<{ uid: string; amount: Amount; after: Amount }>(
    `select l.user_id as uid, l.amount, l.balance as after from ledger_entries e
      join ledger_legs l on l.entry_id = e.id and l.user_id is not null where e.key = $1`,
    [adminCredit(id, '', 1).key],
  )
  const [leg] = rows
  if (leg === undefined) throw new Error(`credit ${id} has no ledger entry`)
  return { id, ...leg, before: leg.after - leg.amount }
}
