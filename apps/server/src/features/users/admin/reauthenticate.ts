import { Refusal } from '@hansom/domain/error-keys'
import { and, eq, sql } from 'drizzle-orm'
import type { Queries } from '../../../platform/database/transaction.ts'
import type { SessionActor } from '../../../platform/http/request-context.ts'
import { authSessionsTable } from '../../accounts/table.ts'

/** A session this young needs no password for irreversible commands. */
const freshMinutes = 10

/** Whether the session was opened within the last ten minutes, by the database's clock. */
export async function isFresh(queries: Queries, { id, sessionId }: SessionActor): Promise<boolean> {
  const [session] = await queries
    .select({ id: authSessionsTable.id })
    .from(authSessionsTable)
    .where(
      and(
        eq(authSessionsTable.id, sessionId),
        eq(authSessionsTable.userId, id),
        sql`${authSessionsTable.createdAt} > now() - make_interval(mins => ${freshMinutes})`,
      ),
    )
  return session !== undefined
}

/** Throws password_needed unless the password is correct or, without one, the session is fresh. */
export async function reauthenticate(
  queries: Queries,
  viewer: SessionActor,
  password: string | undefined,
  isPassword: (uid: string, password: string) => Promise<boolean>,
): Promise<void> {
  const isThere =
    password === undefined ? await isFresh(queries, viewer) : await isPassword(viewer.id, password)
  if (!isThere) throw new Refusal('password_needed')
}
