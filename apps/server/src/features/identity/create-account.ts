import { Refusal } from '@hansom/domain/error-keys'
import { referralId } from '@hansom/domain/users/referral-id'
import { hashPassword } from 'better-auth/crypto'
import { randomInt } from 'node:crypto'
import { eq, or } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import type { Transaction } from '../../platform/database/transaction.ts'
import { usersTable } from '../users/table.ts'
import { authAccountsTable, authUsersTable } from './table.ts'

/** A person's row in users as far as it is not filled in by itself. */
export type NewPerson = Omit<typeof usersTable.$inferInsert, 'id' | 'referralId'>

export interface NewAccount {
  person: NewPerson
  /** From `hashedPassword`, made before the transaction is opened: it takes a tenth of a second. */
  passwordHash: string
  /** The e-mail address needs no proof. */
  emailVerified: boolean
}

export function hashedPassword(password: string): Promise<string> {
  return hashPassword(password)
}

/**
 * Makes a person who can sign in by e-mail, whole or not at all. Answers with the id. Throws user_exists when the
 * e-mail or mobile is taken.
 */
export async function createAccount(tx: Transaction, account: NewAccount): Promise<string> {
  const { person } = account
  const taken = await tx.db
    .select({ id: usersTable.id })
    .from(usersTable)
    .where(
      or(
        eq(usersTable.email, person.email),
        person.mobile ? eq(usersTable.mobile, person.mobile) : undefined,
      ),
    )
  if (taken.length > 0) throw new Refusal('user_exists')
  const id = uuidv7()
  await tx.db
    .insert(usersTable)
    .values({ ...person, id, referralId: await freeReferralId(tx, person.firstName) })
  const name = `${person.firstName} ${person.lastName}`
  await tx.db
    .insert(authUsersTable)
    .values({ id, name, email: person.email.toLowerCase(), emailVerified: account.emailVerified })
  await tx.db.insert(authAccountsTable).values({
    id: uuidv7(),
    userId: id,
    accountId: id,
    providerId: 'credential',
    password: account.passwordHash,
  })
  return id
}

const referralTries = 20

/** The specified form has 9000 numbers a name: when they run out for a name, the number grows longer. */
async function freeReferralId(tx: Transaction, firstName: string): Promise<string> {
  for (let attempt = 0; attempt < referralTries; attempt += 1) {
    const candidate = referralId(firstName, randomInt(9000) / 9000)
    const found = await tx.db
      .select({ id: usersTable.id })
      .from(usersTable)
      .where(eq(usersTable.referralId, candidate))
    if (found.length === 0) return candidate
  }
  return `${referralId(firstName, 0)}${randomInt(1_000_000)}`
}
