import { Refusal } from '@hansom/domain/error-keys'
import type { Amount } from '@hansom/domain/money/amount'
import { fullName } from '@hansom/domain/users/full-name'
import type { Role } from '@hansom/domain/users/roles'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import type { SettingsService } from '../settings/service.ts'
import type { UsersService } from '../users/service.ts'
import type { WalletService } from './service.ts'

/** The dependencies of commands that change a wallet. */
export interface WalletCommandDeps {
  database: Database
  clock: Clock
  outbox: Pick<Outbox, 'write'>
  settings: Pick<SettingsService, 'current'>
  users: Pick<UsersService, 'find' | 'lock' | 'names' | 'notify'>
  wallet: Pick<WalletService, 'append'>
}

export interface LockedWallet {
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
  return { name: fullName({ firstName, lastName }), balance, usertype, isDeleted: deleted_at !== null }
}
