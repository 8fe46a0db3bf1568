import type { AdminCarType } from '@hansom/contract/car-types'
import { type CarTypeFields, carTypeLimits, carTypeProblems } from '@hansom/domain/car-types/check-car-type'
import { unit } from '@hansom/domain/money/amount'
import { CarPicture } from '../../entities/car-types/car-picture.tsx'
import type { Format } from '../../lib/format.ts'
import type { Translate } from '../../lib/i18n.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { Integer, Money } from '../../ui/money.tsx'
import { checkedEdit } from '../../ui/table/edit-value.ts'
import type { TableColumn } from '../../ui/table/table-types.ts'
import classes from './car-types.module.css'

/** A car type's fields with its picture; `file` is a picture that is not uploaded yet. */
export type CarTypeDraft = Pick<AdminCarType, keyof CarTypeFields | 'image'> & { file?: File | null }

/** A new car type as its form starts. */
export const blankCarType: CarTypeDraft = {
  name: '',
  extra_info: '',
  seats: 4,
  // Without a position it goes to the end of the list.
  position: Number.NaN,
  base_fare: Number.NaN,
  rate_per_unit_distance: Number.NaN,
  rate_per_hour: Number.NaN,
  min_fare: Number.NaN,
  convenience_fee_type: 'percentage',
  // A percentage has the scale of an amount.
  convenience_fees: 10 * unit,
  cancelSlab: [],
  image: null,
}

const edit = checkedEdit<CarTypeDraft>(carTypeProblems)

/** Riders see prices change as they are saved, so a change is confirmed. */
const confirm = () => 'carTypes.confirm_fare'

function money(
  field: 'base_fare' | 'rate_per_unit_distance' | 'rate_per_hour' | 'min_fare',
): TableColumn<CarTypeDraft> {
  return {
    id: field,
    header: `carTypes.${field}`,
    cell: (row) => <Money amount={row[field]} />,
    align: 'end',
    amount: true,
    width: 100,
    sort: field,
    edit: edit('amount', field, { confirm }),
  }
}

/** The columns of a car type; those that can be edited are also fields of its dialog. */
export function carTypeColumns(
  t: Translate,
  format: Format,
  isInMiles: boolean,
): readonly TableColumn<CarTypeDraft>[] {
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
      // People count positions from 1.
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
      sort: 'seats',
      edit: edit('number', 'seats'),
    },
    money('base_fare'),
    {
      ...money('rate_per_unit_distance'),
      header: isInMiles ? 'carTypes.rate_per_mile' : 'carTypes.rate_per_km',
    },
    money('rate_per_hour'),
    { ...money('min_fare'), sort: 'min_fare', phone: 'badge' },
    {
      id: 'convenience_fee_type',
      header: 'carTypes.convenience_fee_type',
      cell: (row) => t(`carTypes.fee_${row.convenience_fee_type}`),
      width: 140,
      hidden: true,
      edit: edit('choice', 'convenience_fee_type', {
        confirm,
        choices: () => [
          { value: 'percentage', label: t('carTypes.fee_percentage') },
          { value: 'flat', label: t('carTypes.fee_flat') },
        ],
      }),
    },
    {
      id: 'convenience_fees',
      header: 'carTypes.fee',
      cell: ({ convenience_fees, convenience_fee_type }) => (
        <Ltr>
          {convenience_fee_type === 'flat'
            ? format.money(convenience_fees)
            : `${format.number(convenience_fees / unit, 4)}\u00a0%`}
        </Ltr>
      ),
      align: 'end',
      width: 92,
      edit: edit('amount', 'convenience_fees', { confirm }),
    },
    {
      id: 'cancelSlab',
      header: 'carTypes.slabs',
      cell: ({ cancelSlab }) =>
        cancelSlab.length === 0 ? (
          t('carTypes.slabs_free')
        ) : (
          <span>
            {t('carTypes.slabs_up_to', { count: cancelSlab.length })}{' '}
            <Money amount={Math.max(...cancelSlab.map(({ amount }) => amount))} />
          </span>
        ),
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
