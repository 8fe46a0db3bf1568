import { Refusal } from '@hansom/domain/error-keys'
import { isEmail } from '@hansom/domain/users/contact'
import { and, eq } from 'drizzle-orm'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { isUniqueViolation } from '../../../platform/database/postgres-errors.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { Outbox } from '../../../platform/outbox/outbox.ts'
import { userChangedEvent } from '../../users/user-changed.ts'
import { addSignInMethod, createAccount } from '../create-account.ts'
import { markEmailVerified } from '../credentials.ts'
import type { Sessions } from '../sessions.ts'
import { authAccountsTable, authUsersTable } from '../table.ts'
import type { SocialProviderName, SocialUser } from './provider.ts'

/**
 * Returns the uid for a provider's user: the account already linked; or the account with the same email address, which
 * the provider has verified (a first verification removes the existing sign-in methods); or a new rider, approved and
 * with an empty wallet. Throws user_exists when the address is taken and the provider has not verified it, proper_email
 * when the provider gives none.
 */
export async function findOrLinkAccount(
  { database, ...deps }: AccountDeps & { database: Database },
  provider: SocialProviderName,
  profile: SocialUser,
): Promise<string> {
  const attempt = () => database.withTransaction((tx) => findOrCreate(tx, deps, provider, profile))
  try {
    return await attempt()
  } catch (error) {
    // Of two concurrent sign-ins of one user, the second finds the account created by the first.
    const isTaken = error instanceof Refusal && error.key === 'user_exists'
    if (isTaken || isUniqueViolation(error)) return attempt()
    throw error
  }
}

interface AccountDeps {
  clock: Clock
  sessions: Pick<Sessions, 'endAll'>
  outbox: Pick<Outbox, 'write'>
}

async function findOrCreate(
  tx: Transaction,
  { clock, outbox, sessions }: AccountDeps,
  provider: SocialProviderName,
  profile: SocialUser,
): Promise<string> {
  const { accountId, emailVerified } = profile
  const [known] = await tx.db
    .select({ uid: authAccountsTable.userId })
    .from(authAccountsTable)
    .where(and(eq(authAccountsTable.providerId, provider), eq(authAccountsTable.accountId, accountId)))
  if (known !== undefined) return known.uid
  const email = profile.email?.toLowerCase() ?? ''
  if (!isEmail(email)) throw new Refusal('proper_email')
  const [owner] = await tx.db
    .select({ uid: authUsersTable.id })
    .from(authUsersTable)
    .where(eq(authUsersTable.email, email))
  if (owner !== undefined) {
    if (!emailVerified) throw new Refusal('user_exists')
    if (!(await markEmailVerified(tx, sessions, owner.uid, email, 'nothing')))
      throw new Refusal('user_exists')
    await addSignInMethod(tx, owner.uid, { providerId: provider, accountId })
    return owner.uid
  }
  const uid = await createAccount(tx, {
    user: {
      firstName: profile.firstName.slice(0, 80),
      lastName: profile.lastName.slice(0, 80),
      email,
      usertype: 'rider',
      approved: true,
      loginType: provider,
      createdAt: clock.now(),
    },
    passwordHash: null,
    provider: { provider, accountId },
    emailVerified,
  })
  await outbox.write(tx, [userChangedEvent(uid)])
  return uid
}

/** Whether the user can still sign in by a provider; locks the row, so it waits for concurrent changes. */
export async function hasSignInMethod(
  tx: Transaction,
  uid: string,
  provider: SocialProviderName,
): Promise<boolean> {
  const found = await tx.db
    .select({ id: authAccountsTable.id })
    .from(authAccountsTable)
    .where(and(eq(authAccountsTable.userId, uid), eq(authAccountsTable.providerId, provider)))
    .for('share')
  return found.length > 0
}
