import type { WithdrawView } from '@hansom/contract/withdraws'
import { withdrawsTableSpec } from '@hansom/contract/withdraws-table'
import { withdrawState, withdrawStates } from '@hansom/domain/wallet/withdraw'
import { IconBan, IconChecks, IconListDetails } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import { UserName, UserPicker } from '../../entities/users/user-picker.tsx'
import { StateBadge } from '../../entities/withdraws/state-badge.tsx'
import { api } from '../../lib/api.ts'
import { type Format, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { Money } from '../../ui/money.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { FilterDisplay, RowAction, TableColumn } from '../../ui/table/table-types.ts'
import { putTableRow } from '../../ui/table/table-updates.ts'
import { useDemoGuard } from '../../ui/use-demo-guard.tsx'
import { ProcessDialog, RefuseDialog } from './decide-dialogs.tsx'
import classes from './withdraws.module.css'

const idOf = ({ id }: WithdrawView) => id
const stateWords = Object.fromEntries(withdrawStates.map((state) => [state, `wallet.state_${state}`]))

/** All withdrawal requests; an admin marks each as paid or rejects it, once. */
export function WithdrawsScreen() {
  const { t } = useText()
  const format = useFormat()
  const navigate = useNavigate()
  const { guard, refused } = useDemoGuard()
  const [deciding, setDeciding] = useState<{ row: WithdrawView; as: 'process' | 'refuse' } | null>(null)
  const decide = (row: WithdrawView, as: 'process' | 'refuse') =>
    guard(`withdraws.${as}`, () => setDeciding({ row, as }))
  const latest = useRef(decide)
  latest.current = decide
  const columns = useMemo(
    () =>
      columnsFor(format, (row) => (
        <ProcessButton row={row} onProcess={() => latest.current(row, 'process')} />
      )),
    [format],
  )
  const close = () => setDeciding(null)
  const onDecided = (row: WithdrawView) => {
    putTableRow('withdraws', row, idOf)
    close()
  }
  const actionsOf = (row: WithdrawView): RowAction<WithdrawView>[] => [
    ...(withdrawState(row) === 'open'
      ? [
          {
            id: 'process',
            label: t('wallet.process'),
            icon: <IconChecks size={18} aria-hidden />,
            onSelect: () => decide(row, 'process'),
          },
          {
            id: 'refuse',
            label: t('wallet.refuse'),
            icon: <IconBan size={18} aria-hidden />,
            danger: true,
            onSelect: () => decide(row, 'refuse'),
          },
        ]
      : []),
    {
      id: 'ledger',
      label: t('wallet.see_ledger'),
      icon: <IconListDetails size={18} aria-hidden />,
      onSelect: ({ uid }) => void navigate({ to: '/ledger', search: { user: uid } }),
    },
  ]
  return (
    <>
      <DataTable
        name="withdraws"
        changeEvents="withdraws"
        title="menu.withdraws"
        spec={withdrawsTableSpec}
        columns={columns}
        filters={filters}
        page={(query) => api.withdraws.list(query)}
        count={(narrowing) => api.withdraws.count(narrowing)}
        rowId={idOf}
        rowName={({ name }) => name}
        rowActions={actionsOf}
        exportUrl="/api/v1/exports/withdraws"
        empty={{ title: 'wallet.withdraws_none', text: 'wallet.withdraws_none_text' }}
      />
      {refused}
      {deciding?.as === 'process' ? (
        <ProcessDialog request={deciding.row} onClose={close} onDecided={onDecided} />
      ) : null}
      {deciding?.as === 'refuse' ? (
        <RefuseDialog request={deciding.row} onClose={close} onDecided={onDecided} />
      ) : null}
    </>
  )
}

const UserPick: NonNullable<FilterDisplay['pick']> = ({ value, onChange }) => {
  const { t } = useText()
  return <UserPicker label={t('wallet.user')} value={value} onChange={onChange} />
}

const filters = {
  state: { label: 'wallet.state', words: stateWords },
  uid: { label: 'wallet.user', pick: UserPick, named: UserName },
  date: { label: 'wallet.date' },
  amount: { label: 'wallet.amount', amount: true },
}

function ProcessButton({ row, onProcess }: { row: WithdrawView; onProcess: () => void }) {
  const { t } = useText()
  const isOpen = withdrawState(row) === 'open'
  return (
    <Button
      size="small"
      className={classes.process}
      disabled={!isOpen}
      title={isOpen ? undefined : t('wallet.process_done')}
      onClick={onProcess}
    >
      {t('wallet.process')}
    </Button>
  )
}

function columnsFor(
  format: Format,
  process: (row: WithdrawView) => React.ReactNode,
): TableColumn<WithdrawView>[] {
  return [
    {
      id: 'name',
      header: 'wallet.name',
      cell: ({ name }) => <bdi>{name}</bdi>,
      sort: 'name',
      width: 180,
      phone: 'title',
    },
    {
      id: 'amount',
      header: 'wallet.amount',
      cell: ({ amount }) => <Money amount={amount} />,
      sort: 'amount',
      align: 'end',
      amount: true,
      width: 110,
      phone: 'subtitle',
    },
    {
      id: 'state',
      header: 'wallet.state',
      cell: ({ processed, refused }) => <StateBadge processed={processed} refused={refused} />,
      width: 120,
      phone: 'badge',
    },
    { id: 'process', header: 'wallet.process', cell: process, width: 115 },
    {
      id: 'date',
      header: 'wallet.date',
      cell: ({ date }) => <Ltr>{format.dateTime(date)}</Ltr>,
      sort: 'date',
      width: 190,
      wraps: true,
      phone: 'subtitle',
    },
    { id: 'bankName', header: 'wallet.bankName', cell: ({ bankName }) => <bdi>{bankName}</bdi>, width: 154 },
    {
      id: 'bankCode',
      header: 'wallet.bankCode',
      cell: ({ bankCode }) => <Ltr>{bankCode}</Ltr>,
      width: 120,
      hidden: true,
    },
    {
      id: 'bankAccount',
      header: 'wallet.bankAccount',
      cell: ({ bankAccount }) => <Ltr>{bankAccount}</Ltr>,
      width: 160,
    },
    {
      id: 'procesDate',
      header: 'wallet.procesDate',
      cell: ({ procesDate }) => (procesDate === null ? null : <Ltr>{format.dateTime(procesDate)}</Ltr>),
      width: 190,
      wraps: true,
      hidden: true,
    },
    {
      id: 'reason',
      header: 'wallet.reason',
      cell: ({ reason }) => <bdi>{reason}</bdi>,
      width: 220,
      wraps: true,
      hidden: true,
    },
  ]
}
