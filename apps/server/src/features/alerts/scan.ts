import type { FailedWork } from '@hansom/contract/failed-work'
import { type AlertKind, alertDayMs, alertKinds, messageLimitMatter } from '@hansom/domain/alerts/alerts'
import { moneyText } from '@hansom/domain/money/amount'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { MessageCounts } from '../../platform/mailbox/message-counts.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import { type TableChange, tableChangedKind } from '../../platform/tables/table.ts'
import type { FailedWorkService } from '../failed-work/service.ts'
import type { CurrentSettings, SettingsService } from '../settings/service.ts'
import type { NewNotification } from '../users/notifications.ts'
import type { UsersService } from '../users/service.ts'
import { lockScan, type NewAlert, type OpenCount, type OtherMatter, occasionOf, readAlerts } from './store.ts'

export interface ScanDeps {
  database: Database
  clock: Pick<Clock, 'now'>
  /** Epoch ms of the machine's clock, which dates failed work. */
  worldNow(): number
  outbox: Pick<Outbox, 'write'>
  settings: Pick<SettingsService, 'current'>
  users: Pick<UsersService, 'notify' | 'end'>
  failedWork: Pick<FailedWorkService, 'list'>
  messageCounts: Pick<MessageCounts, 'today' | 'yesterday'>
}

/**
 * Notifies admins and fleet admins of new open matters, each recipient once, ends the alerts of settled ones, and announces
 * changed counts to open pages.
 * Repeatable: a matter that one scan misses is found by the next one. Returns false if it did nothing because another one
 * runs.
 */
export function createAlertScan(deps: ScanDeps): () => Promise<boolean> {
  const { database, clock, outbox, users } = deps
  let announced = new Map<string, string>()
  return async () => {
    const others = await readOthers(deps)
    const settings = await deps.settings.current()
    const now = clock.now()
    return database.withTransaction(async (tx) => {
      if (!(await lockScan(tx.client))) return false
      const { counts, missing, settled } = await readAlerts(tx.client, { now, others })
      // One that is settled while it is announced ends with the next scan.
      await users.end(tx, { ids: settled })
      await users.notify(
        tx,
        missing.map((alert) => notificationOf(alert, settings, now)),
      )
      const current = countsByAudience(counts)
      const changed = [...new Set([...announced.keys(), ...current.keys()])].filter(
        (audience) => announced.get(audience) !== current.get(audience),
      )
      if (changed.length > 0 || missing.length > 0) {
        const notified = missing.flatMap(({ recipient, fleetadmin }) =>
          recipient === fleetadmin ? recipient : [],
        )
        const fleets = [...new Set([...changed, ...notified])].filter((audience) => audience !== admins)
        const payload = { tables: ['alerts'], fleets } satisfies TableChange
        await outbox.write(tx, [{ kind: tableChangedKind, payload }])
      }
      tx.afterCommit(() => {
        announced = current
      })
      return true
    })
  }
}

/**
 * Failed work with its time on the application's clock, and the channels of messages that are near or over the installation's
 * limit. What was held back yesterday stays: the day ends at midnight UTC, which is the evening's peak elsewhere.
 */
export async function readOthers({
  failedWork,
  messageCounts,
  clock,
  worldNow,
}: Pick<ScanDeps, 'failedWork' | 'messageCounts' | 'clock' | 'worldNow'>): Promise<OtherMatter[]> {
  const ahead = clock.now() - worldNow()
  const [failed, today, yesterday] = await Promise.all([
    failedWork.list(),
    messageCounts.today(),
    messageCounts.yesterday(),
  ])
  const usage = [...today, ...yesterday.filter(({ beyondTotal }) => beyondTotal > 0)]
  return [
    ...failed.map(({ kind, name, since }: FailedWork) => ({
      kind: 'failed_work' as const,
      subject: `${kind} ${name} ${since}`,
      at: since + ahead,
      name,
    })),
    ...usage.flatMap(({ day, channel, sent, beyondTotal, limit }) => {
      const matter = messageLimitMatter({ sent, dropped: beyondTotal, limit })
      const name = `${channel} ${matter}`
      const at = Math.min(clock.now(), Date.parse(day) + alertDayMs - 1)
      return matter === null ? [] : { kind: 'message_limit' as const, subject: `${day} ${name}`, at, name }
    }),
  ]
}

const admins = 'admin'

/** The counts that each audience sees, as text: the admins, and each fleet admin by id. */
function countsByAudience(counts: readonly OpenCount[]): Map<string, string> {
  const sums = new Map<string, Map<AlertKind, number>>()
  for (const { kind, fleetadmin, count } of counts) {
    for (const audience of fleetadmin === null ? [admins] : [admins, fleetadmin]) {
      const ofAudience = sums.get(audience) ?? new Map<AlertKind, number>()
      sums.set(audience, ofAudience.set(kind, (ofAudience.get(kind) ?? 0) + count))
    }
  }
  return new Map(
    [...sums].map(([audience, sum]) => [audience, alertKinds.map((kind) => sum.get(kind) ?? 0).join()]),
  )
}

function notificationOf(alert: NewAlert, settings: CurrentSettings, at: number): NewNotification {
  const { kind, code, name, person, amount } = alert
  const [channel, matter] = kind === 'message_limit' ? (name ?? '').split(' ') : []
  const params = {
    ...(code !== null && { booking_id: code }),
    ...(name !== null && !channel && { name }),
    ...(person !== null && { person }),
    ...(amount !== null && { amount: moneyText(amount, settings.decimal, settings) }),
  }
  return {
    user_id: alert.recipient,
    at,
    title: `alert.${kind}.title`,
    msg: channel ? `alert.message_limit.${channel}_${matter}` : `alert.${kind}.msg`,
    params,
    screen: kind,
    booking_id: alert.booking,
    dedupe: occasionOf(alert),
  }
}
