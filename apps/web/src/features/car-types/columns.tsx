import type { AdminCarType } from '@hansom/contract/car-types'
import { type CarTypeFields, carTypeLimits, carTypeProblems } from '@hansom/domain/car-types/check-car-type'
import { unit } from '@hansom/domain/money/amount'
import { type Format, useFormat } from '../../lib/format.ts'
import { type Translate, useText } from '../../lib/i18n.ts'
import { CarPicture } from '../../entities/car-types/car-picture.tsx'
import { Money } from '../../ui/money.tsx'
import { checkedEdit } from '../../ui/table/checked-edit.ts'
import type { TableColumn } from '../../ui/table/table-types.ts'
import { Integer } from '../../ui/integer.tsx'
import classes from './car-types.module.css'

type Column = TableColumn<AdminCarType>

/** The fee as it is read: an amount or a percentage. */
export function shownFee(
  fee: Pick<CarTypeFields, 'convenience_fees' | 'convenience_fee_type'>,
  format: Format,
): string {
  const { convenience_fees, convenience_fee_type } = fee
  return convenience_fee_type === 'flat'
    ? format.money(convenience_fees)
    : `${format.number(convenience_fees / unit, 4)}\u00a0%`
}

function Fee({ carType }: { carType: AdminCarType }) {
  const format = useFormat()
  return <bdi dir="ltr">{shownFee(carType, format)}</bdi>
}

function Slabs({ carType }: { carType: AdminCarType }) {
  const { t } = useText()
  const format = useFormat()
  const { cancelSlab } = carType
  const last = cancelSlab.at(-1)
  if (!last) return <>{t('carTypes.slabs_free')}</>
  return (
    <span>
      {t('carTypes.slabs_up_to', { count: cancelSlab.length })}{' '}
      <bdi dir="ltr">{format.money(Math.max(...cancelSlab.map(({ amount }) => amount)))}</bdi>
    </span>
  )
}

const edit = checkedEdit<AdminCarType>(carTypeProblems)

function money(field: 'base_fare' | 'rate_per_unit_distance' | 'rate_per_hour' | 'min_fare'): Column {
  return {
    id: field,
    header: `carTypes.${field}`,
    cell: (row) => <Money amount={row[field]} />,
    align: 'end',
    width: 112,
    edit: edit('amount', field),
  }
}

export function carTypeColumns(t: Translate): readonly Column[] {
  return [
    {
      id: 'name',
      header: 'carTypes.name',
      cell: (row) => (
        <span className={classes.name}>
          <span className={classes.picture}>
            <CarPicture src={row.image} width={56} height={30} />
          </span>
          <bdi>{row.name}</bdi>
        </span>
      ),
      width: 168,
      sort: 'name',
      phone: 'title',
      edit: edit('text', 'name', { maxLength: carTypeLimits.name }),
    },
    {
      id: 'position',
      header: 'carTypes.position_short',
      cell: (row) => <Integer value={row.position + 1} />,
      align: 'end',
      width: 84,
      sort: 'position',
      edit: edit('number', 'position', {
        value: (row) => row.position + 1,
        changes: (value) => ({ position: Number(value) - 1 }),
      }),
    },
    {
      id: 'seats',
      header: 'carTypes.seats',
      cell: (row) => <Integer value={row.seats} />,
      align: 'end',
      width: 76,
      edit: edit('number', 'seats'),
    },
    money('base_fare'),
    money('rate_per_unit_distance'),
    money('rate_per_hour'),
    { ...money('min_fare'), width: 122, sort: 'min_fare', phone: 'badge' },
    {
      id: 'convenience_fee_type',
      header: 'carTypes.convenience_fee_type',
      cell: (row) => t(`carTypes.fee_${row.convenience_fee_type}`),
      width: 140,
      hidden: true,
      edit: edit('choice', 'convenience_fee_type', {
        choices: () => [
          { value: 'percentage', label: t('carTypes.fee_percentage') },
          { value: 'flat', label: t('carTypes.fee_flat') },
        ],
      }),
    },
    {
      id: 'convenience_fees',
      header: 'carTypes.fee',
      cell: (row) => <Fee carType={row} />,
      align: 'end',
      width: 92,
      edit: edit('amount', 'convenience_fees'),
    },
    {
      id: 'cancelSlab',
      header: 'carTypes.slabs',
      cell: (row) => <Slabs carType={row} />,
      width: 176,
    },
    {
      id: 'extra_info',
      header: 'carTypes.extra_info',
      cell: (row) => <bdi>{row.extra_info}</bdi>,
      width: 240,
      hidden: true,
      phone: 'subtitle',
      edit: edit('text', 'extra_info', { maxLength: carTypeLimits.extraInfo }),
    },
  ]
}
