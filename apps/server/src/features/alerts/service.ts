import type { AlertCount } from '@hansom/contract/alerts'
import type { Actor } from '@hansom/domain/access/relation'
import { type AlertKind, alertKindsOf } from '@hansom/domain/alerts/alerts'
import { Refusal } from '@hansom/domain/error-keys'
import type { Database } from '../../platform/database/database.ts'
import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { UsersService } from '../users/service.ts'
import { countAlerts } from './store.ts'

/** Matters that wait for an admin or a fleet admin. */
export interface AlertsService {
  counts(actor: Actor): Promise<AlertCount[]>
  /** The kinds that the actor receives by email. */
  mail(actor: Actor): Promise<AlertKind[]>
  /** Replaces them. Throws invalid_input for a kind that the actor is not alerted of. */
  setMail(actor: Actor, kinds: readonly AlertKind[]): Promise<AlertKind[]>
}

export interface AlertsDeps {
  database: Database
  users: Pick<UsersService, 'alertMails' | 'setAlertMails'>
}

export function createAlertsService({ database, users }: AlertsDeps): AlertsService {
  return {
    counts: (actor) => countAlerts(database.pool, actor),
    mail: async ({ id, role }) => {
      const kinds = await users.alertMails(id)
      // The user may have chosen others as an admin.
      return kinds.filter((kind) => alertKindsOf(role).includes(kind))
    },
    setMail: async ({ id, role }, kinds) => {
      const foreign = kinds.findIndex((kind) => !alertKindsOf(role).includes(kind))
      if (foreign >= 0) {
        throw new Refusal('invalid_input', { fields: [{ field: `kinds.${foreign}`, error: 'not_in_list' }] })
      }
      return users.setAlertMails(id, kinds)
    },
  }
}

export function alertsRoutes({ alerts: os }: Os, alerts: AlertsService) {
  return {
    counts: os.counts
      .use(signedIn)
      .handler(async ({ context: { actor } }) => ({ counts: await alerts.counts(actor) })),
    mail: os.mail
      .use(signedIn)
      .handler(async ({ context: { actor } }) => ({ kinds: await alerts.mail(actor) })),
    setMail: os.setMail.use(signedIn).handler(async ({ context: { actor }, input }) => ({
      kinds: await alerts.setMail(actor, input.kinds),
    })),
  }
}
