import { createHmac } from 'node:crypto'
import { Refusal } from '@hansom/domain/error-keys'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Clock } from '../clock/clock.ts'
import type { Database } from '../database/database.ts'
import type { Queries, Transaction } from '../database/transaction.ts'
import { messageCountsTable as table } from './table.ts'

export const limitedChannels = ['mails', 'texts'] as const
export type LimitedChannel = (typeof limitedChannels)[number]

/** The most messages of a day (UTC); of text messages their parts. */
export interface DailyLimits {
  /** Of the installation. The last tenth is reserved for messages about accounts and codes. */
  total: number
  /** To one user. */
  person: number
  /** To one email address or phone number. */
  address: number
}

/** The messages of a day. */
export interface MessageUsage {
  /** YYYY-MM-DD (UTC). */
  day: string
  channel: LimitedChannel
  sent: number
  /** Not sent because of a limit. */
  dropped: number
  /** Of these, those that the limit of the installation held back. */
  beyondTotal: number
  limit: number
}

export interface CountedMessage {
  channel: LimitedChannel
  to: string
  person: string | undefined
  /** About the account, or a code: may use the reserve, and is counted apart for a person or address. */
  essential: boolean
  /** What it counts as: the parts of a text message, otherwise 1. */
  parts: number
}

/** Counts messages by day in the database, so that restarts and further servers keep to the limits. */
export interface MessageCounts {
  /** Counts a message before it is sent. False if a limit is reached: it is counted as dropped. */
  take(message: CountedMessage): Promise<boolean>
  /**
   * Whether `take` would count the message now, for what is said before a job sends it. `queries` of a transaction that runs:
   * it may not wait for a connection of its own.
   */
  hasRoom(message: CountedMessage, queries?: Queries): Promise<boolean>
  /** Uncounts a message that was not sent. */
  giveBack(message: CountedMessage): Promise<void>
  /**
   * Throws message_limit, and counts a dropped message, if not even messages about accounts are sent today. For requests
   * that someone waits for, before any lookup: the answer does not depend on who asks for whom.
   */
  refuseWhenFull(channel: LimitedChannel): Promise<void>
  today(): Promise<MessageUsage[]>
  yesterday(): Promise<MessageUsage[]>
}

/** The transaction that would exceed a limit is rolled back. */
class LimitReached extends Error {
  readonly key: string

  constructor(key: string) {
    super(`the limit of ${key} is reached`)
    this.key = key
  }
}

const reservedPart = 0.1
const dayMs = 86_400_000

export function createMessageCounts(deps: {
  database: Pick<Database, 'db' | 'withTransaction'>
  clock: Pick<Clock, 'now'>
  authSecret: string
  limits: Readonly<Record<LimitedChannel, DailyLimits>>
}): MessageCounts {
  const { database, clock, authSecret, limits } = deps
  // Addresses are not stored, nor found by trying all numbers.
  const digest = (text: string) => createHmac('sha256', authSecret).update(text).digest('base64url')
  const today = (agoMs = 0) => new Date(clock.now() - agoMs).toISOString().slice(0, 10)
  const totalKey = (channel: LimitedChannel) => `${channel} total`
  /** Of what a limit of one person or address held back. */
  const singleKey = (channel: LimitedChannel) => `${channel} single`

  const keysOf = ({ channel, to, person, essential }: CountedMessage) => {
    const { total, person: ofPerson, address } = limits[channel]
    const limit = essential ? total : Math.floor(total * (1 - reservedPart))
    // Other messages do not use up the codes of an address, such as the number of a reception that gets many parcels.
    const counted = essential ? `${channel} essential` : channel
    return [
      { key: `${counted} ${digest(to.toLowerCase())}`, most: address },
      ...(person === undefined ? [] : [{ key: `${counted} ${digest(person)}`, most: ofPerson }]),
      // The row that all messages share last, so that it is locked only briefly.
      { key: totalKey(channel), most: limit },
    ]
  }

  const count = async (tx: Transaction, key: string, most: number, parts: number) => {
    const counted = await tx.db
      .insert(table)
      .values({ day: today(), key, sent: parts })
      .onConflictDoUpdate({
        target: [table.day, table.key],
        set: { sent: sql`${table.sent} + ${parts}` },
        setWhere: sql`${table.sent} + ${parts} <= ${most}`,
      })
      .returning({ sent: table.sent })
    if (most < parts || counted.length === 0) throw new LimitReached(key)
  }

  const countDropped = async (key: string) => {
    await database.db
      .insert(table)
      .values({ day: today(), key, dropped: 1 })
      .onConflictDoUpdate({ target: [table.day, table.key], set: { dropped: sql`${table.dropped} + 1` } })
  }

  const rowsOf = (keys: readonly string[], day = today(), queries: Queries = database.db) =>
    queries
      .select()
      .from(table)
      .where(and(eq(table.day, day), inArray(table.key, [...keys])))

  const usage = async (day = today()): Promise<MessageUsage[]> => {
    const rows = await rowsOf(
      limitedChannels.flatMap((channel) => [totalKey(channel), singleKey(channel)]),
      day,
    )
    return limitedChannels.map((channel) => {
      const total = rows.find(({ key }) => key === totalKey(channel))
      const single = rows.find(({ key }) => key === singleKey(channel))
      const beyondTotal = total?.dropped ?? 0
      const dropped = beyondTotal + (single?.dropped ?? 0)
      return { day, channel, sent: total?.sent ?? 0, dropped, beyondTotal, limit: limits[channel].total }
    })
  }

  return {
    take: async (message) => {
      try {
        await database.withTransaction(async (tx) => {
          for (const { key, most } of keysOf(message)) await count(tx, key, most, message.parts)
        })
        return true
      } catch (error) {
        if (!(error instanceof LimitReached)) throw error
        const { channel } = message
        await countDropped(error.key === totalKey(channel) ? totalKey(channel) : singleKey(channel))
        return false
      }
    },
    hasRoom: async (message, queries) => {
      const keys = keysOf(message)
      const rows = await rowsOf(
        keys.map(({ key }) => key),
        today(),
        queries,
      )
      const sentOf = (key: string) => rows.find((row) => row.key === key)?.sent ?? 0
      return keys.every(({ key, most }) => sentOf(key) + message.parts <= most)
    },
    giveBack: async (message) => {
      const keys = keysOf(message).map(({ key }) => key)
      await database.db
        .update(table)
        .set({ sent: sql`greatest(0, ${table.sent} - ${message.parts})` })
        .where(and(eq(table.day, today()), inArray(table.key, keys)))
    },
    refuseWhenFull: async (channel) => {
      const full = (await usage()).find((one) => one.channel === channel && one.sent >= one.limit)
      if (!full) return
      await countDropped(totalKey(channel))
      throw new Refusal('message_limit')
    },
    today: () => usage(),
    yesterday: () => usage(today(dayMs)),
  }
}
