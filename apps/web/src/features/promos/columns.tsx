import type { PromoView } from '@hansom/contract/promos'
import { type PromoFields, promoLimits, promoProblems } from '@hansom/domain/promos/check-promo'
import { unit } from '@hansom/domain/money/amount'
import { serverNow } from '../../lib/clock.ts'
import { type Format, useFormat } from '../../lib/format.ts'
import { type Translate, useText } from '../../lib/i18n.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { Money } from '../../ui/money.tsx'
import { checkedEdit } from '../../ui/table/checked-edit.ts'
import type { TableColumn } from '../../ui/table/table-types.ts'
import { Integer } from '../../ui/integer.tsx'
import { endOfDay } from './end-of-day.ts'
import classes from './promos.module.css'

/** The discount as it is read: an amount or a percentage. */
export function shownDiscount(
  promo: Pick<PromoFields, 'promo_discount_type' | 'promo_discount_value'>,
  format: Format,
): string {
  return promo.promo_discount_type === 'flat'
    ? format.money(promo.promo_discount_value)
    : `${format.number(promo.promo_discount_value / unit, 4)}\u00a0%`
}

function Discount({ promo }: { promo: PromoView }) {
  const format = useFormat()
  return <Ltr>{shownDiscount(promo, format)}</Ltr>
}

function ValidUntil({ promo }: { promo: PromoView }) {
  const { t } = useText()
  const format = useFormat()
  const isOver = promo.promo_validity < serverNow()
  return (
    <>
      <bdi>{format.date(promo.promo_validity)}</bdi>
      {isOver ? <span className={classes.over}>{t('promos.over')}</span> : null}
    </>
  )
}

function OrNone({ amount }: { amount: number }) {
  const { t } = useText()
  return amount === 0 ? <>{t('promos.none')}</> : <Money amount={amount} />
}

const edit = checkedEdit<PromoView>((row) => promoProblems(row, { user_avail: row.user_avail, now: null }))

export function promoColumns(t: Translate, timezone: string): readonly TableColumn<PromoView>[] {
  return [
    {
      id: 'promo_name',
      header: 'promos.promo_name',
      cell: (row) => (
        <strong className={classes.code}>
          <bdi>{row.promo_name}</bdi>
        </strong>
      ),
      width: 150,
      sort: 'promo_name',
      phone: 'title',
      edit: edit('text', 'promo_name', { maxLength: promoLimits.name }),
    },
    {
      id: 'promo_description',
      header: 'promos.promo_description',
      cell: (row) => <bdi>{row.promo_description}</bdi>,
      width: 232,
      phone: 'subtitle',
      edit: edit('text', 'promo_description', { maxLength: promoLimits.description }),
    },
    {
      id: 'promo_discount_type',
      header: 'promos.promo_discount_type',
      cell: (row) => t(`promos.type_${row.promo_discount_type}`),
      width: 140,
      hidden: true,
      edit: edit('choice', 'promo_discount_type', {
        choices: () => [
          { value: 'percentage', label: t('promos.type_percentage') },
          { value: 'flat', label: t('promos.type_flat') },
        ],
      }),
    },
    {
      id: 'promo_discount_value',
      header: 'promos.promo_discount_value',
      cell: (row) => <Discount promo={row} />,
      align: 'end',
      width: 100,
      phone: 'badge',
      edit: edit('amount', 'promo_discount_value'),
    },
    {
      id: 'max_promo_discount_value',
      header: 'promos.max_promo_discount_value',
      cell: (row) => <OrNone amount={row.max_promo_discount_value} />,
      align: 'end',
      width: 104,
      edit: edit('amount', 'max_promo_discount_value'),
    },
    {
      id: 'min_order',
      header: 'promos.min_order',
      cell: (row) => <OrNone amount={row.min_order} />,
      align: 'end',
      width: 124,
      edit: edit('amount', 'min_order'),
    },
    {
      id: 'promo_validity',
      header: 'promos.promo_validity',
      cell: (row) => <ValidUntil promo={row} />,
      width: 150,
      sort: 'promo_validity',
      phone: 'subtitle',
      edit: edit('date', 'promo_validity', {
        changes: (value) => ({ promo_validity: endOfDay(Number(value), timezone) }),
      }),
    },
    {
      id: 'user_avail',
      header: 'promos.user_avail',
      cell: (row) => <Integer value={row.user_avail} />,
      align: 'end',
      width: 76,
      sort: 'user_avail',
    },
    {
      id: 'promo_usage_limit',
      header: 'promos.promo_usage_limit',
      cell: (row) => <Integer value={row.promo_usage_limit} />,
      align: 'end',
      width: 116,
      edit: edit('number', 'promo_usage_limit'),
    },
    {
      id: 'createdAt',
      header: 'promos.createdAt',
      cell: (row) => <Created promo={row} />,
      width: 150,
      sort: 'createdAt',
      hidden: true,
    },
  ]
}

function Created({ promo }: { promo: PromoView }) {
  const format = useFormat()
  return <bdi>{format.date(promo.createdAt)}</bdi>
}
