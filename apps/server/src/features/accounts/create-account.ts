import { randomInt } from 'node:crypto'
import { Refusal } from '@hansom/domain/error-keys'
import { fullName } from '@hansom/domain/users/full-name'
import { referralId, type SignUpMethod } from '@hansom/domain/users/profile'
import { and, eq, isNotNull, isNull, or } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import type { Database } from '../../platform/database/database.ts'
import { isUniqueViolation } from '../../platform/database/postgres-errors.ts'
import type { Queries, Transaction } from '../../platform/database/transaction.ts'
import type { SettingsService } from '../settings/service.ts'
import { normalizePhone, parsePhone } from '../users/phone-number.ts'
import { usersTable } from '../users/table.ts'
import type { Attempts } from './attempts.ts'
import { HashQueue } from './hash-queue.ts'
import { hashPassword } from './password-hash.ts'
import {
  authAccountsTable,
  authCodesTable,
  authLinksTable,
  authUsersTable,
  phoneCollisionsTable,
} from './table.ts'
import { limitKeyOf, type Visitor } from './visitor.ts'

/** A row in users without the generated columns. */
export type NewUserRow = Omit<typeof usersTable.$inferInsert, 'id' | 'referralId' | 'email'> & {
  email: string
}

/** A sign-in method at an external provider. */
export interface ProviderAccount {
  provider: 'facebook' | 'apple'
  /** The user's id at the provider. */
  accountId: string
}

export interface NewAccount {
  /** With an id when the caller has already chosen one. */
  user: NewUserRow & { id?: string }
  /**
   * From `hashInQueue`, which takes a tenth of a second and therefore runs before the transaction. Null for no
   * password.
   */
  passwordHash: string | null
  provider?: ProviderAccount
  /** True when the email address needs no verification. */
  emailVerified: boolean
}

/** The shared queue of all password hashes. */
export const hashQueue = new HashQueue()

/** `asker` identifies the caller in the queue. Throws too_many_requests when the queue is full. */
export function hashInQueue(password: string, asker = 'this server'): Promise<string> {
  return hashQueue.run(asker, () => hashPassword(password))
}

/**
 * Creates a user who can sign in; returns the id. Throws user_exists when the email or mobile is taken, also by a
 * concurrent transaction, which leaves this transaction aborted.
 */
export async function createAccount(tx: Transaction, account: NewAccount): Promise<string> {
  const { provider } = account
  const mobile = account.user.mobile ? normalizePhone(account.user.mobile) : null
  const user = { ...account.user, mobile }
  const { email } = user
  if ((await findClashes(tx.db, { email, mobile: mobile ?? undefined })).length > 0) {
    throw new Refusal('user_exists')
  }
  const id = user.id ?? uuidv7()
  try {
    await insertUser(tx, { ...user, id }, provider?.provider ?? 'email')
    const name = fullName(user)
    await tx.db
      .insert(authUsersTable)
      .values({ id, name, email: email.toLowerCase(), emailVerified: account.emailVerified })
    if (account.passwordHash !== null) {
      await addSignInMethod(tx, id, {
        accountId: id,
        providerId: 'credential',
        password: account.passwordHash,
      })
    }
    if (provider !== undefined) {
      await addSignInMethod(tx, id, { accountId: provider.accountId, providerId: provider.provider })
    }
  } catch (error) {
    throw isUniqueViolation(error) ? new Refusal('user_exists') : error
  }
  return id
}

/** Adds a sign-in method to a user. */
export async function addSignInMethod(
  tx: Transaction,
  uid: string,
  method: Pick<typeof authAccountsTable.$inferInsert, 'accountId' | 'providerId' | 'password'>,
): Promise<void> {
  await tx.db.insert(authAccountsTable).values({ ...method, id: uuidv7(), userId: uid })
}

const referralTries = 20

/** The specified form has 9000 numbers per name; when none is free, a longer number is used. */
async function insertUser(
  tx: Transaction,
  user: NewUserRow & { id: string },
  way: SignUpMethod,
): Promise<void> {
  for (let attempt = 0; attempt <= referralTries; attempt += 1) {
    const short = referralId(user.firstName, randomInt(9000) / 9000, way)
    const candidate = attempt < referralTries ? short : `${short}${randomInt(1_000_000)}`
    const inserted = await tx.db
      .insert(usersTable)
      .values({ ...user, referralId: candidate })
      .onConflictDoNothing({ target: usersTable.referralId })
      .returning({ id: usersTable.id })
    if (inserted.length > 0) return
  }
  throw new Error('no free referral id found')
}

