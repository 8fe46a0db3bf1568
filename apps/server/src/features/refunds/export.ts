import type { RefundView } from '@hansom/contract/refunds'
import { refundsTableSpec } from '@hansom/contract/refunds-table'
import { type TableExport, tableExport } from '../../platform/tables/table-export.ts'
import type { RefundsService } from './service.ts'

/** Refunds as a file. */
export const refundsExport = (refunds: Pick<RefundsService, 'all'>): TableExport =>
  tableExport<RefundView>({
    name: 'refunds',
    offer: refundsTableSpec,
    to: ['admin'],
    when: 'critical',
    rows: (_person, query) => refunds.all(query),
    columns: [
      { title: 'refunds.at', as: 'time', value: (row) => row.at },
      { title: 'refunds.order', as: 'text', value: (row) => row.code },
      { title: 'refunds.rider', as: 'text', value: (row) => row.rider_name },
      { title: 'refunds.amount', as: 'amount', value: (row) => row.amount },
      { title: 'refunds.source', as: { words: 'refunds.source_' }, value: (row) => row.source },
      { title: 'refunds.provider', as: 'text', value: (row) => row.provider },
      { title: 'refunds.bearer', as: { words: 'refunds.bearer_' }, value: (row) => row.bearer },
      { title: 'refunds.state', as: { words: 'refunds.state_' }, value: (row) => row.state },
      { title: 'refunds.origin', as: { words: 'refunds.origin_' }, value: (row) => row.origin },
      { title: 'refunds.reason', as: 'text', value: (row) => row.reason },
      { title: 'refunds.fee', as: 'amount', value: (row) => row.fee },
      { title: 'refunds.ended_at', as: 'time', value: (row) => row.ended_at },
    ],
  })
