import { Refusal } from '@hansom/domain/error-keys'
import type { Database } from '../../platform/database/database.ts'
import type { SettingsService } from '../settings/service.ts'
import { parsePhone } from '../users/phone-number.ts'
import type { Attempts } from './attempts.ts'
import { findClashes, findReferrer } from './referrers.ts'
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
