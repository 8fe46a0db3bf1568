import { type AlertKind, alertKinds, alertKindsOf } from '@hansom/domain/alerts/alerts'
import { and, desc, eq, gt, inArray, isNull, lte } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import type { Queries } from '../../platform/database/transaction.ts'
import { alertMailsTable, userNotificationsTable, usersTable } from './table.ts'

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

/** The most alerts in one email. */
const maxMailed = 50

/** The users who receive alerts by email. */
export async function listAlertReaders(queries: Queries): Promise<string[]> {
  const rows = await queries.select({ id: alertMailsTable.user_id }).from(alertMailsTable)
  return rows.map(({ id }) => id)
}

/**
 * Takes a user's next alerts to mail: returns the ids of the newest unread ones, at most `maxMailed`, and marks all so far as
 * mailed when the transaction commits. Nothing for a user without approval, or while another server takes them.
 */
export async function takeUnmailedAlerts(queries: Queries, userId: string): Promise<string[]> {
  const [reader] = await queries
    .select({
      kinds: alertMailsTable.kinds,
      until: alertMailsTable.mailed_until,
      role: usersTable.usertype,
      approved: usersTable.approved,
    })
    .from(alertMailsTable)
    .innerJoin(usersTable, eq(usersTable.id, alertMailsTable.user_id))
    .where(eq(alertMailsTable.user_id, userId))
    .for('update', { of: alertMailsTable, skipLocked: true })
  if (reader === undefined) return []
  const { id, user_id, screen, read_at } = userNotificationsTable
  const fresh = and(eq(user_id, userId), gt(id, reader.until))
  const [newest] = await queries
    .select({ id })
    .from(userNotificationsTable)
    .where(and(fresh, inArray(screen, alertKinds)))
    .orderBy(desc(id))
    .limit(1)
  if (newest === undefined) return []
  await queries
    .update(alertMailsTable)
    .set({ mailed_until: newest.id })
    .where(eq(alertMailsTable.user_id, userId))
  const kinds = reader.kinds.filter((kind) => alertKindsOf(reader.role).includes(kind))
  if (!reader.approved || kinds.length === 0) return []
  const unread = await queries
    .select({ id })
    .from(userNotificationsTable)
    .where(and(fresh, lte(id, newest.id), inArray(screen, kinds), isNull(read_at)))
    .orderBy(desc(id))
    .limit(maxMailed)
  return unread.map((row) => row.id)
}
