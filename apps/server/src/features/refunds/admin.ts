import type { RefundView } from '@hansom/contract/refunds'
import { refundsTableSpec as offer, refundsTableSpec } from '@hansom/contract/refunds-table'
import { sql } from 'drizzle-orm'
import type { Table, TableQuery } from '../../platform/tables/table.ts'
import { type TableExport, tableExport } from '../../platform/tables/table-export.ts'
import { refundsTable as columns } from './table.ts'

/** Sorts, filters and search of refunds. */
export const refundsTableColumns = {
  offer,
  columns: {
    id: columns.id,
    sorts: {
      at: { sql: columns.at, type: 'int8' },
      amount: { sql: columns.amount, type: 'int8' },
    },
    filters: {
      state: columns.state,
      source: columns.source,
      origin: columns.origin,
      bearer: columns.bearer,
      at: columns.at,
      booking: columns.booking,
      rider: columns.rider,
    },
    search: sql`search_fold(' ' || ${columns.code} || ' ' || ${columns.rider_name} || ' ' || ${columns.reason})`,
  },
} satisfies Table<typeof offer>

/** Refunds as a file. */
export const refundsExport = (refunds: {
  all(query: TableQuery): AsyncGenerator<RefundView[]>
}): TableExport =>
  tableExport<RefundView>({
    name: 'refunds',
    offer: refundsTableSpec,
    roles: ['admin'],
    when: 'critical',
    rows: (_person, query) => refunds.all(query),
    columns: [
      { title: 'refunds.at', kind: 'time', value: (row) => row.at },
      { title: 'refunds.order', kind: 'text', value: (row) => row.code },
      { title: 'refunds.rider', kind: 'text', value: (row) => row.rider_name },
      { title: 'refunds.amount', kind: 'amount', value: (row) => row.amount },
      { title: 'refunds.source', kind: { words: 'refunds.source_' }, value: (row) => row.source },
      { title: 'refunds.provider', kind: 'text', value: (row) => row.provider },
      { title: 'refunds.bearer', kind: { words: 'refunds.bearer_' }, value: (row) => row.bearer },
      { title: 'refunds.state', kind: { words: 'refunds.state_' }, value: (row) => row.state },
      { title: 'refunds.origin', kind: { words: 'refunds.origin_' }, value: (row) => row.origin },
      { title: 'refunds.reason', kind: 'text', value: (row) => row.reason },
      { title: 'refunds.fee', kind: 'amount', value: (row) => row.fee },
      { title: 'refunds.ended_at', kind: 'time', value: (row) => row.ended_at },
    ],
  })
