import type { PromoView } from '@hansom/contract/promos'
import { unit } from '@hansom/domain/money/amount'
import { type PromoFields, promoLimits, promoProblems } from '@hansom/domain/promos/check-promo'
import { cityDay, cityDayStart, nextDay } from '@hansom/domain/time/city-time'
import { serverNow } from '../../lib/clock.ts'
import { type Format, useFormat } from '../../lib/format.ts'
import { type Translate, useText } from '../../lib/i18n.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { Integer, Money } from '../../ui/money.tsx'
import { checkedEdit } from '../../ui/table/edit-value.ts'
import type { TableColumn } from '../../ui/table/table-types.ts'
import classes from './promos.module.css'

/** A promo's fields, and its uses so far if it is stored. */
export type PromoDraft = PromoFields & { user_avail?: number }

/** A new promo as its form starts. */
export const blankPromo: PromoFields = {
  promo_name: '',
  promo_description: '',
  promo_discount_type: 'percentage',
  // A percentage has the scale of an amount.
  promo_discount_value: 10 * unit,
  max_promo_discount_value: 0,
  min_order: 0,
  promo_validity: Number.NaN,
  promo_usage_limit: 100,
}

/** The columns of a promo; those that can be edited are also the fields of its dialog. */
export function promoColumns(
  t: Translate,
  format: Format,
  timezone: string,
): readonly TableColumn<PromoDraft>[] {
  const edit = checkedEdit<PromoDraft>((row) =>
    promoProblems(row, { user_avail: row.user_avail ?? 0, now: null }),
  )
  /** An amount of which an empty field means 0: no limit. */
  const limit = (
    field: 'max_promo_discount_value' | 'min_order',
    width: number,
  ): TableColumn<PromoDraft> => ({
    id: field,
    header: `promos.${field}`,
    cell: (row) => (row[field] === 0 ? t('promos.none') : <Money amount={row[field]} />),
    align: 'end',
    amount: true,
    width,
    edit: edit('amount', field, {
      value: (row) => row[field] || null,
      changes: (value) => ({ [field]: value ?? 0 }),
      nullable: true,
    }),
  })
  return [
    {
      id: 'promo_name',
      header: 'promos.promo_name',
      cell: (row) => (
        <strong className={classes.code}>
          <bdi>{row.promo_name}</bdi>
        </strong>
      ),
      width: 144,
      sort: 'promo_name',
      phone: 'title',
      edit: edit('text', 'promo_name', { maxLength: promoLimits.name }),
    },
    {
      id: 'promo_description',
      header: 'promos.promo_description',
      cell: (row) => <bdi>{row.promo_description}</bdi>,
      width: 272,
      wraps: true,
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
      cell: (row) => (
        <Ltr>
          {row.promo_discount_type === 'flat'
            ? format.money(row.promo_discount_value)
            : `${format.number(row.promo_discount_value / unit, 4)}\u00a0%`}
        </Ltr>
      ),
      align: 'end',
      width: 92,
      phone: 'badge',
      edit: edit('amount', 'promo_discount_value'),
    },
    limit('max_promo_discount_value', 104),
    { ...limit('min_order', 104), sort: 'min_order' },
    {
      id: 'promo_validity',
      header: 'promos.promo_validity',
      cell: (row) => <ValidUntil at={row.promo_validity} />,
      width: 150,
      wraps: true,
      sort: 'promo_validity',
      phone: 'subtitle',
      edit: edit('date', 'promo_validity', {
        changes: (value) => ({ promo_validity: endOfDay(Number(value), timezone) }),
      }),
    },
    {
      id: 'user_avail',
      header: 'promos.user_avail',
      cell: (row) => <Integer value={row.user_avail ?? 0} />,
      align: 'end',
      width: 84,
      sort: 'user_avail',
    },
    {
      id: 'promo_usage_limit',
      header: 'promos.promo_usage_limit',
      cell: (row) => <Integer value={row.promo_usage_limit} />,
      align: 'end',
      width: 96,
      sort: 'promo_usage_limit',
      edit: edit('number', 'promo_usage_limit'),
    },
  ]
}

/** When the promo was added. */
export function createdColumn(format: Format): TableColumn<PromoView> {
  return {
    id: 'createdAt',
    header: 'promos.createdAt',
    cell: (row) => <bdi>{format.date(row.createdAt)}</bdi>,
    width: 150,
    sort: 'createdAt',
    hidden: true,
  }
}

function ValidUntil({ at }: { at: number }) {
  const { t } = useText()
  const format = useFormat()
  return (
    <>
      <bdi>{format.date(at)}</bdi>
      {at < serverNow() ? <span className={classes.over}>{t('promos.over')}</span> : null}
    </>
  )
}

/** The last moment of the calendar day that contains a moment, in a time zone. Both are epoch ms. */
export function endOfDay(moment: number, timezone: string): number {
  const after = nextDay(cityDay(moment, timezone))
  const start = after === null ? null : cityDayStart(after, timezone)
  return start === null ? moment : start - 1
}