/** Deletes all rows about how a user signs in; sessions and sign-in methods go with them. */
export async function deleteAccount(
  { client, db }: Transaction,
  { id, email, mobile }: Pick<typeof usersTable.$inferSelect, 'id' | 'email' | 'mobile'>,
): Promise<void> {
  await db.delete(authUsersTable).where(eq(authUsersTable.id, id))
  await db.delete(authLinksTable).where(eq(authLinksTable.user_id, id))
  await db.delete(authCodesTable).where(eq(authCodesTable.user_id, id))
  await db.delete(phoneCollisionsTable).where(eq(phoneCollisionsTable.user_id, id))
  await client.query('delete from auth_verifications where identifier in ($1, $2) or value like $3', [
    email,
    mobile ?? '',
    `%${id}%`,
  ])
}

/** Lookups for visitors before they sign up; limited by IP address, so that users cannot be enumerated. */
export interface Lookups {
  /** Returns the uid of a referral id's owner. Throws referer_not_found, too_many_requests. */
  validateReferrer(referralId: string, visitor: Visitor): Promise<string>
  /** Returns which of the two contacts is taken. Throws too_many_requests. */
  checkUserExists(
    contacts: { email?: string | undefined; mobile?: string | undefined },
    visitor: Visitor,
  ): Promise<{ field: 'email' | 'mobile' }[]>
}

export interface LookupsDeps {
  database: Database
  attempts: Attempts
  settings: Pick<SettingsService, 'current'>
}

export function createLookups({ database, attempts, settings }: LookupsDeps): Lookups {
  return {
    validateReferrer: async (referralId, visitor) => {
      await attempts.attempt('lookups', limitKeyOf(visitor))
      const found = await findReferrer(database.db, referralId)
      if (found === null) throw new Refusal('referer_not_found')
      return found
    },
    checkUserExists: async (contacts, visitor) => {
      await attempts.attempt('lookups', limitKeyOf(visitor))
      const { country } = await settings.current()
      const mobile = contacts.mobile && (parsePhone(contacts.mobile, country) ?? contacts.mobile)
      return findClashes(database.db, { ...contacts, mobile })
    },
  }
}

/** Returns the uid of a referral id's owner; null for an unknown id. Case-insensitive. */
export async function findReferrer(queries: Queries, referralId: string): Promise<string | null> {
  const wanted = referralId.trim().toLowerCase()
  if (wanted === '') return null
  const [found] = await queries
    .select({ id: usersTable.id })
    .from(usersTable)
    .where(and(eq(usersTable.referralId, wanted), isNull(usersTable.deleted_at)))
  return found?.id ?? null
}

/**
 * Returns which of the two contacts another user has, and nothing else about that user. Throws email_or_mobile_issue
 * when the lookup fails.
 */
export async function findClashes(
  queries: Queries,
  { email, mobile }: { email?: string | undefined; mobile?: string | undefined },
): Promise<{ field: 'email' | 'mobile' }[]> {
  const isEmail = email ? eq(usersTable.email, email.trim()) : undefined
  // A guest's number is free: its owner proves it and takes over the guest.
  const isMobile = mobile ? and(eq(usersTable.mobile, mobile.trim()), isNotNull(usersTable.email)) : undefined
  if (isEmail === undefined && isMobile === undefined) return []
  const rows = await queries
    .select({ email: usersTable.email, mobile: usersTable.mobile })
    .from(usersTable)
    .where(or(isEmail, isMobile))
    .catch((cause: unknown) => {
      throw new Refusal('email_or_mobile_issue', { cause })
    })
  const same = (a: string | null, b: string | undefined) =>
    Boolean(b) && a?.toLowerCase() === b?.trim().toLowerCase()
  return [
    ...(rows.some((row) => same(row.email, email)) ? [{ field: 'email' as const }] : []),
    ...(rows.some((row) => same(row.mobile, mobile)) ? [{ field: 'mobile' as const }] : []),
  ]
}
