import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { systemClock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { TryLater } from '../../platform/jobs/worker.ts'
import { sentMessagesTable as table } from './table.ts'

/** Longer than a job may run, ms. */
const leaseMs = 60_000

/** Sends each message once per occasion, although jobs and events may repeat. */
export interface SendOnce {
  /**
   * Calls `send` unless the occasion's message was sent. Throws what it throws, and TryLater while another job sends it or may
   * do so: an earlier try whose connection broke while it began holds the message for a minute.
   * Only a crash between sending and noting it sends a message twice.
   */
  once(occasion: string, send: () => Promise<void>): Promise<void>
}

export function createSendOnce({ db }: Pick<Database, 'db'>, now = () => systemClock.now()): SendOnce {
  const isThis = (occasion: string) => eq(table.occasion, occasion)
  const wasSent = async (occasion: string) => {
    const rows = await db
      .select({ at: table.sent_at })
      .from(table)
      .where(and(isThis(occasion), isNotNull(table.sent_at)))
    return rows.length > 0
  }
  return {
    once: async (occasion, send) => {
      const taken_at = now()
      const [taken] = await db
        .insert(table)
        .values({ occasion, taken_at })
        .onConflictDoUpdate({
          target: table.occasion,
          set: { taken_at },
          setWhere: sql`${table.sent_at} is null and ${table.taken_at} < ${taken_at - leaseMs}`,
        })
        .returning({ occasion: table.occasion })
      if (taken === undefined) {
        if (await wasSent(occasion)) return
        throw new TryLater('another job is sending this message')
      }
      try {
        await send()
      } catch (error) {
        await db.delete(table).where(and(isThis(occasion), isNull(table.sent_at)))
        throw error
      }
      await db.update(table).set({ sent_at: now() }).where(isThis(occasion))
    },
  }
}
