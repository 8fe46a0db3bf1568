import type { AdminCancelReason } from '@hansom/contract/cancel-reasons'
import { cancelReasonsTableSpec } from '@hansom/contract/cancel-reasons-table'
import { type TableExport, tableExport } from '../../platform/tables/table-export.ts'
import type { CancelReasonsAdmin } from './admin-service.ts'

/** CSV export of the cancel reasons. */
export const cancelReasonsExport = (office: Pick<CancelReasonsAdmin, 'all'>): TableExport =>
  tableExport<AdminCancelReason>({
    name: 'cancel-reasons',
    offer: cancelReasonsTableSpec,
    roles: ['admin'],
    when: 'always',
    rows: (_person, query) => office.all(query),
    columns: [
      { title: 'cancelReasons.place', kind: 'number', value: (row) => row.value + 1 },
      { title: 'cancelReasons.label', kind: 'text', value: (row) => row.label },
    ],
  })
