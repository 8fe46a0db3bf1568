import type { DriverIndex } from './adapters/driver-index/port.ts'
import type { Mail } from './adapters/mail/port.ts'
import type { MapServices, Maps } from './adapters/maps/port.ts'
import type { PaymentProvider } from './adapters/payments/port.ts'
import type { Licence } from './adapters/product-licence/port.ts'
import type { Push } from './adapters/push/port.ts'
import type { ServerBus } from './adapters/server-bus/port.ts'
import type { SharedCounts } from './adapters/shared-counts/port.ts'
import type { Sms } from './adapters/sms/port.ts'
import type { Images, Storage } from './adapters/storage/port.ts'
import type { Voice } from './adapters/voice/port.ts'
import type { Config } from './config.ts'
import type { PreparedMaps } from './features/accounts/setup.ts'
import type { Clock } from './platform/clock/clock.ts'
import type { Database } from './platform/database/database.ts'
import type { Replica } from './platform/database/replica.ts'
import type { Limits } from './platform/http/limits.ts'
import type { Log } from './platform/log/log.ts'
import type { MessageLog } from './platform/mailbox/message-log.ts'

/** The dependencies of an application; tests pass their own. */
export interface AppDeps {
  config: Config
  /** Migrated. */
  database: Database
  /** Answers reports. Default: the database does. */
  replica?: Replica | undefined
  /** False while another server may be using the database. Default: always true. */
  isServing?: () => boolean
  clock: Clock
  log: Log
  maps: Maps
  /** The embedded map without outside services, which the demo's past is made with. Default: `maps`. */
  ownMaps?: Maps
  /** Outside services for places and routes; null: the embedded map answers everything. */
  mapServices: MapServices | null
  /** Default: none besides `maps`. */
  preparedMaps?: PreparedMaps
  driverIndex: DriverIndex
  /** Connects the servers of an installation. Default: this server is the only one. */
  bus?: ServerBus | undefined
  /** Counts limits together with the other servers. Default: this server's own counts. */
  sharedCounts?: SharedCounts | undefined
  mail: Mail
  sms: Sms
  /** Keep messages for the mailbox, and send none. */
  mailbox: { mail: Mail; sms: Sms }
  /** Masked calls; null: riders and drivers see each other's numbers. */
  voice: Voice | null
  push: Push
  licence: Licence
  /** The card payment providers, in the order shown to users. */
  payments: readonly PaymentProvider[]
  storage: Storage
  images: Images
  /** Messages for channels without an external provider. */
  messages: MessageLog
  /** Signs sessions. */
  authSecret: string
  /** Folder of the built web application; null serves the API only. */
  webFolder: string | null
  limits?: Partial<Limits>
  /** Difficulty of each part of a proof of work, required before a code is sent. */
  workBits?: number
}
