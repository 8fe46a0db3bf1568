import type { NewPromo, PromoChanges, PromoView } from '@hansom/contract/promos'
import type { TableCount } from '@hansom/contract/tables'
import type { RouteName } from '@hansom/domain/access/routes'
import { isNull, sql } from 'drizzle-orm'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { readCount } from '../../platform/tables/read-count.ts'
import { readAll } from '../../platform/tables/read-all.ts'
import { type PagePart, readPage } from '../../platform/tables/read-page.ts'
import type { TableQuery } from '../../platform/tables/table.ts'
import type { SettingsService } from '../settings/service.ts'
import { promosTable } from './table.ts'
import { promosTableColumns } from './table-columns.ts'
import { addPromo, archivePromo, changePromo, type PromoRow, promoView } from './write-promo.ts'

/** Promos for admins. `by` is the admin. */
export interface PromosAdminService {
  page(query: TableQuery): Promise<{ items: PromoView[]; next: string | null }>
  /** All matching promos, a batch at a time. */
  all(query: TableQuery): AsyncGenerator<PromoView[]>
  count(query: TableQuery): Promise<TableCount>
  /** Throws invalid_input. */
  add(by: string, given: NewPromo): Promise<PromoView>
  /** Throws not_found, conflict, invalid_input. */
  change(by: string, id: string, changes: PromoChanges, version: number): Promise<PromoView>
  /** Throws not_found. */
  remove(by: string, id: string): Promise<void>
}

export interface PromosAdminDeps {
  database: Database
  clock: Clock
  settings: Pick<SettingsService, 'current'>
}

export function createPromosAdminService({ database, clock, settings }: PromosAdminDeps): PromosAdminService {
  const scope = async () => ({
    where: [isNull(promosTable.archived_at)],
    timezone: (await settings.current()).timezone,
  })

  /** Runs a change and writes its audit log row. */
  const command = (
    by: string,
    action: RouteName,
    work: (tx: Transaction) => Promise<{ before: PromoRow | null; after: PromoRow | null }>,
  ) =>
    database.withTransaction(async (tx) => {
      const { before, after } = await work(tx)
      const subject = (after ?? before) as PromoRow
      await writeAudit(tx, {
        by,
        at: clock.now(),
        action,
        kind: 'promo',
        subject: subject.id,
        label: subject.promo_name,
        before: before && promoView(before),
        after: after && promoView(after),
      })
      return promoView(subject)
    })

  const part = ({ where, orderBy, limit, position }: PagePart) =>
    database.db
      .select({ row: promosTable, position })
      .from(promosTable)
      .where(where)
      .orderBy(orderBy)
      .limit(limit)

  return {
    page: async (query) => {
      const { rows, next } = await readPage(promosTableColumns, query, await scope(), part)
      return { items: rows.map(({ row }) => promoView(row)), next }
    },
    async *all(query) {
      for await (const rows of readAll(promosTableColumns, query, await scope(), part)) {
        yield rows.map(({ row }) => promoView(row))
      }
    },
    count: async (query) =>
      readCount(database.db, promosTableColumns, query, await scope(), sql`${promosTable}`),
    add: (by, given) =>
      command(by, 'promos.create', async (tx) => ({
        before: null,
        after: await addPromo(tx, given, clock.now()),
      })),
    change: (by, id, changes, version) =>
      command(by, 'promos.update', (tx) => changePromo(tx, id, changes, version)),
    remove: async (by, id) => {
      await command(by, 'promos.remove', async (tx) => ({
        before: await archivePromo(tx, id, clock.now()),
        after: null,
      }))
    },
  }
}
