import type { PromoView } from '@hansom/contract/promos'
import { promosTableSpec } from '@hansom/contract/promos-table'
import { unit } from '@hansom/domain/money/amount'
import { type TableExport, tableExport } from '../../platform/tables/table-export.ts'
import type { PromosAdminService } from './admin-service.ts'

/** The promos as a file. */
export const promosExport = (office: Pick<PromosAdminService, 'everything'>): TableExport =>
  tableExport<PromoView>({
    name: 'promos',
    offer: promosTableSpec,
    to: ['admin'],
    when: 'critical',
    rows: (_person, query) => office.everything(query),
    columns: [
      { title: 'promos.promo_name', as: 'text', value: (row) => row.promo_name },
      { title: 'promos.promo_description', as: 'text', value: (row) => row.promo_description },
      {
        title: 'promos.promo_discount_type',
        as: { words: 'promos.type_' },
        value: (row) => row.promo_discount_type,
      },
      // Percentages may have more digits than the currency.
      { title: 'promos.promo_discount_value', as: 'number', value: (row) => row.promo_discount_value / unit },
      {
        title: 'promos.max_promo_discount_value',
        as: 'amount',
        value: (row) => row.max_promo_discount_value || null,
      },
      { title: 'promos.min_order', as: 'amount', value: (row) => row.min_order || null },
      { title: 'promos.promo_validity', as: 'time', value: (row) => row.promo_validity },
      { title: 'promos.promo_usage_limit', as: 'number', value: (row) => row.promo_usage_limit },
      { title: 'promos.user_avail', as: 'number', value: (row) => row.user_avail },
      { title: 'promos.createdAt', as: 'time', value: (row) => row.createdAt },
    ],
  })
