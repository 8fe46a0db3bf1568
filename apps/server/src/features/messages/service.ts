import { Refusal } from '@hansom/domain/error-keys'
import {
  defaultPreferences,
  type MailTopic,
  type MessagePreferences,
  mailTopics,
  tidyPreferences,
} from '@hansom/domain/messages/topics'
import { eq, sql } from 'drizzle-orm'
import type { Database } from '../../platform/database/database.ts'
import type { Queries, Transaction } from '../../platform/database/transaction.ts'
import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { UsersService } from '../users/service.ts'
import { messagePreferencesTable as table } from './table.ts'
import { type Unsubscribe, unsubscribeInToken, unsubscribeToken } from './topic-token.ts'

/** What riders get by email and text message. */
export interface MessagesService {
  preferences(uid: string): Promise<MessagePreferences>
  /** Replaces them. Texts need a verified phone number; without one they stay off. Throws not_found. */
  setPreferences(uid: string, wanted: MessagePreferences): Promise<MessagePreferences>
  /** The URL that turns a topic of a user off without signing in. */
  unsubscribeUrl(uid: string, topic: MailTopic): string
  /** The URL with which a trusted contact of a user refuses messages to the address with a digest (contacts.ts). */
  refuseUrl(uid: string, address: string): string
  /** Returns what a link turns off; null for an invalid one. */
  readUnsubscribe(token: string): Unsubscribe | null
  /** Turns a topic off. */
  unsubscribe(uid: string, topic: MailTopic): Promise<void>
}

export interface MessagesDeps {
  database: Pick<Database, 'db'>
  users: Pick<UsersService, 'find'>
  authSecret: string
  /** The site's public URL, without a trailing slash. */
  siteUrl(): string
}

export function createMessagesService({
  database,
  users,
  authSecret,
  siteUrl,
}: MessagesDeps): MessagesService {
  const { db } = database
  const urlOf = (what: Unsubscribe) => `${siteUrl()}/api/v1/unsubscribe/${unsubscribeToken(authSecret, what)}`
  return {
    preferences: (uid) => readPreferences(db, uid),
    setPreferences: async (uid, wanted) => {
      const user = await users.find(uid)
      if (user === null) throw new Refusal('not_found')
      const phoneVerified = user.mobile !== null && user.mobile_verified_at !== null
      const { mails, texts } = tidyPreferences(wanted, { phoneVerified })
      const mails_off = mailTopics.filter((topic) => !mails.includes(topic))
      await db
        .insert(table)
        .values({ user_id: uid, mails_off, texts })
        .onConflictDoUpdate({ target: table.user_id, set: { mails_off, texts } })
      return { mails, texts }
    },
    unsubscribeUrl: (id, topic) => urlOf({ id, topic }),
    refuseUrl: (id, address) => urlOf({ id, topic: 'contact', address }),
    readUnsubscribe: (token) => unsubscribeInToken(authSecret, token),
    unsubscribe: async (uid, topic) => {
      const user = await users.find(uid)
      if (user === null || user.deleted_at !== null) return
      await db
        .insert(table)
        .values({ user_id: uid, mails_off: [topic], texts: defaultPreferences.texts })
        .onConflictDoUpdate({
          target: table.user_id,
          set: { mails_off: sql`array_append(array_remove(${table.mails_off}, ${topic}), ${topic})` },
        })
    },
  }
}

/** Removes a deleted user's choices. */
export async function forgetPreferences({ db }: Transaction, uid: string): Promise<void> {
  await db.delete(table).where(eq(table.user_id, uid))
}

async function readPreferences(queries: Queries, uid: string): Promise<MessagePreferences> {
  const [row] = await queries.select().from(table).where(eq(table.user_id, uid))
  if (row === undefined) return defaultPreferences
  return { mails: mailTopics.filter((topic) => !row.mails_off.includes(topic)), texts: row.texts }
}

export function messagesRoutes({ messages: os }: Os, messages: MessagesService) {
  return {
    preferences: os.preferences
      .use(signedIn)
      .handler(({ context: { actor } }) => messages.preferences(actor.id)),
    setPreferences: os.setPreferences
      .use(signedIn)
      .handler(({ context: { actor }, input }) => messages.setPreferences(actor.id, input)),
  }
}
