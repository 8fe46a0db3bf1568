import type { PushPlatform } from '@hansom/domain/push-notifications/push-notification'
import { and, eq, isNull, ne } from 'drizzle-orm'
import type { Database } from '../../platform/database/database.ts'
import { usersTable } from './table.ts'

/** Sets the device for a user's notifications. A device belongs to the last user who registered it. */
export async function setPushToken(
  database: Database,
  uid: string,
  { token, platform }: { token: string; platform: PushPlatform },
): Promise<void> {
  await database.withTransaction(async ({ db }) => {
    await db
      .update(usersTable)
      .set({ pushToken: null, userPlatform: null })
      .where(and(eq(usersTable.pushToken, token), ne(usersTable.id, uid)))
    await db
      .update(usersTable)
      .set({ pushToken: token, userPlatform: platform })
      .where(and(eq(usersTable.id, uid), isNull(usersTable.deleted_at)))
  })
}

export async function removePushToken({ db }: Database, uid: string): Promise<void> {
  await db.update(usersTable).set({ pushToken: null, userPlatform: null }).where(eq(usersTable.id, uid))
}
