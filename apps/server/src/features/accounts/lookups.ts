import { Refusal } from '@hansom/domain/error-keys'
import type { Database } from '../../platform/database/database.ts'
import type { SettingsService } from '../settings/service.ts'
import { readPhone } from '../users/phone-number.ts'
import type { Attempts } from './attempts.ts'
import { findClashes, findReferrer } from './referrers.ts'
import { limitAddress, type Visitor } from './visitor.ts'

/** What a stranger may ask before signing up; counted by address, so that nobody can list people this way. */
export interface Lookups {
  /** The uid of whose referral id it is. Throws referer_not_found, too_many_requests. */
  validateReferrer(referralId: string, visitor: Visitor): Promise<string>
  /** Which of the two is taken. Throws too_many_requests. */
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
      await attempts.attempt('lookups', limitAddress(visitor))
      const found = await findReferrer(database.db, referralId)
      if (found === null) throw new Refusal('referer_not_found')
      return found
    },
    checkUserExists: async (contacts, visitor) => {
      await attempts.attempt('lookups', limitAddress(visitor))
      const { country } = await settings.current()
      const mobile = contacts.mobile && (readPhone(contacts.mobile, country) ?? contacts.mobile)
      return findClashes(database.db, { ...contacts, mobile })
    },
  }
}
