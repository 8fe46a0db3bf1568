import type { AdminPayment } from '@hansom/contract/payments'
import { paymentsTableSpec } from '@hansom/contract/payments-table'
import { paymentStates, paymentUses } from '@hansom/domain/payments/payment'
import { paymentProviders } from '@hansom/domain/payments/providers'
import { IconArrowBackUp, IconGavel, IconNotes, IconRoute } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { moneyColumns, PaymentBadge } from '../../entities/payments/payment-columns.tsx'
import { RefundDialog } from '../../entities/refunds/refund-dialog.tsx'
import { UserName, UserPicker } from '../../entities/users/user-picker.tsx'
import { api } from '../../lib/api.ts'
import { type Format, useFormat } from '../../lib/format.ts'
import { type Translate, useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { Money } from '../../ui/money.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { FilterDisplay, RowAction, TableColumn } from '../../ui/table/table-types.ts'
import { putTableRow } from '../../ui/table/table-updates.ts'
import { MismatchDialog } from './mismatch-dialog.tsx'
import { RecordRefundDialog } from './record-refund-dialog.tsx'

const table = 'payments'
const idOf = ({ id }: AdminPayment) => id

/** All card payment attempts: their state, the use of the money, and mismatches. */
export function CardPaymentsScreen() {
  const { t } = useText()
  const format = useFormat()
  const navigate = useNavigate()
  const { AllowCriticalEditsAdmin } = useSettings()
  const [disputed, setDisputed] = useState<AdminPayment | null>(null)
  const [settling, setSettling] = useState<AdminPayment | null>(null)
  const [recording, setRecording] = useState<AdminPayment | null>(null)
  const columns = useMemo(() => columnsFor(format, t), [format, t])
  const actionsOf = (payment: AdminPayment): RowAction<AdminPayment>[] => [
    ...(payment.state === 'mismatch'
      ? [
          {
            id: 'settle',
            label: t('refunds.mismatch_settle'),
            icon: <IconGavel size={18} aria-hidden />,
            onSelect: setSettling,
          },
        ]
      : []),
    ...(payment.used_for === null
      ? []
      : [
          {
            id: 'refund',
            label: t('refunds.refund'),
            icon: <IconArrowBackUp size={18} aria-hidden />,
            onSelect: setDisputed,
          },
          {
            id: 'record',
            label: t('refunds.record'),
            icon: <IconNotes size={18} aria-hidden />,
            onSelect: setRecording,
          },
        ]),
    ...(payment.booking === null
      ? []
      : [
          {
            id: 'booking',
            label: t('refunds.order'),
            icon: <IconRoute size={18} aria-hidden />,
            onSelect: () => void navigate({ to: '/trip/$id', params: { id: payment.booking ?? '' } }),
          },
        ]),
  ]
  return (
    <>
      <DataTable
        name={table}
        title="refunds.tab_payments"
        spec={paymentsTableSpec}
        columns={columns}
        filters={filters}
        page={(query) => api.payments.list(query)}
        count={(narrowing) => api.payments.count(narrowing)}
        rowId={idOf}
        rowName={({ reference }) => reference}
        rowActions={actionsOf}
        exportUrl={AllowCriticalEditsAdmin ? '/api/v1/exports/payments' : undefined}
        empty={{ title: 'refunds.payments_none', text: 'refunds.payments_none_text' }}
      />
      {disputed ? (
        <RefundDialog
          of={
            disputed.used_for === 'booking' && disputed.booking !== null
              ? { booking: disputed.booking }
              : { payment: disputed.id }
          }
          code={disputed.booking_id ?? disputed.reference}
          onClose={() => setDisputed(null)}
        />
      ) : null}
      {recording ? <RecordRefundDialog payment={recording} onClose={() => setRecording(null)} /> : null}
      {settling ? (
        <MismatchDialog
          payment={settling}
          onClose={() => setSettling(null)}
          onSettled={(payment) => {
            putTableRow(table, payment, idOf)
            setSettling(null)
          }}
        />
      ) : null}
    </>
  )
}

const PayerPick: NonNullable<FilterDisplay['pick']> = ({ value, onChange }) => {
  const { t } = useText()
  return <UserPicker label={t('refunds.pay_payer')} value={value} onChange={onChange} />
}

const words = (values: readonly string[], group: string) =>
  Object.fromEntries(values.map((value) => [value, `${group}_${value}`]))

const filters: Record<string, FilterDisplay> = {
  state: { label: 'refunds.pay_state', words: words(paymentStates, 'refunds.pay_state') },
  provider: { label: 'refunds.provider', words: words(paymentProviders, 'payments.provider') },
  used_for: { label: 'refunds.pay_used', words: words(paymentUses, 'refunds.pay_use') },
  created_at: { label: 'refunds.pay_at' },
  payer: { label: 'refunds.pay_payer', pick: PayerPick, named: UserName },
}

function columnsFor(format: Format, t: Translate): TableColumn<AdminPayment>[] {
  const { amount, user, time } = moneyColumns<AdminPayment>(format)
  return [
    {
      id: 'reference',
      header: 'refunds.pay_reference',
      cell: ({ reference }) => <Ltr>{reference}</Ltr>,
      width: 130,
      phone: 'title',
    },
    { ...user('payer', 'refunds.pay_payer', 172, ({ payer_name }) => payer_name), sort: 'payer_name' },
    amount(110),
    {
      id: 'state',
      header: 'refunds.pay_state',
      cell: ({ state }) => <PaymentBadge state={state} />,
      width: 160,
      phone: 'badge',
    },
    {
      id: 'differs',
      header: 'refunds.pay_differs',
      cell: ({ differs }) =>
        differs.length === 0 ? null : (
          <>{differs.map((one) => t(`refunds.differs_${one}` as string)).join(' · ')}</>
        ),
      width: 110,
      hidden: true,
    },
    {
      id: 'used_for',
      header: 'refunds.pay_used',
      cell: ({ used_for }) => (used_for === null ? null : t(`refunds.pay_use_${used_for}`)),
      width: 160,
    },
    {
      id: 'provider',
      header: 'refunds.provider',
      cell: ({ provider, live }) => (
        <>
          <bdi>{t(`payments.provider_${provider}`)}</bdi>
          {live ? null : <> · {t('refunds.pay_test')}</>}
        </>
      ),
      width: 240,
      hidden: true,
    },
    {
      id: 'refunded',
      header: 'refunds.pay_refunded',
      cell: ({ refunded }) => (refunded === 0 ? null : <Money amount={refunded} />),
      align: 'end',
      amount: true,
      width: 110,
    },
    time('created_at', 'refunds.pay_at', ({ created_at }) => created_at, { sort: 'created_at' }),
    {
      id: 'provider_id',
      header: 'refunds.pay_provider_id',
      cell: ({ provider_id }) => (provider_id === null ? null : <Ltr>{provider_id}</Ltr>),
      width: 240,
      hidden: true,
    },
  ]
}
