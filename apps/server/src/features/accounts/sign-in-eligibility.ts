import { Refusal } from '@hansom/domain/error-keys'
import { roles } from '@hansom/domain/users/roles'
import { eq } from 'drizzle-orm'
import type { Queries } from '../../platform/database/transaction.ts'
import { usersTable } from '../users/table.ts'
import { authUsersTable } from './table.ts'

/** Refuses demo users as if they did not exist (login_error), because their passwords are public. */
export async function refuseDemoUsers(queries: Queries, userId: string): Promise<void> {
  const [user] = await queries
    .select({ demo: usersTable.demo })
    .from(usersTable)
    .where(eq(usersTable.id, userId))
  if (user?.demo) throw new Refusal('login_error')
}

/**
 * Refuses users who gave the correct password but may not sign in: unknown type (not_valid_user_type), no profile
 * (user_issue_contact_admin), rejected (account_rejected,
 * with the reason), not yet approved (require_approval), or an email address that must be verified first
 * (email_verify_message).
 */
export async function refuseIneligible(
  queries: Queries,
  userId: string,
  emailMustBeVerified: boolean,
): Promise<void> {
  const [user] = await queries
    .select({
      usertype: usersTable.usertype,
      approved: usersTable.approved,
      rejection: usersTable.rejection,
      emailVerified: authUsersTable.emailVerified,
    })
    .from(usersTable)
    .innerJoin(authUsersTable, eq(authUsersTable.id, usersTable.id))
    .where(eq(usersTable.id, userId))
  if (user === undefined) throw new Refusal('user_issue_contact_admin')
  if (!roles.includes(user.usertype)) throw new Refusal('not_valid_user_type')
  if (emailMustBeVerified && !user.emailVerified) throw new Refusal('email_verify_message')
  if (!user.approved && user.rejection !== null) {
    throw new Refusal('account_rejected', { data: { reason: user.rejection } })
  }
  if (!user.approved) throw new Refusal('require_approval')
}
