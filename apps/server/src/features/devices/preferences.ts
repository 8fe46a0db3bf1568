import type { PushPreferences } from '@hansom/contract/devices'
import { Refusal } from '@hansom/domain/error-keys'
import {
  kindsOfRole,
  mutableKinds,
  type NotificationKind,
  unmutedKinds,
} from '@hansom/domain/notifications/kinds'
import type { Role } from '@hansom/domain/users/roles'
import { eq } from 'drizzle-orm'
import type { Queries } from '../../platform/database/transaction.ts'
import { pushPreferencesTable } from './table.ts'

/** The kinds that a user has muted. */
export async function readMuted(db: Queries, uid: string): Promise<readonly NotificationKind[]> {
  const [row] = await db
    .select({ muted: pushPreferencesTable.muted })
    .from(pushPreferencesTable)
    .where(eq(pushPreferencesTable.user_id, uid))
  return row?.muted ?? []
}

export async function readPreferences(db: Queries, uid: string, role: Role): Promise<PushPreferences> {
  const muted = await readMuted(db, uid)
  const kinds = kindsOfRole(role).map((kind) => {
    const fixed = unmutedKinds.includes(kind)
    return { kind, muted: !fixed && muted.includes(kind), fixed }
  })
  return { kinds }
}

/** Replaces the muted kinds. Throws invalid_input for one that the role may not mute. */
export async function savePreferences(
  db: Queries,
  uid: string,
  role: Role,
  given: readonly NotificationKind[],
): Promise<PushPreferences> {
  const allowed = mutableKinds(role)
  if (given.some((kind) => !allowed.includes(kind))) {
    throw new Refusal('invalid_input', { fields: [{ field: 'muted', error: 'not_in_list' }] })
  }
  const muted = [...new Set(given)]
  await db
    .insert(pushPreferencesTable)
    .values({ user_id: uid, muted })
    .onConflictDoUpdate({ target: pushPreferencesTable.user_id, set: { muted } })
  return readPreferences(db, uid, role)
}
