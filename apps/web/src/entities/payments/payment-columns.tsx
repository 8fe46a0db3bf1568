import type { PaymentState } from '@hansom/domain/payments/payment'
import type { RefundState } from '@hansom/domain/wallet/refund'
import type { Format } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Money } from '../../ui/money.tsx'
import type { TableColumn } from '../../ui/table/table-types.ts'
import classes from '../refunds/refunds.module.css'

const refundTone: Partial<Record<RefundState, 'good' | 'bad'>> = {
  confirmed: 'good',
  failed: 'bad',
  by_hand: 'bad',
}
const paymentTone: Partial<Record<PaymentState, 'good' | 'bad'>> = {
  paid: 'good',
  failed: 'bad',
  mismatch: 'bad',
}

/** The state of a refund. */
export function RefundBadge({ state }: { state: RefundState }) {
  const { t } = useText()
  return <Badge tone={refundTone[state]}>{t(`refunds.state_${state}`)}</Badge>
}

/** The state of a card payment attempt. */
export function PaymentBadge({ state }: { state: PaymentState }) {
  const { t } = useText()
  return <Badge tone={paymentTone[state]}>{t(`refunds.pay_state_${state}`)}</Badge>
}

function Badge({ tone, children }: { tone: 'good' | 'bad' | undefined; children: string }) {
  return <span className={`${classes.badge} ${tone ? classes[tone] : ''}`}>{children}</span>
}

/** Columns that the tables of refunds and of card payments have in common. */
export function moneyColumns<Row extends { amount: number }>(format: Format) {
  return {
    amount: (width: number): TableColumn<Row> => ({
      id: 'amount',
      header: 'refunds.amount',
      cell: ({ amount }) => <Money amount={amount} />,
      sort: 'amount',
      align: 'end',
      amount: true,
      width,
      phone: 'subtitle',
    }),
    user: (id: string, header: string, width: number, nameOf: (row: Row) => string): TableColumn<Row> => ({
      id,
      header,
      cell: (row) => <bdi>{nameOf(row)}</bdi>,
      width,
      phone: 'subtitle',
    }),
    time: (
      id: string,
      header: string,
      at: (row: Row) => number | null,
      more: Pick<TableColumn<Row>, 'sort' | 'hidden'> = {},
    ): TableColumn<Row> => ({
      id,
      header,
      cell: (row) => {
        const moment = at(row)
        return moment === null ? null : <bdi>{format.dateTime(moment)}</bdi>
      },
      width: 186,
      wraps: true,
      ...more,
    }),
  }
}
