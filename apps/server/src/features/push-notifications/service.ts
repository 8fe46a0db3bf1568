import type { PushNotificationView } from '@hansom/contract/push-notifications'
import { pushNotificationsTableSpec } from '@hansom/contract/push-notifications-table'
import { Refusal } from '@hansom/domain/error-keys'
import {
  type PushNotification,
  pushNotificationProblems,
} from '@hansom/domain/push-notifications/push-notification'
import { desc, inArray, isNull } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { z } from 'zod'
import { writeAudit } from '../../platform/audit/audit.ts'
import { isUniqueViolation } from '../../platform/database/postgres-errors.ts'
import type { Queries, Transaction } from '../../platform/database/transaction.ts'
import { authorOf, type Os, signedIn } from '../../platform/http/implement.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { idempotent } from '../../platform/outbox/idempotency.ts'
import { type AdminTable, adminRoutes, adminTable } from '../../platform/tables/admin-table.ts'
import { type TableExport, tableExport } from '../../platform/tables/table-export.ts'
import type { DevicesService } from '../devices/service.ts'
import type { SettingsService } from '../settings/service.ts'
import { countUnreached, readReach, type SendBatchDeps, sendBatch } from './send.ts'
import {
  type PushNotificationRow,
  pushNotificationsTable,
  pushNotificationsTableColumns,
  pushSendsTable,
} from './table.ts'

/** Admin notifications to many users' devices. Removal throws conflict while one is being sent. */
export interface PushNotificationsService
  extends AdminTable<PushNotificationRow, PushNotification, PushNotificationView> {
  /** Sends once per key. Throws not_found, no_user_match, and conflict while it is being sent. */
  send(by: string, id: string, key: string | null): Promise<PushNotificationView>
  /** The number of people that a notification would reach, and of those with a device. */
  reach(receivers: Pick<PushNotification, 'devicetype' | 'usertype'>): ReturnType<typeof readReach>
  /** Continues sends whose job failed permanently. */
  resumeSends(): Promise<void>
}

export interface PushNotificationsDeps extends SendBatchDeps {
  jobs: Jobs
  devices: Pick<DevicesService, 'onUnreached'>
  settings: Pick<SettingsService, 'current'>
}

const job = 'send-push-notification'
const resumeSeconds = 1_800

export function createPushNotificationsService(deps: PushNotificationsDeps): PushNotificationsService {
  const { database, clock, jobs, settings } = deps
  deps.devices.onUnreached(countUnreached)
  jobs.define(job, { schema: z.object({ send: z.uuid() }), timeoutS: 120 }, async (data) => {
    if (await sendBatch(deps, data.send)) await jobs.send(job, data, { singletonKey: data.send })
  })

  const resumeSends = async () => {
    const unfinished = await database.db
      .select({ id: pushSendsTable.id })
      .from(pushSendsTable)
      .where(isNull(pushSendsTable.finished_at))
    const open = new Set((await jobs.openData(job)).map(({ send }) => send))
    for (const { id } of unfinished) {
      if (!open.has(id)) await jobs.send(job, { send: id }, { singletonKey: id })
    }
  }
  const schedule = { schema: z.object({}), repeat: { everyS: resumeSeconds, data: {} } }
  jobs.define('push-notifications.go-on', schedule, resumeSends)

  const notifications = adminTable({
    database,
    clock,
    timezone: async () => (await settings.current()).timezone,
    table: pushNotificationsTable,
    spec: pushNotificationsTableColumns,
    view: (rows: readonly PushNotificationRow[], queries) => withLastSends(queries, rows),
    audit: {
      kind: 'notification',
      routes: 'pushNotifications',
      label: (row) => row.title,
      fields: (row) => ({ ...row }),
    },
    complete: (given: PushNotification) => given,
    problems: pushNotificationProblems,
    refuseRemoval: async ({ db }, row) => {
      const [shown] = await withLastSends(db, [row])
      if (shown?.lastSend?.finished_at === null) throw new Refusal('conflict')
    },
  })

  async function begin(tx: Transaction, by: string, id: string): Promise<string> {
    const row = await notifications.lock(tx, id)
    const { devicetype, usertype, title, body } = row
    const { people: total } = await readReach(tx.db, row)
    if (total === 0) throw new Refusal('no_user_match')
    const send = uuidv7()
    const at = clock.now()
    const content = { devicetype, usertype, title, body }
    await tx.db
      .insert(pushSendsTable)
      .values({ id: send, notification_id: id, by_user: by, ...content, at, total })
      .catch((error: unknown) => {
        if (!isUniqueViolation(error, 'push_sends_one_under_way')) throw error
        throw new Refusal('conflict')
      })
    await writeAudit(tx, {
      by,
      at,
      action: 'pushNotifications.send',
      kind: 'notification',
      subject: id,
      label: title,
      before: null,
      after: { ...content, total },
    })
    await jobs.send(job, { send }, { tx })
    return send
  }

  return {
    ...notifications,
    resumeSends,
    reach: (receivers) => readReach(database.db, receivers),
    send: async (by, id, key) => {
      await database.withTransaction((tx) => {
        const request = { user: by, command: 'pushNotifications.send', key, body: { id }, at: clock.now() }
        return idempotent(tx, request, () => begin(tx, by, id))
      })
      return notifications.get(id)
    },
  }
}

/** Returns notifications with the last send of each. */
async function withLastSends(
  db: Queries,
  rows: readonly PushNotificationRow[],
): Promise<PushNotificationView[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const sends = await db
    .selectDistinctOn([pushSendsTable.notification_id])
    .from(pushSendsTable)
    .where(inArray(pushSendsTable.notification_id, ids))
    .orderBy(pushSendsTable.notification_id, desc(pushSendsTable.id))
  return rows.map((row) => {
    const send = sends.find((one) => one.notification_id === row.id)
    if (send === undefined) return { ...row, lastSend: null }
    const { at, total, done, failed, listed, finished_at } = send
    return { ...row, lastSend: { at, total, done, failed, listed, finished_at } }
  })
}

export function pushNotificationsRoutes(
  { pushNotifications: os }: Os,
  notifications: PushNotificationsService,
) {
  return {
    list: os.list.handler(({ input }) => notifications.page(input)),
    reach: os.reach.handler(({ input }) => notifications.reach(input)),
    get: os.get.handler(({ input }) => notifications.get(input.id)),
    ...adminRoutes(os, notifications),
    send: os.send.use(signedIn).handler(({ context, input }) => {
      const { uid, key } = authorOf(context)
      return notifications.send(uid, input.id, key)
    }),
  }
}

/** CSV export of the admin notifications. */
export const pushNotificationsExport = (notifications: PushNotificationsService): TableExport =>
  tableExport<PushNotificationView>({
    name: 'push-notifications',
    spec: pushNotificationsTableSpec,
    roles: ['admin'],
    when: 'critical',
    rows: (_person, query) => notifications.all(query),
    columns: [
      { title: 'pushNotifications.field_createdAt', kind: 'time', value: (row) => row.createdAt },
      { title: 'pushNotifications.field_title', kind: 'text', value: (row) => row.title },
      { title: 'pushNotifications.field_body', kind: 'text', value: (row) => row.body },
      {
        title: 'pushNotifications.field_usertype',
        kind: { words: 'pushNotifications.user_' },
        value: (row) => row.usertype,
      },
      {
        title: 'pushNotifications.field_devicetype',
        kind: { words: 'pushNotifications.device_' },
        value: (row) => row.devicetype,
      },
      { title: 'pushNotifications.field_sent', kind: 'time', value: (row) => row.lastSend?.at ?? null },
    ],
  })
