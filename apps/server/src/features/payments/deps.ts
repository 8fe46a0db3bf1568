import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import type { BookingsService } from '../bookings/service.ts'
import type { SettingsService } from '../settings/service.ts'
import type { UsersService } from '../users/service.ts'
import type { WalletService } from '../wallet/service.ts'
import type { Providers } from './providers.ts'

/** The dependencies of payments. */
export interface PaymentsDeps {
  database: Database
  log: Log
  /** The clock of bookings, which runs faster in a demo. */
  clock: Clock
  /** The real time, which providers use: epoch ms. */
  worldNow(): number
  jobs: Jobs
  outbox: Pick<Outbox, 'write'>
  settings: Pick<SettingsService, 'current'>
  users: Pick<UsersService, 'find' | 'notify'>
  wallet: Pick<WalletService, 'append'>
  bookings: Pick<BookingsService, 'get' | 'system'>
  providers: Providers
  /** The server's secret. */
  authSecret: string
  /** The public URL of the site, without a trailing slash. */
  siteUrl(): string
}
