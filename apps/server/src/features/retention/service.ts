import { gzipSync } from 'node:zlib'
import { z } from 'zod'
import type { Storage } from '../../adapters/storage/port.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import {
  createPartitions,
  dropPartition,
  listPartitions,
  type Partition,
  type PartitionedTable,
  readPartition,
} from '../../platform/database/partitions.ts'
import { deleteInBatches } from '../../platform/database/transaction.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Log } from '../../platform/log/log.ts'

export interface RetentionDeps {
  database: Database
  clock: Clock
  jobs: Jobs
  log: Log
  storage: Pick<Storage, 'archive'>
  /** Retention in days, and whether rows are archived to files before they are removed. */
  retention: RetentionDays & { archive: boolean }
  /** Makes the lines of a partition's trips, in batches. See keepTripLines. */
  keepTripLines(partition: string, after: string | null): Promise<string | null>
  /** Forgets which old notifications devices show. */
  forgetShown(): Promise<unknown>
  /** Removes recipients and images of up to `limit` deliveries that ended before `before`; returns their number. */
  clearDeliveries(before: number, limit: number): Promise<number>
  /** Removes the conversations of up to `limit` bookings that ended before `before`; returns their number. */
  clearChats(before: number, limit: number): Promise<number>
}

const dayMs = 86_400_000
const tidy = 'retention.tidy'
const expire = 'retention.expire'
const clearDeliveries = 'retention.clear-deliveries'
const clearChats = 'retention.clear-chats'
const bookingsAtOnce = 50
/** How long one job makes lines before it enqueues the next one, ms. */
const turnMs = 120_000
/** Keys outlive every repetition that they deduplicate: of events, jobs, and provider messages. */
const keyDays = { notifications: 90, paymentMessages: 730, sentMessages: 120, decisions: 7 }

export interface RetentionService {
  /** Creates the partitions of the next months, removes old keys, and schedules the removal of expired partitions. */
  tidy(): Promise<void>
  /** Removes one partition, after making its trip lines and its archive. True when it is removed. */
  expire(table: string, partition: string, after?: string | null): Promise<boolean>
  /** Removes recipients and images of deliveries past their retention. True when none is left. */
  clearDeliveries(): Promise<boolean>
  /** Removes conversations past their retention. True when none is left. */
  clearChats(): Promise<boolean>
}

