import { Refusal } from '@hansom/domain/error-keys'
import { and, eq, ne } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import type { Queries, Transaction } from '../../platform/database/transaction.ts'
import { metrics } from '../../platform/metrics/metrics.ts'
import { usersTable } from '../users/table.ts'
import type { Guesser, SignInLimits } from './attempts.ts'
import { hashQueue } from './create-account.ts'
import { hashPassword, verifyPassword } from './password-hash.ts'
import type { Sessions } from './sessions.ts'
import { authAccountsTable, authUsersTable } from './table.ts'

export interface Credential {
  uid: string
  emailVerified: boolean
  /** A salted scrypt hash; null for users without a password. */
  password: string | null
}

/** Returns the user's credential; undefined for an unknown user. */
export async function findCredential(
  queries: Queries,
  by: { email: string } | { uid: string },
): Promise<Credential | undefined> {
  const [found] = await queries
    .select({
      uid: authUsersTable.id,
      emailVerified: authUsersTable.emailVerified,
      password: authAccountsTable.password,
    })
    .from(authUsersTable)
    .leftJoin(
      authAccountsTable,
      and(eq(authAccountsTable.userId, authUsersTable.id), eq(authAccountsTable.providerId, 'credential')),
    )
    .where('uid' in by ? eq(authUsersTable.id, by.uid) : eq(authUsersTable.email, by.email))
  return found
}

let dummy: Promise<string> | undefined

/** Checks a password. An unknown user takes as long as a known one, also on the first call after a start. */
export async function isPassword(credential: Credential | undefined, password: string): Promise<boolean> {
  dummy ??= hashPassword('no account has this password')
  const dummyHash = await dummy
  const isRight = await verifyPassword(credential?.password ?? dummyHash, password)
  return isRight && credential !== undefined && credential.password !== null
}

/** Sets or replaces a user's password. `hash` is computed before the transaction opens. */
export async function setPassword(tx: Transaction, uid: string, hash: string): Promise<void> {
  await tx.db
    .insert(authAccountsTable)
    .values({ id: uuidv7(), userId: uid, accountId: uid, providerId: 'credential', password: hash })
    .onConflictDoUpdate({
      target: [authAccountsTable.providerId, authAccountsTable.accountId],
      set: { password: hash, updatedAt: new Date() },
    })
}

/** Locks a user's password against changes until the transaction ends, and returns its hash. */
export async function lockPasswordHash(tx: Transaction, uid: string): Promise<string | null> {
  const [row] = await tx.db
    .select({ password: authAccountsTable.password })
    .from(authAccountsTable)
    .where(and(eq(authAccountsTable.userId, uid), eq(authAccountsTable.providerId, 'credential')))
    .for('share')
  return row?.password ?? null
}

/**
 * Returns the credential when the password matches, for a caller who is not signed in. Limits guesses and queues
 * hashes; calls `find` only after the guess passed the limit. Throws login_error, too_many_requests.
 */
export async function verifyCredential(
  limits: SignInLimits,
  guesser: Guesser,
  find: () => Promise<Credential | undefined>,
  password: string,
): Promise<Credential> {
  await limits.attempt(guesser)
  const credential = await find()
  const isRight = await hashQueue.run(guesser.ipKey, async () => {
    await limits.attemptByIp(guesser)
    return isPassword(credential, password)
  })
  if (!isRight || credential === undefined) {
    metrics.signInFailures.inc({ kind: 'password' })
    throw new Refusal('login_error')
  }
  await limits.succeeded(guesser)
  return credential
}

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
  if (user?.email?.toLowerCase() !== email.toLowerCase()) return false
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
