import type { AdminCancelReason } from '@hansom/contract/cancel-reasons'
import type { TableCount } from '@hansom/contract/tables'
import type { RouteName } from '@hansom/domain/access/routes'
import { sql } from 'drizzle-orm'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { readCount } from '../../platform/tables/read-count.ts'
import { readAll } from '../../platform/tables/read-all.ts'
import { type PagePart, readPage } from '../../platform/tables/read-page.ts'
import type { TableQuery } from '../../platform/tables/table.ts'
import { type CancelReasonRow, type CancelReasonsService, cancelReasonsChannel } from './service.ts'
import { cancelReasonsTable } from './table.ts'
import { cancelReasonsTableColumns } from './table-columns.ts'
import {
  addReason,
  moveReason,
  readListVersion,
  reasonView,
  removeReason,
  renameReason,
} from './write-reasons.ts'

/**
 * Admin operations on cancel reasons. `by` is the admin's id. Every change is published to all followers of the list.
 */
export interface CancelReasonsAdmin {
  page(query: TableQuery): Promise<{ items: AdminCancelReason[]; next: string | null }>
  /** Returns all matching reasons in batches. */
  all(query: TableQuery): AsyncGenerator<AdminCancelReason[]>
  count(query: TableQuery): Promise<TableCount>
  /** Throws invalid_input. */
  add(by: string, label: string): Promise<AdminCancelReason>
  /** Throws not_found, conflict, invalid_input. */
  rename(by: string, id: string, label: string, version: number): Promise<AdminCancelReason>
  /** Throws not_found, conflict. */
  move(by: string, id: string, to: number, order: number): Promise<AdminCancelReason>
  /** Throws not_found. */
  remove(by: string, id: string): Promise<void>
}

export interface CancelReasonsAdminDeps {
  database: Database
  clock: Clock
  cancelReasons: CancelReasonsService
  hub: { publish(channel: string, data: unknown): void }
}

export function createCancelReasonsAdmin(deps: CancelReasonsAdminDeps): CancelReasonsAdmin {
  const { database, clock, cancelReasons, hub } = deps
  const scope = { where: [], timezone: 'UTC' }

  // Publishes one after another, so that the newest list arrives last.
  let publishing = Promise.resolve()
  const publishList = () => {
    publishing = publishing
      .then(async () => hub.publish(cancelReasonsChannel, await cancelReasons.all()))
      .catch(() => {})
  }

  /** Runs a change with its audit log entry and its live event. */
  const command = (
    by: string,
    action: RouteName,
    work: (tx: Transaction) => Promise<{ before: CancelReasonRow | null; after: CancelReasonRow | null }>,
  ) =>
    database.withTransaction(async (tx) => {
      const { before, after } = await work(tx)
      const subject = (after ?? before) as CancelReasonRow
      await writeAudit(tx, {
        by,
        at: clock.now(),
        action,
        kind: 'cancel_reason',
        subject: subject.id,
        label: subject.label,
        before: before && { label: before.label, value: before.value },
        after: after && { label: after.label, value: after.value },
      })
      tx.afterCommit(publishList)
      return reasonView(subject, await readListVersion(tx.db))
    })

  const part = ({ where, orderBy, limit, position }: PagePart) =>
    database.db
      .select({ row: cancelReasonsTable, position })
      .from(cancelReasonsTable)
      .where(where)
      .orderBy(orderBy)
      .limit(limit)

  return {
    page: async (query) => {
      const order = await readListVersion(database.db)
      const { rows, next } = await readPage(cancelReasonsTableColumns, query, scope, part)
      return { items: rows.map(({ row }) => reasonView(row, order)), next }
    },
    async *all(query) {
      const order = await readListVersion(database.db)
      for await (const rows of readAll(cancelReasonsTableColumns, query, scope, part)) {
        yield rows.map(({ row }) => reasonView(row, order))
      }
    },
    count: (query) =>
      readCount(database.db, cancelReasonsTableColumns, query, scope, sql`${cancelReasonsTable}`),
    add: (by, label) =>
      command(by, 'cancelReasons.create', async (tx) => ({
        before: null,
        after: await addReason(tx, label),
      })),
    rename: (by, id, label, version) =>
      command(by, 'cancelReasons.update', (tx) => renameReason(tx, id, label, version)),
    move: (by, id, to, order) => command(by, 'cancelReasons.move', (tx) => moveReason(tx, id, to, order)),
    remove: async (by, id) => {
      await command(by, 'cancelReasons.remove', async (tx) => ({
        before: await removeReason(tx, id),
        after: null,
      }))
    },
  }
}
