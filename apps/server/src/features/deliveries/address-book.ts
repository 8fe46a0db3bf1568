import type { RecipientInput, SavedRecipient } from '@hansom/contract/deliveries'
import { maxRecipients } from '@hansom/domain/deliveries/delivery'
import { Refusal } from '@hansom/domain/error-keys'
import { and, desc, eq, lt, sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { z } from 'zod'
import type { Database } from '../../platform/database/database.ts'
import type { Queries, Transaction } from '../../platform/database/transaction.ts'
import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { UsersService } from '../users/service.ts'
import { addressBookTable, deliveryImportsTable } from './table.ts'

/** The recipients that senders save. */
export interface AddressBook {
  /** A page of the user's recipients, newest first. */
  list(
    uid: string,
    query: { q?: string | undefined; cursor?: string | undefined },
  ): Promise<{ items: SavedRecipient[]; next: string | null }>
  /** Throws too_many_recipients, not_found for a deleted user. */
  add(uid: string, recipient: RecipientInput): Promise<SavedRecipient>
  /** Throws not_found; invalid_input if the book has the same recipient elsewhere. */
  change(uid: string, id: string, recipient: RecipientInput): Promise<SavedRecipient>
  /** Throws not_found. */
  remove(uid: string, id: string): Promise<void>
}

const pageSize = 50
const { id, user_id, person, phone, email, instructions, place } = addressBookTable
const columns = { id, person, phone, email, instructions, place }

const rowOf = ({ email: mail, instructions: text, ...rest }: RecipientInput) => ({
  ...rest,
  email: mail || null,
  instructions: text || null,
})

export function createAddressBook({
  database,
  users,
}: {
  database: Database
  users: Pick<UsersService, 'lock'>
}): AddressBook {
  const lock = async (tx: Transaction, uid: string) => {
    const user = (await users.lock(tx, [uid])).get(uid)
    if (!user || user.deleted_at !== null) throw new Refusal('not_found')
  }
  const owned = (uid: string, which: string) => and(eq(user_id, uid), eq(id, which))

  return {
    list: async (uid, { q, cursor }) => {
      if (cursor !== undefined && !z.uuid().safeParse(cursor).success) throw new Refusal('invalid_input')
      const text = sql`search_fold(${person} || ' ' || ${phone} || ' ' || (${place} ->> 'add'))`
      const rows = await database.db
        .select(columns)
        .from(addressBookTable)
        .where(
          and(
            eq(user_id, uid),
            cursor === undefined ? undefined : lt(id, cursor),
            q ? sql`strpos(${text}, search_fold(${q})) > 0` : undefined,
          ),
        )
        .orderBy(desc(id))
        .limit(pageSize + 1)
      const items = rows.slice(0, pageSize)
      return { items, next: rows.length > pageSize ? (items.at(-1)?.id ?? null) : null }
    },

    add: (uid, recipient) =>
      database.withTransaction(async (tx) => {
        // One at a time per user, so that the limit holds and no recipient is saved for a deleted user.
        await lock(tx, uid)
        const row = rowOf(recipient)
        const same = await findSame(tx.db, uid, row)
        if (same) return same
        if ((await tx.db.$count(addressBookTable, eq(user_id, uid))) >= maxRecipients) {
          throw new Refusal('too_many_recipients')
        }
        const saved = { ...row, id: uuidv7() }
        await tx.db.insert(addressBookTable).values({ ...saved, user_id: uid })
        return saved
      }),

    change: (uid, which, recipient) =>
      database.withTransaction(async (tx) => {
        await lock(tx, uid)
        const row = rowOf(recipient)
        const same = await findSame(tx.db, uid, row)
        const [saved] = await tx.db.select(columns).from(addressBookTable).where(owned(uid, which))
        if (!saved) throw new Refusal('not_found')
        if (same && same.id !== which) {
          throw new Refusal('invalid_input', { fields: [{ field: 'person', error: 'taken' }] })
        }
        await tx.db.update(addressBookTable).set(row).where(owned(uid, which))
        return { ...row, id: which }
      }),

    remove: async (uid, which) => {
      const removed = await database.db.delete(addressBookTable).where(owned(uid, which)).returning({ id })
      if (removed.length === 0) throw new Refusal('not_found')
    },
  }
}

async function findSame(
  queries: Queries,
  uid: string,
  row: ReturnType<typeof rowOf>,
): Promise<SavedRecipient | undefined> {
  const [same] = await queries
    .select(columns)
    .from(addressBookTable)
    .where(and(eq(user_id, uid), eq(person, row.person), eq(phone, row.phone), eq(place, row.place)))
  return same
}

/** Removes the address book and the imported files of a deleted user. */
export async function removeSenderData({ db }: Transaction, uid: string): Promise<void> {
  await db.delete(deliveryImportsTable).where(eq(deliveryImportsTable.user_id, uid))
  await db.delete(addressBookTable).where(eq(user_id, uid))
}

export function addressBookRoutes({ deliveries: os }: Os, book: AddressBook) {
  return {
    recipients: os.recipients
      .use(signedIn)
      .handler(({ context, input }) => book.list(context.actor.id, input)),
    addRecipient: os.addRecipient
      .use(signedIn)
      .handler(({ context, input }) => book.add(context.actor.id, input)),
    changeRecipient: os.changeRecipient
      .use(signedIn)
      .handler(({ context, input: { id: which, ...recipient } }) =>
        book.change(context.actor.id, which, recipient),
      ),
    removeRecipient: os.removeRecipient.use(signedIn).handler(async ({ context, input }) => {
      await book.remove(context.actor.id, input.id)
      return { ok: true as const }
    }),
  }
}
