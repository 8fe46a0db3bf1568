import type { RefundView } from '@hansom/contract/refunds'
import { refundsTableSpec } from '@hansom/contract/refunds-table'
import { refundBearers, refundOrigins, refundSources, refundStates } from '@hansom/domain/wallet/refund'
import { IconGavel, IconReceipt, IconRoute } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { moneyColumns, RefundBadge } from '../../entities/payments/payment-columns.tsx'
import { RefundReason } from '../../entities/refunds/refund-reason.tsx'
import { UserName, UserPicker } from '../../entities/users/user-picker.tsx'
import { api } from '../../lib/api.ts'
import { type Format, useFormat } from '../../lib/format.ts'
import { type Translate, useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { Money } from '../../ui/money.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { FilterDisplay, RowAction, TableColumn } from '../../ui/table/table-types.ts'
import { putTableRow } from '../../ui/table/table-updates.ts'
import { Objections } from './objections.tsx'
import { FeeDialog, SettleDialog } from './refund-dialogs.tsx'

const table = 'refunds'
const idOf = ({ id }: RefundView) => id

/** All refunds and chargebacks; those that a provider cannot complete are settled here. */
export function DisputesScreen() {
  const { t } = useText()
  const format = useFormat()
  const navigate = useNavigate()
  const { AllowCriticalEditsAdmin } = useSettings()
  const [settling, setSettling] = useState<RefundView | null>(null)
  const [charged, setCharged] = useState<RefundView | null>(null)
  const columns = useMemo(() => columnsFor(format, t), [format, t])
  const actionsOf = (refund: RefundView): RowAction<RefundView>[] => [
    ...(refund.state === 'by_hand' || refund.state === 'pending'
      ? [
          {
            id: 'settle',
            label: t('refunds.settle'),
            icon: <IconGavel size={18} aria-hidden />,
            onSelect: setSettling,
          },
        ]
      : []),
    ...(refund.origin === 'chargeback'
      ? [
          {
            id: 'fee',
            label: t('refunds.fee'),
            icon: <IconReceipt size={18} aria-hidden />,
            onSelect: setCharged,
          },
        ]
      : []),
    ...(refund.booking === null
      ? []
      : [
          {
            id: 'booking',
            label: t('refunds.order'),
            icon: <IconRoute size={18} aria-hidden />,
            onSelect: () => void navigate({ to: '/trip/$id', params: { id: refund.booking ?? '' } }),
          },
        ]),
  ]
  return (
    <>
      <DataTable
        name={table}
        changeEvents="refunds"
        title="refunds.title"
        notice={<Objections />}
        spec={refundsTableSpec}
        columns={columns}
        filters={filters}
        page={(query) => api.refunds.list(query)}
        count={(narrowing) => api.refunds.count(narrowing)}
        rowId={idOf}
        rowName={({ code }) => code}
        rowActions={actionsOf}
        exportUrl={AllowCriticalEditsAdmin ? '/api/v1/exports/refunds' : undefined}
        aside={
          <Link to="/bookings" search={{ status: 'ended' }} className={buttonClass()}>
            {t('refunds.find')}
          </Link>
        }
        empty={{ title: 'refunds.none', text: 'refunds.none_text' }}
      />
      {settling ? (
        <SettleDialog
          refund={settling}
          onClose={() => setSettling(null)}
          onDone={(refund) => {
            putTableRow(table, refund, idOf)
            setSettling(null)
          }}
        />
      ) : null}
      {charged ? (
        <FeeDialog
          refund={charged}
          onClose={() => setCharged(null)}
          onDone={(refund) => {
            putTableRow(table, refund, idOf)
            setCharged(null)
          }}
        />
      ) : null}
    </>
  )
}

const RiderPick: NonNullable<FilterDisplay['pick']> = ({ value, onChange }) => {
  const { t } = useText()
  return <UserPicker label={t('refunds.rider')} usertype="rider" value={value} onChange={onChange} />
}

const words = (values: readonly string[], group: string) =>
  Object.fromEntries(values.map((value) => [value, `refunds.${group}_${value}`]))

const filters: Record<string, FilterDisplay> = {
  state: { label: 'refunds.state', words: words(refundStates, 'state') },
  source: { label: 'refunds.source', words: words(refundSources, 'source') },
  origin: { label: 'refunds.origin', words: words(refundOrigins, 'origin') },
  bearer: { label: 'refunds.bearer', words: words(refundBearers, 'bearer') },
  at: { label: 'refunds.at' },
  rider: { label: 'refunds.rider', pick: RiderPick, named: UserName },
}

function columnsFor(format: Format, t: Translate): TableColumn<RefundView>[] {
  const { amount, user, time } = moneyColumns<RefundView>(format)
  return [
    {
      id: 'code',
      header: 'refunds.order',
      cell: ({ code }) => <Ltr>{code}</Ltr>,
      width: 112,
      phone: 'title',
    },
    { ...user('rider', 'refunds.rider', 176, ({ rider_name }) => rider_name), sort: 'rider_name' },
    amount(96),
    {
      id: 'state',
      header: 'refunds.state',
      cell: ({ state }) => <RefundBadge state={state} />,
      width: 140,
      phone: 'badge',
    },
    {
      id: 'source',
      header: 'refunds.source',
      cell: ({ source, provider }) => (
        <>
          {t(`refunds.source_${source}`)}
          {provider ? (
            <>
              {' '}
              · <bdi>{t(`payments.provider_${provider}`)}</bdi>
            </>
          ) : null}
        </>
      ),
      width: 172,
      wraps: true,
    },
    {
      id: 'bearer',
      header: 'refunds.bearer',
      cell: ({ bearer }) => t(`refunds.bearer_${bearer}`),
      width: 150,
      hidden: true,
    },
    {
      id: 'reason',
      header: 'refunds.reason',
      cell: (refund) => <RefundReason refund={refund} />,
      width: 200,
      wraps: true,
    },
    {
      id: 'fee',
      header: 'refunds.fee',
      cell: ({ fee }) => (fee === 0 ? null : <Money amount={fee} />),
      align: 'end',
      amount: true,
      width: 110,
      hidden: true,
    },
    time('at', 'refunds.at', ({ at }) => at, { sort: 'at' }),
    time('ended_at', 'refunds.ended_at', ({ ended_at }) => ended_at, { hidden: true }),
    {
      id: 'failure',
      header: 'refunds.failure',
      cell: ({ failure }) => <bdi>{failure}</bdi>,
      width: 240,
      wraps: true,
      hidden: true,
    },
  ]
}
