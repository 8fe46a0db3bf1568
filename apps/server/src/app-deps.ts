import type { DriverIndex } from './adapters/driver-index/port.ts'
import type { Licence } from './adapters/product-licence/port.ts'
import type { Mail } from './adapters/mail/port.ts'
import type { PaymentProvider } from './adapters/payments/port.ts'
import type { Maps } from './adapters/maps/port.ts'
import type { Push } from './adapters/push/port.ts'
import type { Sms } from './adapters/sms/port.ts'
import type { Images, Storage } from './adapters/storage/port.ts'
import type { Config } from './config.ts'
import type { Clock } from './platform/clock/clock.ts'
import type { Database } from './platform/database/database.ts'
import type { Limits } from './platform/http/limits.ts'
import type { Log } from './platform/log/log.ts'
import type { MessageLog } from './platform/mailbox/message-log.ts'

/** What an application is made of; tests hand in their own. */
export interface AppDeps {
  config: Config
  /** Migrated. */
  database: Database
  /** False while another server may work on the database. Default: always true. */
  isServing?: () => boolean
  clock: Clock
  log: Log
  maps: Maps
  driverIndex: DriverIndex
  mail: Mail
  sms: Sms
  push: Push
  licence: Licence
  /** Who can take card payments, in the order in which people are offered them. */
  payments: readonly PaymentProvider[]
  storage: Storage
  images: Images
  /** What no outside service carries. */
  messages: MessageLog
  /** Signs sessions. */
  authSecret: string
  /** Where the built web application lies; null serves the interfaces alone. */
  webFolder: string | null
  limits?: Partial<Limits>
  /** How much work each part of an order is, before a code is sent. */
  workBits?: number
}
