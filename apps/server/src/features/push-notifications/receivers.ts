import { pushReceivers } from '@hansom/domain/push-notifications/push-notification'
import { and, asc, count, gt, inArray, isNotNull, isNull } from 'drizzle-orm'
import type { Queries } from '../../platform/database/transaction.ts'
import { usersTable } from '../users/table.ts'
import type { PushNotificationRow } from './table.ts'

type Matched = Pick<PushNotificationRow, 'devicetype' | 'usertype'>

/** Users of the type with a device of the platform, approved or not. */
function matching(notification: Matched) {
  const { usertypes, platforms } = pushReceivers(notification)
  return and(
    isNotNull(usersTable.pushToken),
    inArray(usersTable.usertype, usertypes),
    inArray(usersTable.userPlatform, platforms),
    isNull(usersTable.deleted_at),
  )
}

export async function countReceivers(db: Queries, notification: Matched): Promise<number> {
  const [row] = await db.select({ people: count() }).from(usersTable).where(matching(notification))
  return row?.people ?? 0
}

/** Returns the next users after one, ordered by id. */
export function nextReceivers(db: Queries, notification: Matched, after: string | null, limit: number) {
  return db
    .select({ id: usersTable.id, token: usersTable.pushToken, platform: usersTable.userPlatform })
    .from(usersTable)
    .where(and(matching(notification), after === null ? undefined : gt(usersTable.id, after)))
    .orderBy(asc(usersTable.id))
    .limit(limit)
}
