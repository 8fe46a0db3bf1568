import type { PushNotificationView } from '@hansom/contract/push-notifications'
import { desc, inArray } from 'drizzle-orm'
import type { Queries } from '../../platform/database/transaction.ts'
import { type PushNotificationRow, type PushSendRow, pushSendsTable } from './table.ts'

/** Returns notifications with the last send of each. */
export async function withLastSends(
  db: Queries,
  rows: readonly PushNotificationRow[],
): Promise<PushNotificationView[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const sends = await db
    .selectDistinctOn([pushSendsTable.notification_id])
    .from(pushSendsTable)
    .where(inArray(pushSendsTable.notification_id, ids))
    .orderBy(pushSendsTable.notification_id, desc(pushSendsTable.id))
  const byNotification = new Map(sends.map((send) => [send.notification_id, send]))
  return rows.map((row) => ({ ...row, lastSend: sendView(byNotification.get(row.id)) }))
}

function sendView(send: PushSendRow | undefined): PushNotificationView['lastSend'] {
  if (send === undefined) return null
  const { at, total, done, failed, finished_at } = send
  return { at, total, done, failed, finished_at }
}
