import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import type { SettingsService } from '../settings/service.ts'
import type { UsersService } from '../users/service.ts'
import type { WalletService } from '../wallet/service.ts'

/** The dependencies of withdrawals. */
export interface WithdrawsDeps {
  database: Database
  clock: Clock
  outbox: Pick<Outbox, 'write' | 'on'>
  settings: Pick<SettingsService, 'current'>
  users: Pick<UsersService, 'notify'>
  wallet: Pick<WalletService, 'append'>
}
