import { Refusal } from '@hansom/domain/error-keys'
import { and, eq, isNull, or } from 'drizzle-orm'
import type { Database } from '../../platform/database/database.ts'
import type { Queries } from '../../platform/database/transaction.ts'
import type { SettingsService } from '../settings/service.ts'
import { parsePhone } from '../users/phone-number.ts'
import { usersTable } from '../users/table.ts'
import type { Attempts } from './attempts.ts'
import { limitKeyOf, type Visitor } from './visitor.ts'

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
  const isMobile = mobile ? eq(usersTable.mobile, mobile.trim()) : undefined
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
