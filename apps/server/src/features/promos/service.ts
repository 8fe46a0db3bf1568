import type { NewPromo, PromoView } from '@hansom/contract/promos'
import { promosTableSpec } from '@hansom/contract/promos-table'
import type { Promo } from '@hansom/domain/fare/promo'
import { unit } from '@hansom/domain/money/amount'
import { promoProblems } from '@hansom/domain/promos/check-promo'
import { and, eq, isNull } from 'drizzle-orm'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Queries } from '../../platform/database/transaction.ts'
import type { Os } from '../../platform/http/implement.ts'
import { type AdminTable, adminRoutes, adminTable } from '../../platform/tables/admin-table.ts'
import { type TableExport, tableExport } from '../../platform/tables/table-export.ts'
import type { SettingsService } from '../settings/service.ts'
import { promosTable, promosTableColumns } from './table.ts'

type PromoRow = typeof promosTable.$inferSelect

export interface PromosService {
  /**
   * Finds a promo by code, ignoring case, or null. The caller checks whether it may be used; uses are reserved and
   * released with the booking they belong to.
   */
  findByCode(code: string, queries?: Queries): Promise<Promo | null>
}

export function createPromosService({ database }: { database: Database }): PromosService {
  return {
    findByCode: async (code, queries = database.db) => {
      const [row] = await queries
        .select()
        .from(promosTable)
        .where(and(eq(promosTable.promo_name, code.trim()), isNull(promosTable.archived_at)))
      return row ?? null
    },
  }
}

export interface PromosAdminDeps {
  database: Database
  clock: Clock
  settings: Pick<SettingsService, 'current'>
}

/** The promos as admins edit them. A use by a booking does not change the version; bookings keep their copy. */
export type PromosAdmin = AdminTable<PromoRow, NewPromo, PromoView>

export function createPromosAdmin({ database, clock, settings }: PromosAdminDeps): PromosAdmin {
  return adminTable({
    database,
    clock,
    timezone: async () => (await settings.current()).timezone,
    table: promosTable,
    spec: promosTableColumns,
    view: (rows) => rows.map(promoView),
    audit: { kind: 'promo', routes: 'promos', label: (row) => row.promo_name, fields: promoView },
    complete: (given) => ({ ...defaults, ...given }),
    // The row is locked, so no use is added between this check and the change of the limit.
    problems: (next, before) =>
      promoProblems(next, { user_avail: next.user_avail, now: before === null ? clock.now() : null }),
    unique: {
      constraint: 'promos_name',
      field: 'promo_name',
      isSame: (next) => eq(promosTable.promo_name, next.promo_name),
    },
  })
}

const defaults = { promo_description: '', max_promo_discount_value: 0, min_order: 0, user_avail: 0 }

/** A promo as admins see it. */
function promoView({ archived_at: _archived, ...shown }: PromoRow): PromoView {
  return shown
}

export function promosRoutes({ promos: os }: Os, admin: PromosAdmin) {
  return {
    list: os.list.handler(({ input }) => admin.page(input)),
    ...adminRoutes(os, admin),
  }
}

/** CSV export of the promos. */
export const promosExport = (admin: PromosAdmin): TableExport =>
  tableExport<PromoView>({
    name: 'promos',
    spec: promosTableSpec,
    roles: ['admin'],
    when: 'critical',
    rows: (_person, query) => admin.all(query),
    columns: [
      { title: 'promos.promo_name', kind: 'text', value: (row) => row.promo_name },
      { title: 'promos.promo_description', kind: 'text', value: (row) => row.promo_description },
      {
        title: 'promos.promo_discount_type',
        kind: { words: 'promos.type_' },
        value: (row) => row.promo_discount_type,
      },
      // Percentages may have more digits than the currency.
      {
        title: 'promos.promo_discount_value',
        kind: 'number',
        value: (row) => row.promo_discount_value / unit,
      },
      {
        title: 'promos.max_promo_discount_value',
        kind: 'amount',
        value: (row) => row.max_promo_discount_value || null,
      },
      { title: 'promos.min_order', kind: 'amount', value: (row) => row.min_order || null },
      { title: 'promos.promo_validity', kind: 'time', value: (row) => row.promo_validity },
      { title: 'promos.promo_usage_limit', kind: 'number', value: (row) => row.promo_usage_limit },
      { title: 'promos.user_avail', kind: 'number', value: (row) => row.user_avail },
      { title: 'promos.createdAt', kind: 'time', value: (row) => row.createdAt },
    ],
  })
