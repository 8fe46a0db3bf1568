import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { Outbox } from '../../../platform/outbox/outbox.ts'
import { usersTable } from '../table.ts'
import { userChangedEvent } from '../user-changed.ts'

/** Removes all drivers from a fleet when its admin leaves; past bookings keep the fleet. */
export async function leaveFleet(
  tx: Transaction,
  news: Pick<Outbox, 'write'>,
  fleetadmin: string,
): Promise<void> {
  const drivers = await tx.db
    .update(usersTable)
    .set({ fleetadmin: null, version: sql`${usersTable.version} + 1` })
    .where(eq(usersTable.fleetadmin, fleetadmin))
    .returning({ id: usersTable.id })
  await news.write(
    tx,
    drivers.map(({ id }) => userChangedEvent(id)),
  )
}
