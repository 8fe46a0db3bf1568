import type { PlacePoint } from '@hansom/domain/booking/booking'
import { savedAddressesAfter } from '@hansom/domain/users/saved-addresses'
import { asc, desc, eq } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import type { Queries } from '../../platform/database/transaction.ts'
import { savedAddressesTable } from './table.ts'

/** A rider's saved places, most visited first. */
export async function listSavedAddresses(queries: Queries, userId: string) {
  return queries
    .select({
      id: savedAddressesTable.id,
      description: savedAddressesTable.description,
      lat: savedAddressesTable.lat,
      lng: savedAddressesTable.lng,
      count: savedAddressesTable.count,
    })
    .from(savedAddressesTable)
    .where(eq(savedAddressesTable.user_id, userId))
    .orderBy(desc(savedAddressesTable.count), asc(savedAddressesTable.id))
}

/** Counts a trip to `drop`: one more for a place within 100 m, otherwise a new place. */
export async function countVisit(queries: Queries, userId: string, drop: PlacePoint): Promise<void> {
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
