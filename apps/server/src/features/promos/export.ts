import type { PromoView } from '@hansom/contract/promos'
import { promosTableSpec } from '@hansom/contract/promos-table'
import { unit } from '@hansom/domain/money/amount'
import { type TableExport, tableExport } from '../../platform/tables/table-export.ts'
import type { PromosAdminService } from './admin-service.ts'

/** The promos as a file. */
export const promosExport = (office: Pick<PromosAdminService, 'all'>): TableExport =>
  tableExport<PromoView>({
    name: 'promos',
    offer: promosTableSpec,
    roles: ['admin'],
    when: 'critical',
    rows: (_person, query) => office.all(query),
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
