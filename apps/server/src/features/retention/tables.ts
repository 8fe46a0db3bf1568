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
  kept: keyof RetentionDays
}

/** The tables partitioned by month. A test compares them with the database. */
export const partitionedTables: readonly RetainedTable[] = [
  { name: 'tracking', moment: 'at', kept: 'tracks' },
  { name: 'booking_events', moment: 'at', kept: 'bookingEvents' },
  { name: 'user_notifications', moment: 'at', kept: 'notifications' },
  { name: 'payment_messages', moment: 'received_at', kept: 'paymentMessages' },
  { name: 'audit_log', moment: 'at', kept: 'audit' },
]
