import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { TopicRegistry } from '../../platform/live/topics.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import type { BookingsService } from '../bookings/service.ts'
import type { TrackingService } from '../bookings/tracking/service.ts'
import type { SettingsService } from '../settings/service.ts'
import type { UsersService } from '../users/service.ts'

export interface SafetyDeps {
  database: Database
  clock: Pick<Clock, 'now'>
  jobs: Pick<Jobs, 'define' | 'send'>
  outbox: Pick<Outbox, 'write' | 'onBatch'>
  hub: { publish(channel: string, data: unknown): void }
  topics: TopicRegistry
  settings: Pick<SettingsService, 'current'>
  users: Pick<UsersService, 'driversOf' | 'find' | 'lock' | 'meOfMany' | 'names' | 'notify' | 'end'>
  bookings: Pick<BookingsService, 'get' | 'read' | 'readMany' | 'leavings' | 'leftDriver'>
  tracking: Pick<TrackingService, 'heardAt' | 'latestOf' | 'startedTrips'>
}
