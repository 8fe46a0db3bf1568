import { createHash, randomBytes } from 'node:crypto'
import { type RecipientMessage, recipientMessageLimits } from '@hansom/domain/deliveries/recipient-messages'
import { cityDay } from '@hansom/domain/time/city-time'
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { followLinks } from '../bookings/follow-links.ts'
import { lockBooking } from '../bookings/service.ts'
import { recipientMessageCountsTable, tripLinksTable } from './table.ts'

/** A message to a recipient. */
interface MessageOf {
  booking: string
  /** The sender's id. */
  sender: string
  stop: number
  message: RecipientMessage
  /** The email address or phone number. */
  to: string
  channel: 'mails' | 'texts'
  timezone: string
  /** True if the message is still right for the booking, which is locked until the message has its link. */
  isCurrent(record: NonNullable<Awaited<ReturnType<typeof lockBooking>>>): boolean
}

/** The messages to recipients, each sent once and counted by day. */
export interface RecipientMessages {
  /**
   * Reserves a message to a recipient and returns the path of its link: `sent` if it was sent before, `outdated` if the
   * booking has changed, `limit` beyond the day's messages of the sender or to this address. A retry gets a new token in
   * place of the old one. A correction locks the booking, too, and then revokes all links made before it.
   */
  reserve(message: MessageOf): Promise<{ path: string } | 'sent' | 'outdated' | 'limit'>
  /** Notes that the message with this link was sent. */
  noteSent(path: string): Promise<void>
  /** True if a recipient got the message that their parcel is coming. */
  isInformed(booking: string, stop: number): Promise<boolean>
}

export function createRecipientMessages({
  database,
  clock,
}: {
  database: Database
  clock: Pick<Clock, 'now'>
}): RecipientMessages {
  /** The first of the bookings that replace each other: its stops have the messages of all. */
  const firstOf = async (booking: string) =>
    (await followLinks(database, booking, 'rebooked_from')).at(-1) ?? booking

  return {
    reserve: async ({ booking, sender, stop, message, to, channel, timezone, isCurrent }) => {
      const token = newToken()
      const now = clock.now()
      const row = { booking_id: await firstOf(booking), stop, message, created_at: now }
      return database
        .withTransaction(async (tx) => {
          const record = await lockBooking(tx, booking, now)
          if (!record || !isCurrent(record)) return 'outdated' as const
          const [reserved] = await tx.db
            .insert(tripLinksTable)
            .values({ ...row, token_hash: hashOf(token) })
            .onConflictDoUpdate({
              target: [tripLinksTable.booking_id, tripLinksTable.stop, tripLinksTable.message],
              targetWhere: sql`stop is not null and revoked_at is null`,
              set: { token_hash: hashOf(token) },
              setWhere: isNull(tripLinksTable.sent_at),
            })
            .returning({ isNew: sql<boolean>`xmax = 0` })
          if (!reserved) return 'sent' as const
          if (reserved.isNew) await countMessage(tx, cityDay(now, timezone), { sender, channel, to })
          return { path: `/track/${token}` }
        })
        .catch((error: unknown) => {
          if (error instanceof LimitReached) return 'limit' as const
          throw error
        })
    },
    noteSent: async (path) => {
      const token = path.slice('/track/'.length)
      await database.db
        .update(tripLinksTable)
        .set({ sent_at: clock.now() })
        .where(eq(tripLinksTable.token_hash, hashOf(token)))
    },
    isInformed: async (booking, stop) => {
      const [sent] = await database.db
        .select({ at: tripLinksTable.sent_at })
        .from(tripLinksTable)
        .where(
          and(
            eq(tripLinksTable.booking_id, await firstOf(booking)),
            isNull(tripLinksTable.revoked_at),
            eq(tripLinksTable.stop, stop),
            eq(tripLinksTable.message, 'coming'),
            isNotNull(tripLinksTable.sent_at),
          ),
        )
      return sent !== undefined
    },
  }
}

/** The transaction that would exceed a limit of messages is rolled back. */
class LimitReached extends Error {}

/** Counts a message of the sender and to the address. Throws LimitReached. */
async function countMessage(
  tx: Transaction,
  day: string,
  { sender, channel, to }: Pick<MessageOf, 'sender' | 'channel' | 'to'>,
): Promise<void> {
  const counts = [
    { key: `${sender} ${channel}`, most: recipientMessageLimits[channel] },
    { key: hashOf(to.toLowerCase()), most: recipientMessageLimits.recipient },
    // One order for all, so that concurrent messages do not wait for each other in a circle.
  ].sort((a, b) => (a.key < b.key ? -1 : 1))
  for (const { key, most: limit } of counts) {
    const { day: dayColumn, key: keyColumn, sent } = recipientMessageCountsTable
    const counted = await tx.db
      .insert(recipientMessageCountsTable)
      .values({ day, key, sent: 1 })
      .onConflictDoUpdate({
        target: [dayColumn, keyColumn],
        set: { sent: sql`${sent} + 1` },
        setWhere: sql`${sent} < ${limit}`,
      })
      .returning({ sent })
    if (counted.length === 0) throw new LimitReached()
  }
}

export const newToken = () => randomBytes(16).toString('base64url')
export const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')
