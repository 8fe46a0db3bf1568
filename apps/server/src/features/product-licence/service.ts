import { type ErrorKey, Refusal } from '@hansom/domain/error-keys'
import type { Role } from '@hansom/domain/users/roles'
import { z } from 'zod'
import type { Licence, LicenceResult } from '../../adapters/product-licence/port.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Log } from '../../platform/log/log.ts'
import type { LicenceCheck, SettingsService } from '../settings/service.ts'

const refusedKey = 'Base Settings Error 1' satisfies ErrorKey
/** Interval between licence checks, s. */
const everyS = 600

/** The installation's licence. Without a configured service nothing is ever refused. */
export interface LicenceService extends LicenceCheck {
  /**
   * Checks the licence at a sign-in. Throws 'Base Settings Error 1' when it is refused, 'Base Settings Error 2' when
   * the service does not respond. Admins are always admitted, because they can enter another code.
   */
  checkSignIn(uid: string): Promise<void>
  /** Checks the installation's licence at intervals; calls `signOut` with the error's key when it is refused. */
  watch(jobs: Jobs, signOut: (why: ErrorKey) => Promise<number>): void
}

export interface LicenceDeps {
  database: Database
  licence: Licence
  settings: Pick<SettingsService, 'licenceCode'>
  log: Log
}

interface LicensedUser {
  createdAt: number
  usertype: Role
}

export function createLicenceService({ database, licence, settings, log }: LicenceDeps): LicenceService {
  let last: LicenceResult = 'good'
  const about = 'select created_at as "createdAt", usertype from user_roles'
  const find = async (uid: string) => {
    const { rows } = await database.pool.query<LicensedUser>(`${about} where id = $1`, [uid])
    return rows[0]
  }
  const ask = async (createTime: number) => {
    const answer = await licence.check({ reqType: 'auth', license: await settings.licenceCode(), createTime })
    // Logs a change only, not every sign-in.
    if (answer !== last && answer !== 'good')
      log.warn({ answer }, 'licence check denied sign-in to everyone but admins')
    last = answer
    return answer
  }
  return {
    isConfigured: licence.isConfigured,
    isRefused: () => last === 'refused',
    checkSignIn: async (uid) => {
      if (!licence.isConfigured) return
      const user = await find(uid)
      const answer = await ask(user?.createdAt ?? 0)
      if (answer === 'good') return
      if (user?.usertype === 'admin') return
      throw new Refusal(answer === 'refused' ? refusedKey : 'Base Settings Error 2')
    },
    checkCode: async (uid, license) => {
      if (!licence.isConfigured) return
      const createTime = (await find(uid))?.createdAt ?? 0
      const answer = await licence.check({ reqType: 'settings', license, createTime })
      if (answer !== 'good') throw new Refusal(answer === 'refused' ? 'wrong_code' : 'update_failed')
      last = 'good'
    },
    watch: (jobs, signOut) => {
      if (!licence.isConfigured) return
      jobs.define('licence.check', { schema: z.object({}), repeat: { everyS, data: {} } }, async () => {
        const admins = `${about} where usertype = 'admin' order by created_at limit 1`
        const [first] = (await database.pool.query<LicensedUser>(admins)).rows
        // Skips an installation that is not set up yet; a silent service is not a refusal.
        if (first === undefined || (await ask(first.createdAt)) !== 'refused') return
        const ended = await signOut(refusedKey)
        if (ended > 0)
          log.warn({ sessions: ended }, 'licence was refused; all users except admins were signed out')
      })
    },
  }
}