/** Limits the size of growing tables. Defines its jobs. */
export function createRetentionService(deps: RetentionDeps): RetentionService {
  const { database, clock, jobs, log, storage, retention } = deps

  const isOver = ({ to }: Partition, { retention: kept }: RetainedTable) =>
    retention[kept] > 0 && to <= clock.now() - retention[kept] * dayMs

  const find = async (tableName: string, name: string) => {
    const table = partitionedTables.find((one) => one.name === tableName)
    const partition = table && (await listPartitions(database, table)).find((one) => one.name === name)
    return table && partition && isOver(partition, table) ? { table, partition } : null
  }

  /** Archives a partition as compressed JSON lines. A repetition writes the same files. */
  const archive = async ({ name: table }: RetainedTable, partition: Partition) => {
    let part = 0
    for await (const rows of readPartition(database, partition)) {
      part += 1
      const name = `archive/${table}/${partition.name}/${String(part).padStart(5, '0')}.jsonl.gz`
      await storage.archive(name, gzipSync(`${rows.join('\n')}\n`))
    }
  }

  /** Removes what is past `days` in batches; enqueues `job` again when its turn is over. True when nothing is left. */
  const clearAll = async (job: string, days: number, clear: RetentionDeps['clearChats']) => {
    if (days === 0) return true
    const before = clock.now() - days * dayMs
    const begun = performance.now()
    while ((await clear(before, bookingsAtOnce)) > 0) {
      if (performance.now() - begun < turnMs) continue
      await jobs.send(job, {}, { singletonKey: job })
      return false
    }
    return true
  }

  const service: RetentionService = {
    async tidy() {
      const now = clock.now()
      const { pool } = database
      for (const table of partitionedTables) {
        await createPartitions(database, table, now)
        for (const partition of await listPartitions(database, table)) {
          if (!isOver(partition, table)) continue
          const data = { table: table.name, partition: partition.name, after: null }
          await jobs.send(expire, data, { singletonKey: partition.name })
        }
      }
      await deleteInBatches(pool, 'notification_keys', 'at < $1', [now - keyDays.notifications * dayMs])
      await deleteInBatches(pool, 'payment_message_keys', 'at < $1', [now - keyDays.paymentMessages * dayMs])
      await deps.forgetShown()
      if (retention.bookingEvents > 0) {
        const ended = now - retention.bookingEvents * dayMs
        await deleteInBatches(pool, 'safety_events', 'closed_at < $1', [ended])
      }
      await deleteInBatches(pool, 'dispatch_decisions', 'at < $1', [now - keyDays.decisions * dayMs])
      // Days of any time zone that are over.
      const before = new Date(now - 2 * dayMs).toISOString().slice(0, 10)
      await deleteInBatches(pool, 'recipient_message_counts', 'day < $1', [before])
      await deleteInBatches(pool, 'message_counts', 'day < $1', [before])
      await deleteInBatches(pool, 'sent_messages', 'taken_at < $1', [now - keyDays.sentMessages * dayMs])
      if (retention.deliveries > 0) await jobs.send(clearDeliveries, {}, { singletonKey: clearDeliveries })
      if (retention.chats > 0) await jobs.send(clearChats, {}, { singletonKey: clearChats })
    },

    clearDeliveries: () => clearAll(clearDeliveries, retention.deliveries, deps.clearDeliveries),
    clearChats: () => clearAll(clearChats, retention.chats, deps.clearChats),

    async expire(tableName, name, after = null) {
      const found = await find(tableName, name)
      if (!found) return true
      const { table, partition } = found
      if (table.name === 'tracking') {
        const begun = performance.now()
        let last = after
        for (;;) {
          const next = await deps.keepTripLines(partition.name, last)
          if (next === null) break
          last = next
          if (performance.now() - begun < turnMs) continue
          const data = { table: table.name, partition: partition.name, after: last }
          await jobs.send(expire, data, { singletonKey: partition.name })
          return false
        }
      }
      if (retention.archive) await archive(table, partition)
      await dropPartition(database, partition)
      log.info(
        { table: table.name, partition: partition.name, archived: retention.archive },
        'rows past their retention were removed',
      )
      return true
    },
  }

  jobs.define(clearDeliveries, { schema: z.object({}), concurrency: 1, timeoutS: 600 }, async () => {
    await service.clearDeliveries()
  })
  jobs.define(clearChats, { schema: z.object({}), concurrency: 1, timeoutS: 600 }, async () => {
    await service.clearChats()
  })
  const data = z.object({ table: z.string(), partition: z.string(), after: z.uuid().nullable() })
  jobs.define(tidy, { schema: z.object({}), repeat: { everyS: 6 * 3600, data: {} }, timeoutS: 300 }, () =>
    service.tidy(),
  )
  jobs.define(
    expire,
    { schema: data, concurrency: 1, timeoutS: 3600 },
    async ({ table, partition, after }) => {
      await service.expire(table, partition, after)
    },
  )
  return service
}

/** Retention of each kind in days; 0: unlimited. A month is removed when its last day is that old. */
export interface RetentionDays {
  /** Recipients, photos and signatures of a delivery, after its end. */
  deliveries: number
  /** Conversations of a booking, after its end. */
  chats: number
  tracks: number
  bookingEvents: number
  notifications: number
  paymentMessages: number
  audit: number
}

export interface RetainedTable extends PartitionedTable {
  retention: Exclude<keyof RetentionDays, 'deliveries' | 'chats'>
}

/** The tables partitioned by month. A test compares them with the database. */
export const partitionedTables: readonly RetainedTable[] = [
  { name: 'tracking', timeColumn: 'at', retention: 'tracks' },
  { name: 'booking_events', timeColumn: 'at', retention: 'bookingEvents' },
  { name: 'user_notifications', timeColumn: 'at', retention: 'notifications' },
  { name: 'payment_messages', timeColumn: 'received_at', retention: 'paymentMessages' },
  { name: 'audit_log', timeColumn: 'at', retention: 'audit' },
]
