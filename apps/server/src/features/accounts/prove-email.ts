import { and, eq, ne } from 'drizzle-orm'
import type { Transaction } from '../../platform/database/transaction.ts'
import { usersTable } from '../users/table.ts'
import type { Sessions } from './sessions.ts'
import { authAccountsTable, authUsersTable } from './table.ts'

/**
 * Whoever has opened a link sent to an address, or comes from a provider that vouches for it, has proven it; false when it
 * is not that person's any more. The first proof ends all sessions and removes the sign-in methods from before: somebody
 * else may have made the account with this address. A verification keeps the `password`, which is what its person signs in
 * with.
 */
export async function proveEmail(
  tx: Transaction,
  sessions: Pick<Sessions, 'endAll'>,
  uid: string,
  email: string,
  keeps: 'password' | 'nothing',
): Promise<boolean> {
  // The person first, in every transaction that changes how somebody comes in: two proofs take turns.
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
