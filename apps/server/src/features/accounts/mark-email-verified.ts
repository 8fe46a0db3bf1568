import { and, eq, ne } from 'drizzle-orm'
import type { Transaction } from '../../platform/database/transaction.ts'
import { usersTable } from '../users/table.ts'
import type { Sessions } from './sessions.ts'
import { authAccountsTable, authUsersTable } from './table.ts'

/**
 * Marks an email address as verified, by a link or by a provider that vouches for it; false when it is no longer the
 * user's. The first verification ends all sessions and removes the existing sign-in methods, because someone else may
 * have created the account with this address. `keeps` is 'password' for a verification link, whose user signs in with
 * that password.
 */
export async function markEmailVerified(
  tx: Transaction,
  sessions: Pick<Sessions, 'endAll'>,
  uid: string,
  email: string,
  keeps: 'password' | 'nothing',
): Promise<boolean> {
  // Locks the user first, as every transaction that changes sign-in methods does, so that two verifications take turns.
  const [user] = await tx.db
    .select({ email: usersTable.email })
    .from(usersTable)
    .where(eq(usersTable.id, uid))
    .for('update')
  if (user?.email.toLowerCase() !== email.toLowerCase()) return false
  const proven = await tx.db
    .update(authUsersTable)
    .set({ emailVerified: true, updatedAt: new Date() })
    .where(and(eq(authUsersTable.id, uid), eq(authUsersTable.emailVerified, false)))
    .returning({ id: authUsersTable.id })
  if (proven.length === 0) return true
  const method = authAccountsTable
  const isOfPerson = eq(method.userId, uid)
  await tx.db
    .delete(method)
    .where(keeps === 'password' ? and(isOfPerson, ne(method.providerId, 'credential')) : isOfPerson)
  if (keeps === 'nothing') {
    await tx.db.update(usersTable).set({ mobile_verified_at: null }).where(eq(usersTable.id, uid))
  }
  await sessions.endAll(tx, uid)
  return true
}
