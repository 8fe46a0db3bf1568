import { and, desc, eq, getTableColumns, lt, sql } from 'drizzle-orm'
import type { Clock } from '../clock/clock.ts'
import type { Database } from '../database/database.ts'
import { type MessageChannel, mailboxTable } from './table.ts'

export interface NewMessage {
  channel: MessageChannel
  to: string
  kind: string
  /** Empty for channels without subjects. */
  subject: string
  text: string
  /** An email as a page. */
  html?: string
  params: Readonly<Record<string, string>>
}

export interface StoredMessage extends Omit<NewMessage, 'html'> {
  id: number
  /** Epoch ms. */
  at: number
  hasPage: boolean
}

export interface MessageQuery {
  /** Maximum number of messages; default 100. */
  limit?: number | undefined
  channel?: MessageChannel | undefined
  to?: string | undefined
  /** Only messages with a smaller id, for paging. */
  before?: number | undefined
}

/** Stored messages for channels without an external provider. */
export interface MessageLog {
  /** Stores a message, and deletes those that are too old or too many. */
  store(message: NewMessage): Promise<void>
  /** Lists messages, newest first. */
  list(query?: MessageQuery): Promise<StoredMessage[]>
  /** Returns the page of an email; null if it has none, or was deleted. */
  page(id: number): Promise<string | null>
}

export interface MessageLogOptions {
  database: Pick<Database, 'db'>
  clock: Pick<Clock, 'now'>
  /** Maximum number of messages; limited because they contain codes that give access to accounts. */
  most?: number | undefined
  retentionMs?: number
}

const threeDaysMs = 3 * 86_400_000

export function createMessageLog(options: MessageLogOptions): MessageLog {
  const { database, clock, most = 1_000, retentionMs: keepMs = threeDaysMs } = options
  const table = mailboxTable
  const { html: _html, ...shown } = getTableColumns(table)

  async function forget(): Promise<void> {
    const newestTooMany = sql`(select id from ${table} order by id desc offset ${most} limit 1)`
    await database.db
      .delete(table)
      .where(sql`${table.id} <= ${newestTooMany} or ${table.at} < ${clock.now() - keepMs}`)
  }

  return {
    store: async ({ channel, to, kind, subject, text, html, params }) => {
      const row = { at: clock.now(), channel, to, kind, subject, text, html, params: { ...params } }
      await database.db.insert(table).values(row)
      await forget()
    },
    list: async ({ limit = 100, channel, to, before } = {}) =>
      database.db
        .select({ ...shown, hasPage: sql<boolean>`${table.html} is not null` })
        .from(table)
        .where(
          and(
            channel === undefined ? undefined : eq(table.channel, channel),
            to === undefined ? undefined : eq(table.to, to),
            before === undefined ? undefined : lt(table.id, before),
          ),
        )
        .orderBy(desc(table.id))
        .limit(limit),
    page: async (id) => {
      const [row] = await database.db.select({ html: table.html }).from(table).where(eq(table.id, id))
      return row?.html ?? null
    },
  }
}
