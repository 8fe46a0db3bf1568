import { hashPassword, verifyPassword } from 'better-auth/crypto'
import { and, eq } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import type { Queries, Transaction } from '../../platform/database/transaction.ts'
import { authAccountsTable, authUsersTable } from './table.ts'

export interface Credential {
  uid: string
  emailVerified: boolean
  /** A salted scrypt hash; null for people who come in by other ways only. */
  password: string | null
}

/** How a person of that e-mail signs in; undefined when there is none. */
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

/** Whether it is the password. An unknown person's takes as long as anybody's, also the first one after a start. */
export async function isPassword(credential: Credential | undefined, password: string): Promise<boolean> {
  dummy ??= hashPassword('nobody has this password')
  const nobodys = await dummy
  const isRight = await verifyPassword({ hash: credential?.password ?? nobodys, password })
  return isRight && credential !== undefined && credential.password !== null
}

/** Gives a person a password, the first or another one. `hash` is made before the transaction is opened. */
export async function setPassword(tx: Transaction, uid: string, hash: string): Promise<void> {
  await tx.db
    .insert(authAccountsTable)
    .values({ id: uuidv7(), userId: uid, accountId: uid, providerId: 'credential', password: hash })
    .onConflictDoUpdate({
      target: [authAccountsTable.providerId, authAccountsTable.accountId],
      set: { password: hash, updatedAt: new Date() },
    })
}

/** Locks a person's password against change until the end of the transaction, and answers with its hash. */
export async function lockedPassword(tx: Transaction, uid: string): Promise<string | null> {
  const [row] = await tx.db
    .select({ password: authAccountsTable.password })
    .from(authAccountsTable)
    .where(and(eq(authAccountsTable.userId, uid), eq(authAccountsTable.providerId, 'credential')))
    .for('share')
  return row?.password ?? null
}
