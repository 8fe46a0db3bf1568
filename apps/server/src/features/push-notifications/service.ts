import type { PushNotificationChanges, PushNotificationView } from '@hansom/contract/push-notifications'
import type { TableCount } from '@hansom/contract/tables'
import type { RouteName } from '@hansom/domain/access/routes'
import { Refusal } from '@hansom/domain/error-keys'
import {
  type PushNotification,
  pushNotificationProblems,
} from '@hansom/domain/push-notifications/push-notification'
import { eq, sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { z } from 'zod'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { isUniqueViolation } from '../../platform/database/postgres-errors.ts'
import type { Queries, Transaction } from '../../platform/database/transaction.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { idempotent } from '../../platform/outbox/idempotency.ts'
import { type PagePart, readAll, readCount, readPage } from '../../platform/tables/read-table.ts'
import type { TableQuery } from '../../platform/tables/table.ts'
import type { SettingsService } from '../settings/service.ts'
import { withLastSends } from './read-notifications.ts'
import { countReceivers } from './receivers.ts'
import { type SendBatchDeps, sendBatch } from './send-batch.ts'
import { type PushNotificationRow, pushNotificationsTable, pushSendsTable } from './table.ts'
import { pushNotificationsTableColumns } from './table-columns.ts'

/** Admin notifications to many users' devices. `by` is the admin's id. */
export interface PushNotificationsService {
  page(query: TableQuery): Promise<{ items: PushNotificationView[]; next: string | null }>
  count(query: TableQuery): Promise<TableCount>
  /** Returns all notifications in batches. */
  all(query: TableQuery): AsyncGenerator<PushNotificationView[]>
  /** Throws not_found. */
  get(id: string): Promise<PushNotificationView>
  /** Throws invalid_input. */
  add(by: string, given: PushNotification): Promise<PushNotificationView>
  /** Throws not_found, conflict, invalid_input. */
  change(
    by: string,
    id: string,
    changes: PushNotificationChanges,
    version: number,
  ): Promise<PushNotificationView>
  /** Throws not_found, and conflict while it is being sent. */
  remove(by: string, id: string): Promise<void>
  /** Throws not_found, no_user_match, and conflict while it is being sent. Sends once per key. */
  send(by: string, id: string, key: string | null): Promise<PushNotificationView>
  /** Continues sends that failed permanently because the push service was unavailable for too long. */
  resumeSends(): Promise<void>
}

export interface PushNotificationsDeps extends SendBatchDeps {
  jobs: Jobs
  settings: Pick<SettingsService, 'current'>
}

const job = 'send-push-notification'
const resumeSeconds = 1_800

export function createPushNotificationsService(deps: PushNotificationsDeps): PushNotificationsService {
  const { database, clock, jobs, settings } = deps
  jobs.define(job, { schema: z.object({ send: z.uuid() }), timeoutS: 120 }, async (data) => {
    if (await sendBatch(deps, data.send)) await jobs.send(job, data, { singletonKey: data.send })
  })

  const goOn = async () => {
    const { rows } = await database.pool.query<{ id: string }>(
      `select id from push_sends s where finished_at is null and not exists (
        select from pgboss.job j
          where j.name = $1 and j.state in ('created', 'retry', 'active') and j.data->>'send' = s.id::text)`,
      [job],
    )
    for (const { id } of rows) await jobs.send(job, { send: id }, { singletonKey: id })
  }
  const schedule = { schema: z.object({}), repeat: { everyS: resumeSeconds, data: {} } }
  jobs.define('push-notifications.go-on', schedule, goOn)

  const scope = async () => ({ where: [], timezone: (await settings.current()).timezone })
  const view = async (db: Queries, row: PushNotificationRow) =>
    (await withLastSends(db, [row]))[0] as PushNotificationView
  const audit = (
    tx: Transaction,
    by: string,
    action: RouteName,
    before: PushNotificationRow | null,
    after: PushNotificationRow | null,
  ) => {
    const { id, title } = (after ?? before) as PushNotificationRow
    const at = clock.now()
    return writeAudit(tx, { by, at, action, kind: 'notification', subject: id, label: title, before, after })
  }

  const part = ({ where, orderBy, limit, position }: PagePart) =>
    database.db
      .select({ row: pushNotificationsTable, position })
      .from(pushNotificationsTable)
      .where(where)
      .orderBy(orderBy)
      .limit(limit)
  const views = (rows: readonly { row: PushNotificationRow }[]) =>
    withLastSends(
      database.db,
      rows.map(({ row }) => row),
    )

  return {
    resumeSends: goOn,
    page: async (query) => {
      const { rows, next } = await readPage(pushNotificationsTableColumns, query, await scope(), part)
      return { items: await views(rows), next }
    },
    async *all(query) {
      for await (const rows of readAll(pushNotificationsTableColumns, query, await scope(), part)) {
        yield views(rows)
      }
    },
    count: async (query) =>
      readCount(
        database.db,
        pushNotificationsTableColumns,
        query,
        await scope(),
        sql`${pushNotificationsTable}`,
      ),

    get: (id) => find(database.db, id),

    add: (by, given) =>
      database.withTransaction(async (tx) => {
        refuseProblems(given)
        const [row] = await tx.db
          .insert(pushNotificationsTable)
          .values({ ...given, id: uuidv7(), createdAt: clock.now() })
          .returning()
        await audit(tx, by, 'pushNotifications.create', null, row as PushNotificationRow)
        return view(tx.db, row as PushNotificationRow)
      }),

    change: (by, id, given, version) =>
      database.withTransaction(async (tx) => {
        const before = await lock(tx, id)
        if (before.version !== version) {
          throw new Refusal('conflict', { data: { current: await view(tx.db, before) } })
        }
        const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
        refuseProblems({ ...before, ...changes })
        const [after] = await tx.db
          .update(pushNotificationsTable)
          .set({ ...changes, version: version + 1 })
          .where(eq(pushNotificationsTable.id, id))
          .returning()
        await audit(tx, by, 'pushNotifications.update', before, after as PushNotificationRow)
        return view(tx.db, after as PushNotificationRow)
      }),

    remove: (by, id) =>
      database.withTransaction(async (tx) => {
        const before = await lock(tx, id)
        const { lastSend } = await view(tx.db, before)
        if (lastSend !== null && lastSend.finished_at === null) throw new Refusal('conflict')
        await tx.db.delete(pushNotificationsTable).where(eq(pushNotificationsTable.id, id))
        await audit(tx, by, 'pushNotifications.remove', before, null)
      }),

    send: (by, id, key) =>
      database.withTransaction(async (tx) => {
        const request = { user: by, command: 'pushNotifications.send', key, body: { id }, at: clock.now() }
        await idempotent(tx, request, () => begin(tx, by, id))
        return find(tx.db, id)
      }),
  }

  async function find(db: Queries, id: string): Promise<PushNotificationView> {
    const [row] = await db.select().from(pushNotificationsTable).where(eq(pushNotificationsTable.id, id))
    if (row === undefined) throw new Refusal('not_found')
    return view(db, row)
  }

  async function begin(tx: Transaction, by: string, id: string): Promise<string> {
    const row = await lock(tx, id)
    const { devicetype, usertype, title, body } = row
    const total = await countReceivers(tx.db, row)
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
}

async function lock({ db }: Transaction, id: string): Promise<PushNotificationRow> {
  const [row] = await db
    .select()
    .from(pushNotificationsTable)
    .where(eq(pushNotificationsTable.id, id))
    .for('update')
  if (row === undefined) throw new Refusal('not_found')
  return row
}

function refuseProblems(notification: PushNotification): void {
  const fields = pushNotificationProblems(notification)
  if (fields.length > 0) throw new Refusal('invalid_input', { fields })
}
