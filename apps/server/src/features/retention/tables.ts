import type { PartitionedTable } from '../../platform/database/partitions.ts'

/** Retention of each kind in days; 0: unlimited. A month is removed when its last day is that old. */
export interface RetentionDays {
  tracks: number
  bookingEvents: number
  notifications: number
  paymentMessages: number
  audit: number
}

export interface RetainedTable extends PartitionedTable {
  retention: keyof RetentionDays
}

/** The tables partitioned by month. A test compares them with the database. */
export const partitionedTables: readonly RetainedTable[] = [
  { name: 'tracking', timeColumn: 'at', retention: 'tracks' },
  { name: 'booking_events', timeColumn: 'at', retention: 'bookingEvents' },
  { name: 'user_notifications', timeColumn: 'at', retention: 'notifications' },
  { name: 'payment_messages', timeColumn: 'received_at', retention: 'paymentMessages' },
  { name: 'audit_log', timeColumn: 'at', retention: 'audit' },
]
