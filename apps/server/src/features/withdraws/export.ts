import type { WithdrawView } from '@hansom/contract/withdraws'
import { withdrawsTableSpec } from '@hansom/contract/withdraws-table'
import { withdrawState } from '@hansom/domain/wallet/withdraw'
import { type TableExport, tableExport } from '../../platform/tables/table-export.ts'
import type { WithdrawsService } from './service.ts'

/** Withdrawal requests as a file, also in demo mode. */
export const withdrawsExport = (withdraws: Pick<WithdrawsService, 'all'>): TableExport =>
  tableExport<WithdrawView>({
    name: 'withdraws',
    offer: withdrawsTableSpec,
    roles: ['admin'],
    when: 'always',
    rows: (_person, query) => withdraws.all(query),
    columns: [
      { title: 'wallet.name', kind: 'text', value: (row) => row.name },
      { title: 'wallet.amount', kind: 'amount', value: (row) => row.amount },
      { title: 'wallet.state', kind: { words: 'wallet.state_' }, value: withdrawState },
      { title: 'wallet.date', kind: 'time', value: (row) => row.date },
      { title: 'wallet.bankName', kind: 'text', value: (row) => row.bankName },
      { title: 'wallet.bankCode', kind: 'text', value: (row) => row.bankCode },
      { title: 'wallet.bankAccount', kind: 'text', value: (row) => row.bankAccount },
      { title: 'wallet.procesDate', kind: 'time', value: (row) => row.procesDate },
      { title: 'wallet.reason', kind: 'text', value: (row) => row.reason },
    ],
  })
