import { createHmac } from 'node:crypto'
import type { TrustedContact } from '@hansom/contract/safety'
import { Refusal } from '@hansom/domain/error-keys'
import {
  type ContactChoices,
  keepsContacts,
  maxTrustedContacts,
} from '@hansom/domain/safety/trusted-contacts'
import { and, asc, eq, inArray } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import type { Database } from '../../platform/database/database.ts'
import type { Queries, Transaction } from '../../platform/database/transaction.ts'
import type { SettingsService } from '../settings/service.ts'
import { parsePhone } from '../users/phone-number.ts'
import type { UsersService } from '../users/service.ts'
import { contactRefusalsTable as refusals, trustedContactsTable as table } from './table.ts'

export interface ContactInput extends ContactChoices {
  name: string
  /** As written; '' for none. */
  mobile: string
  email: string
}

/** A user's trusted contacts. */
export interface ContactsService {
  contacts(uid: string): Promise<TrustedContact[]>
  /**
   * Throws not_found for someone who keeps none, conflict beyond the limit, invalid_input without a way to reach them,
   * mobile_no_blank_error.
   */
  addContact(uid: string, contact: ContactInput): Promise<TrustedContact[]>
  /** Throws not_found, and what `addContact` throws. */
  changeContact(uid: string, id: string, contact: ContactInput): Promise<TrustedContact[]>
  /** Throws not_found. */
  removeContact(uid: string, id: string): Promise<TrustedContact[]>
  /** What is kept of an address that gets no more messages: a keyed digest. */
  digest(address: string): string
  /**
   * The address with this digest gets no more messages of a user, nor does anything else of a contact who has it now. Also
   * for a contact who was removed, and after they are added again.
   */
  refuse(uid: string, digest: string): Promise<void>
}

export interface ContactsDeps {
  database: Pick<Database, 'db' | 'withTransaction'>
  users: Pick<UsersService, 'lock'>
  settings: Pick<SettingsService, 'current'>
  authSecret: string
}

export function createContacts({ database, users, settings, authSecret }: ContactsDeps): ContactsService {
  const { db } = database
  const digest = (address: string) =>
    createHmac('sha256', authSecret).update(`contact ${address.toLowerCase()}`).digest('base64url')
  const addressesOf = ({ mobile, email }: Pick<TrustedContact, 'mobile' | 'email'>) =>
    [mobile, email].flatMap((address) => (address === null ? [] : digest(address)))

  const contacts = async (uid: string): Promise<TrustedContact[]> => {
    const rows = await readContacts(db, [uid])
    const refused = await db.select().from(refusals).where(eq(refusals.user_id, uid))
    const addresses = new Set(refused.map(({ address }) => address))
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      mobile: row.mobile,
      email: row.email,
      share_always: row.share_always,
      on_help: row.on_help,
      refused: addressesOf(row).some((address) => addresses.has(address)),
    }))
  }

  /** Throws invalid_input, mobile_no_blank_error. */
  const stored = async ({ mobile: written, email, ...contact }: ContactInput) => {
    if (written === '' && email === '') throw new Refusal('invalid_input')
    const { country, category } = await settings.current()
    const mobile = written === '' ? null : parsePhone(written, country)
    if (written !== '' && mobile === null) throw new Refusal('mobile_no_blank_error')
    // Deliveries have no messages about help.
    const on_help = contact.on_help && category === 'taxi'
    return { ...contact, on_help, mobile, email: email === '' ? null : email }
  }

  /**
   * One change at a time per user, so that the limit holds, and none by a user who keeps no contacts or is deleted meanwhile.
   * Throws not_found.
   */
  const lockOwner = async (tx: Transaction, uid: string) => {
    const { category } = await settings.current()
    const owner = (await users.lock(tx, [uid])).get(uid)
    const mayKeep = owner && owner.deleted_at === null && keepsContacts(owner.usertype, category)
    if (!mayKeep) throw new Refusal('not_found')
  }

  return {
    contacts,
    addContact: async (uid, contact) => {
      const row = await stored(contact)
      await database.withTransaction(async (tx) => {
        await lockOwner(tx, uid)
        if ((await readContacts(tx.db, [uid])).length >= maxTrustedContacts) throw new Refusal('conflict')
        await tx.db.insert(table).values({ ...row, id: uuidv7(), user_id: uid })
      })
      return contacts(uid)
    },
    changeContact: async (uid, id, contact) => {
      const row = await stored(contact)
      await database.withTransaction(async (tx) => {
        await lockOwner(tx, uid)
        const changed = await tx.db
          .update(table)
          .set(row)
          .where(ownContact(uid, id))
          .returning({ id: table.id })
        if (changed.length === 0) throw new Refusal('not_found')
      })
      return contacts(uid)
    },
    removeContact: async (uid, id) => {
      const removed = await db.delete(table).where(ownContact(uid, id)).returning({ id: table.id })
      if (removed.length === 0) throw new Refusal('not_found')
      return contacts(uid)
    },
    digest,
    refuse: async (uid, refused) => {
      const theirs = (await readContacts(db, [uid])).map(addressesOf).filter((all) => all.includes(refused))
      const values = [...new Set([refused, ...theirs.flat()])].map((address) => ({ user_id: uid, address }))
      await db.insert(refusals).values(values).onConflictDoNothing()
    },
  }
}

const ownContact = (uid: string, id: string) => and(eq(table.id, id), eq(table.user_id, uid))

/** The contacts of users, in the order in which they were added. */
export function readContacts(queries: Queries, uids: readonly string[]) {
  return queries
    .select()
    .from(table)
    .where(inArray(table.user_id, [...uids]))
    .orderBy(asc(table.id))
}

/** Removes a deleted user's contacts, and who refused their messages. */
export async function forgetContacts({ db }: Transaction, uid: string): Promise<void> {
  await db.delete(table).where(eq(table.user_id, uid))
  await db.delete(refusals).where(eq(refusals.user_id, uid))
}
