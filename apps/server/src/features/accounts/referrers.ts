import { Refusal } from '@hansom/domain/error-keys'
import { and, eq, isNull, or } from 'drizzle-orm'
import type { Queries } from '../../platform/database/transaction.ts'
import { usersTable } from '../users/table.ts'

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
