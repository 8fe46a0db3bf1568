import { type AlertKind, alertKinds } from '@hansom/domain/alerts/alerts'
import { eq } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import type { Queries } from '../../platform/database/transaction.ts'
import { alertMailsTable } from './table.ts'

/** The kinds of alerts that a user receives by email, in the order of the to-do list. */
export async function readAlertMails(queries: Queries, userId: string): Promise<AlertKind[]> {
  const [row] = await queries
    .select({ kinds: alertMailsTable.kinds })
    .from(alertMailsTable)
    .where(eq(alertMailsTable.user_id, userId))
  return row?.kinds ?? []
}

/** Replaces the kinds of alerts that a user receives by email. What was announced before the first one is not mailed. */
export async function saveAlertMails(
  queries: Queries,
  userId: string,
  wanted: readonly AlertKind[],
): Promise<AlertKind[]> {
  const kinds = alertKinds.filter((kind) => wanted.includes(kind))
  if (kinds.length === 0) {
    await queries.delete(alertMailsTable).where(eq(alertMailsTable.user_id, userId))
    return kinds
  }
  await queries
    .insert(alertMailsTable)
    .values({ user_id: userId, kinds, mailed_until: uuidv7() })
    .onConflictDoUpdate({ target: alertMailsTable.user_id, set: { kinds } })
  return kinds
}
