import type { PaymentProvider } from '../../adapters/payments/port.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import type { SettingsService } from '../settings/service.ts'
import type { UsersService } from '../users/service.ts'
import type { WalletService } from '../wallet/service.ts'

/** The dependencies of refunds. */
export interface RefundsDeps {
  database: Database
  clock: Clock
  log: Log
  jobs: Jobs
  outbox: Pick<Outbox, 'write' | 'on'>
  settings: Pick<SettingsService, 'current'>
  users: Pick<UsersService, 'notify'>
  wallet: Pick<WalletService, 'append'>
  payments: readonly PaymentProvider[]
  /** The real time, which providers use: epoch ms. */
  worldNow(): number
}
