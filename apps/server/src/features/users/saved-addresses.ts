import type { PlacePoint } from '@hansom/domain/bookings/booking'
import { Refusal } from '@hansom/domain/error-keys'
import { maxSavedAddresses, savedAddressesAfter } from '@hansom/domain/users/profile'
import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import type { Queries, Transaction } from '../../platform/database/transaction.ts'
import { lockUsers } from './store.ts'
import { savedAddressesTable, usersTable } from './table.ts'

export interface NewAddress {
  description: string
  label?: string | undefined
  lat: number
  lng: number
}

const columns = {
  id: savedAddressesTable.id,
  description: savedAddressesTable.description,
  label: savedAddressesTable.label,
  lat: savedAddressesTable.lat,
  lng: savedAddressesTable.lng,
  count: savedAddressesTable.count,
}

/** A user's saved places: named ones first, then the most visited, then the newest. */
export async function listSavedAddresses(queries: Queries, userId: string) {
  return queries
    .select(columns)
    .from(savedAddressesTable)
    .where(eq(savedAddressesTable.user_id, userId))
    .orderBy(
      sql`${savedAddressesTable.label} is null`,
      desc(savedAddressesTable.count),
      desc(savedAddressesTable.id),
    )
}

/**
 * Counts a trip to `drop` for a place within 100 m, otherwise adds a new place. Runs after the trip, possibly late:
 * nothing is stored for a user deleted by then.
 */
export async function countVisit(queries: Queries, userId: string, drop: PlacePoint): Promise<void> {
  if (!(await isThere(queries, userId))) return
  const before = await listSavedAddresses(queries, userId)
  const after = savedAddressesAfter(before, drop)
  for (const [index, address] of after.entries()) {
    const known = before[index]
    if (known === undefined) {
      await queries.insert(savedAddressesTable).values({ ...address, id: uuidv7(), user_id: userId })
    } else if (known.count !== address.count) {
      await queries
        .update(savedAddressesTable)
        .set({ count: address.count })
        .where(eq(savedAddressesTable.id, known.id))
    }
  }
}

/** Whether the account still exists; waits for a concurrent deletion. */
async function isThere(queries: Queries, userId: string): Promise<boolean> {
  const found = await queries
    .select({ id: usersTable.id })
    .from(usersTable)
    .where(and(eq(usersTable.id, userId), isNull(usersTable.deleted_at)))
    .for('key share')
  return found.length > 0
}

/** Adds a place manually, with no trips counted. Throws too_many_addresses, and not_found for a deleted user. */
export async function addAddress(tx: Transaction, userId: string, address: NewAddress) {
  // One at a time per user, so that the limit holds.
  const owner = (await lockUsers(tx.db, [userId])).get(userId)
  if (owner === undefined || owner.deleted_at !== null) throw new Refusal('not_found')
  if ((await listSavedAddresses(tx.db, userId)).length >= maxSavedAddresses) {
    throw new Refusal('too_many_addresses')
  }
  const row = { ...address, label: address.label || null, id: uuidv7(), count: 0 }
  await tx.db.insert(savedAddressesTable).values({ ...row, user_id: userId })
  return row
}

/** Names one's own place, or removes its name (''). The address stays. Throws not_found. */
export async function renameAddress(queries: Queries, userId: string, id: string, label: string) {
  const [row] = await queries
    .update(savedAddressesTable)
    .set({ label: label || null })
    .where(and(eq(savedAddressesTable.id, id), eq(savedAddressesTable.user_id, userId)))
    .returning(columns)
  if (row === undefined) throw new Refusal('not_found')
  return row
}

/** Throws not_found. */
export async function removeAddress(queries: Queries, userId: string, id: string): Promise<void> {
  const removed = await queries
    .delete(savedAddressesTable)
    .where(and(eq(savedAddressesTable.id, id), eq(savedAddressesTable.user_id, userId)))
    .returning({ id: savedAddressesTable.id })
  if (removed.length === 0) throw new Refusal('not_found')
}
