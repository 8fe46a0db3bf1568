import { randomInt } from 'node:crypto'
import { Refusal } from '@hansom/domain/error-keys'
import { referralId, type SignUpWay } from '@hansom/domain/users/referral-id'
import { hashPassword } from 'better-auth/crypto'
import { uuidv7 } from 'uuidv7'
import { isUniqueViolation } from '../../platform/database/postgres-errors.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { storedPhone } from '../users/phone-number.ts'
import { usersTable } from '../users/table.ts'
import { HashQueue } from './hash-queue.ts'
import { findClashes } from './referrers.ts'
import { authAccountsTable, authUsersTable } from './table.ts'

/** A person's row in users as far as it is not filled in by itself. */
export type NewPerson = Omit<typeof usersTable.$inferInsert, 'id' | 'referralId'>

/** Another sign-in method: an account at a provider. */
export interface ProviderAccount {
  provider: 'facebook' | 'apple'
  /** The provider's own id of the person. */
  accountId: string
}

export interface NewAccount {
  /** With an id when it is known before. */
  person: NewPerson & { id?: string }
  /** From `hashedPassword`, made before the transaction is opened: it takes a tenth of a second. Null for none. */
  passwordHash: string | null
  provider?: ProviderAccount
  /** The email address needs no proof. */
  emailVerified: boolean
}

/** All hashes of passwords take turns here. */
export const hashes = new HashQueue()

/** `asker`: who has it made, as limits count them. Throws too_many_requests when too many wait. */
export function hashedPassword(password: string, asker = 'this server'): Promise<string> {
  return hashes.run(asker, () => hashPassword(password))
}

/**
 * Makes a person who can sign in, whole or not at all. Answers with the id. Throws user_exists when the e-mail or mobile
 * is taken, also when somebody else takes it at the same moment; the transaction is broken then.
 */
export async function createAccount(tx: Transaction, account: NewAccount): Promise<string> {
  const { provider } = account
  const mobile = account.person.mobile ? storedPhone(account.person.mobile) : null
  const person = { ...account.person, mobile }
  const { email } = person
  if ((await findClashes(tx.db, { email, mobile: mobile ?? undefined })).length > 0) {
    throw new Refusal('user_exists')
  }
  const id = person.id ?? uuidv7()
  try {
    await insertPerson(tx, { ...person, id }, provider?.provider ?? 'email')
    const name = `${person.firstName} ${person.lastName}`
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

/** Gives a person one more sign-in method. */
export async function addSignInMethod(
  tx: Transaction,
  uid: string,
  method: Pick<typeof authAccountsTable.$inferInsert, 'accountId' | 'providerId' | 'password'>,
): Promise<void> {
  await tx.db.insert(authAccountsTable).values({ ...method, id: uuidv7(), userId: uid })
}

const referralTries = 20

/** The specified form has 9000 numbers a name: when they run out for a name, the number grows longer. */
async function insertPerson(
  tx: Transaction,
  person: NewPerson & { id: string },
  way: SignUpWay,
): Promise<void> {
  for (let attempt = 0; attempt <= referralTries; attempt += 1) {
    const short = referralId(person.firstName, randomInt(9000) / 9000, way)
    const candidate = attempt < referralTries ? short : `${short}${randomInt(1_000_000)}`
    const inserted = await tx.db
      .insert(usersTable)
      .values({ ...person, referralId: candidate })
      .onConflictDoNothing({ target: usersTable.referralId })
      .returning({ id: usersTable.id })
    if (inserted.length > 0) return
  }
  throw new Error('no free referral id found')
}
