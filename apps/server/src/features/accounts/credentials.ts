import { and, eq } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import type { Queries, Transaction } from '../../platform/database/transaction.ts'
import { hashPassword, verifyPassword } from './password-hash.ts'
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
