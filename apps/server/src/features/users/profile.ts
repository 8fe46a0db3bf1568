import type { Me } from '@hansom/contract/users'
import { definedFields } from '@hansom/domain/defined'
import { Refusal } from '@hansom/domain/error-keys'
import type { UserChanges } from '@hansom/domain/users/field-views'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { type Images, type Storage, storedPath } from '../../adapters/storage/port.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import { addAddress, type NewAddress, removeAddress, renameAddress } from './saved-addresses.ts'
import { usersTable } from './table.ts'
import { userChangedEvent } from './user-changed.ts'
import { readMe } from './views.ts'

/** Fields that users change on their own record without a separate route. */
export type ProfileChanges = UserChanges<'self'>

/** Operations of users on their own record. */
export interface ProfileService {
  /** Throws proper_input_name, and conflict for an outdated version. */
  update(uid: string, changes: ProfileChanges, version: number | undefined): Promise<Me>
  /** Stores the language of messages to the user. Repeating it changes nothing. */
  setLanguage(uid: string, locale: string): Promise<Me>
  /** Re-encodes a picture and stores it in place of the previous one. Throws ImageRefused and StorageError. */
  setPhoto(uid: string, bytes: Uint8Array): Promise<Me>
  removePhoto(uid: string): Promise<Me>
  addAddress(uid: string, address: NewAddress): ReturnType<typeof addAddress>
  renameAddress(uid: string, id: string, label: string): ReturnType<typeof renameAddress>
  removeAddress(uid: string, id: string): Promise<void>
}

export interface ProfileDeps {
  database: Database
  outbox: Pick<Outbox, 'write'>
  storage: Storage
  images: Images
}

const photoSide = 512

export function createProfileService(deps: ProfileDeps): ProfileService {
  const { database, outbox, storage, images } = deps

  const change = async (
    tx: Transaction,
    uid: string,
    changes: Partial<typeof usersTable.$inferInsert>,
    version?: number,
  ): Promise<Me> => {
    const changed = await tx.db
      .update(usersTable)
      .set({ ...changes, version: sql`${usersTable.version} + 1` })
      .where(
        and(
          eq(usersTable.id, uid),
          isNull(usersTable.deleted_at),
          version === undefined ? undefined : eq(usersTable.version, version),
        ),
      )
      .returning({ version: usersTable.version })
    const me = await readMe(tx.db, uid)
    if (me === null) throw new Refusal('not_found')
    if (changed[0] === undefined) throw new Refusal('conflict', { data: { version: me.version } })
    await outbox.write(tx, [userChangedEvent(uid)])
    return me
  }

  const isGone = async (uid: string) => {
    const [user] = await database.db
      .select({ id: usersTable.id })
      .from(usersTable)
      .where(and(eq(usersTable.id, uid), isNull(usersTable.deleted_at)))
    return user === undefined
  }

  return {
    update: async (uid, changes, version) => {
      refuseBlankNames(changes)
      return database.withTransaction((tx) => change(tx, uid, definedFields(changes), version))
    },
    setLanguage: (uid, locale) =>
      database.withTransaction(async (tx) => {
        // The version stays, so that no open form is refused.
        await tx.db
          .update(usersTable)
          .set({ locale })
          .where(and(eq(usersTable.id, uid), isNull(usersTable.deleted_at)))
        const me = await readMe(tx.db, uid)
        if (me === null) throw new Refusal('not_found')
        return me
      }),
    setPhoto: async (uid, bytes) => {
      const { bytes: drawn, contentType } = await images.prepare(bytes, photoSide)
      await storage.put(storedPath.profileImage(uid), drawn, contentType)
      // Every picture gets a new URL, so browsers can cache it.
      const stored = database.withTransaction(async (tx) => {
        const [{ version } = { version: 0 }] = await tx.db
          .select({ version: usersTable.version })
          .from(usersTable)
          .where(eq(usersTable.id, uid))
          .for('no key update')
        return change(tx, uid, { profile_image: photoUrl(uid, version + 1) })
      })
      return stored.catch(async (error: unknown) => {
        // The account was deleted meanwhile, together with its files.
        if (await isGone(uid)) await storage.remove(storedPath.profileImage(uid))
        throw error
      })
    },
    removePhoto: async (uid) => {
      const me = await database.withTransaction((tx) => change(tx, uid, { profile_image: null }))
      await storage.remove(storedPath.profileImage(uid))
      return me
    },
    addAddress: (uid, address) => database.withTransaction((tx) => addAddress(tx, uid, address)),
    renameAddress: (uid, id, label) => renameAddress(database.db, uid, id, label),
    removeAddress: (uid, id) => removeAddress(database.db, uid, id),
  }
}

/** The URL of a user's picture; its route checks access. */
function photoUrl(uid: string, version: number): string {
  return `/api/v1/users/${uid}/photo?v=${version}`
}

/** Throws proper_input_name for a blank name. */
export function refuseBlankNames(names: {
  firstName?: string | undefined
  lastName?: string | undefined
}): void {
  const blank = (['firstName', 'lastName'] as const).filter((field) => names[field]?.trim() === '')
  if (blank.length === 0) return
  throw new Refusal('proper_input_name', {
    fields: blank.map((field) => ({ field, error: 'proper_input_name' })),
  })
}
