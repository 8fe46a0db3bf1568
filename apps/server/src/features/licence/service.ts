import { Refusal } from '@hansom/domain/error-keys'
import { eq } from 'drizzle-orm'
import type { Licence } from '../../adapters/licence/port.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Log } from '../../platform/log/log.ts'
import type { LicenceCheck, SettingsService } from '../settings/service.ts'
import { usersTable } from '../users/table.ts'

/** The licence of the installation. Where no service is asked, nothing here ever refuses. */
export interface LicenceService extends LicenceCheck {
  /**
   * Asks at a sign-in. Throws 'Base Settings Error 1' when the licence is refused, 'Base Settings Error 2' when there is
   * no answer.
   */
  admit(uid: string): Promise<void>
}

export interface LicenceDeps {
  database: Database
  licence: Licence
  settings: Pick<SettingsService, 'licenceCode'>
  log: Log
}

export function createLicenceService({ database, licence, settings, log }: LicenceDeps): LicenceService {
  const madeAt = async (uid: string) => {
    const [person] = await database.db
      .select({ createdAt: usersTable.createdAt })
      .from(usersTable)
      .where(eq(usersTable.id, uid))
    return person?.createdAt ?? 0
  }
  return {
    asked: licence.asked,
    admit: async (uid) => {
      if (!licence.asked) return
      const question = { license: await settings.licenceCode(), createTime: await madeAt(uid) }
      const answer = await licence.check({ reqType: 'auth', ...question })
      if (answer === 'good') return
      log.warn({ answer }, 'the licence service lets nobody in')
      throw new Refusal(answer === 'refused' ? 'Base Settings Error 1' : 'Base Settings Error 2')
    },
    checkCode: async (uid, license) => {
      if (!licence.asked) return
      const answer = await licence.check({ reqType: 'settings', license, createTime: await madeAt(uid) })
      if (answer === 'good') return
      throw new Refusal(answer === 'refused' ? 'wrong_code' : 'update_failed')
    },
  }
}
