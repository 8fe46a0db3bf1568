import type { AdminPayment } from '@hansom/contract/payments'
import { paymentsTableSpec } from '@hansom/contract/payments-table'
import { type TableExport, tableExport } from '../../platform/tables/table-export.ts'
import type { PaymentsService } from './service.ts'

/** Card payment attempts as a file. */
export const paymentsExport = (payments: Pick<PaymentsService, 'all'>): TableExport =>
  tableExport<AdminPayment>({
    name: 'payments',
    offer: paymentsTableSpec,
    roles: ['admin'],
    when: 'critical',
    rows: (_person, query) => payments.all(query),
    columns: [
      { title: 'refunds.pay_at', kind: 'time', value: (row) => row.created_at },
      { title: 'refunds.pay_reference', kind: 'text', value: (row) => row.reference },
      { title: 'refunds.pay_payer', kind: 'text', value: (row) => row.payer_name },
      { title: 'refunds.amount', kind: 'amount', value: (row) => row.amount },
      { title: 'exports.currency', kind: 'text', value: (row) => row.currency },
      { title: 'refunds.provider', kind: { words: 'payments.provider_' }, value: (row) => row.provider },
      { title: 'refunds.pay_state', kind: { words: 'refunds.pay_state_' }, value: (row) => row.state },
      { title: 'refunds.pay_used', kind: { words: 'refunds.pay_use_' }, value: (row) => row.used_for },
      { title: 'refunds.pay_refunded', kind: 'amount', value: (row) => row.refunded },
      { title: 'refunds.pay_provider_id', kind: 'text', value: (row) => row.provider_id },
      { title: 'refunds.pay_differs', kind: 'text', value: (row) => row.differs.join(' ') || null },
    ],
  })
