import type { OfficeCancelReason } from '@hansom/contract/cancel-reasons'
import { cancelReasonsOffer } from '@hansom/contract/cancel-reasons-table'
import { type TableExport, tableExport } from '../../platform/tables/table-export.ts'
import type { CancelReasonsOffice } from './office.ts'

/** CSV export of the cancel reasons. */
export const cancelReasonsExport = (office: Pick<CancelReasonsOffice, 'everything'>): TableExport =>
  tableExport<OfficeCancelReason>({
    name: 'cancel-reasons',
    offer: cancelReasonsOffer,
    to: ['admin'],
    when: 'always',
    rows: (_person, query) => office.everything(query),
    columns: [
      { title: 'cancelReasons.place', as: 'number', value: (row) => row.value + 1 },
      { title: 'cancelReasons.label', as: 'text', value: (row) => row.label },
    ],
  })
