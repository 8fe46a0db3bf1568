import type { AlertCount } from '@hansom/contract/alerts'
import type { Actor } from '@hansom/domain/access/relation'
import { type AlertKind, alertKindsOf, alertMailIntervalMs } from '@hansom/domain/alerts/alerts'
import { Refusal } from '@hansom/domain/error-keys'
import { z } from 'zod'
import type { Transaction } from '../../platform/database/transaction.ts'
import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import { type TableChange, tableChangedKind } from '../../platform/tables/table.ts'
import { bookingChanged, readBookingChange } from '../bookings/booking-changed-event.ts'
import type { UsersService } from '../users/service.ts'
import { type AlertMailDeps, createAlertMails } from './mail.ts'
import { createAlertScan, readOthers, type ScanDeps } from './scan.ts'
import { countAlerts } from './store.ts'

/** Matters that wait for an admin or a fleet admin. */
export interface AlertsService {
  /** Notifies the recipients of new matters, and announces changed counts to open pages. False if another scan runs. */
  scan(): Promise<boolean>
  /** Mails the unread alerts to those who want them by email. */
  mailUnread(): Promise<void>
  /** The number of open matters by kind, in the order of the to-do list, without zeros. */
  counts(actor: Actor): Promise<AlertCount[]>
  /** The kinds that the actor receives by email. */
  mail(actor: Actor): Promise<AlertKind[]>
  /** Replaces them. Throws invalid_input for a kind that the actor is not alerted of. */
  setMail(actor: Actor, kinds: readonly AlertKind[]): Promise<AlertKind[]>
}

export interface AlertsDeps extends ScanDeps, AlertMailDeps {
  outbox: Pick<Outbox, 'write' | 'onBatch'>
  users: UsersService
}

/** How often new matters are looked for, in seconds, if no change of a table or of a booking by an admin is known. */
const scanEveryS = 10
const scanJob = 'alerts.scan'

/** The scan announces changed counts in the same way. */
const isOwn = (change: TableChange) =>
  'tables' in change && change.tables.every((table) => table === 'alerts')

/** Defines its jobs. */
export function createAlertsService(deps: AlertsDeps): AlertsService {
  const { database, clock, jobs, outbox, users } = deps
  const scan = createAlertScan(deps)
  const mailUnread = createAlertMails(deps)
  const everyS = (seconds: number) => ({
    schema: z.object({}),
    repeat: { everyS: seconds, data: {} },
    concurrency: 1,
  })
  jobs.define(scanJob, everyS(scanEveryS), async () => void (await scan()))
  const scanSoon = async (tx: Transaction) => {
    await jobs.send(scanJob, {}, { tx, singletonKey: 'soon' })
  }
  outbox.onBatch(tableChangedKind, async (events, tx) => {
    if (events.some(({ payload }) => !isOwn(payload as TableChange))) await scanSoon(tx)
  })
  outbox.onBatch(bookingChanged, async (events, tx) => {
    const changes = events.map(({ payload }) => readBookingChange(payload))
    if (changes.some(({ by, command }) => by.role === 'admin' || command === 'object')) await scanSoon(tx)
  })
  jobs.define('alerts.mail', everyS(alertMailIntervalMs / 1000), mailUnread)

  return {
    scan,
    mailUnread,
    counts: async (actor) => {
      // Only admins are alerted of them.
      const others = actor.role === 'admin' ? await readOthers(deps) : []
      return countAlerts(database.pool, actor, { now: clock.now(), others })
    },
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
