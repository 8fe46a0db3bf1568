import type { AdminCarType } from '@hansom/contract/car-types'
import { carTypesTableSpec } from '@hansom/contract/car-types-table'
import type { PublicSettings } from '@hansom/contract/settings'
import { carTypeLimits, carTypeProblems } from '@hansom/domain/car-types/check-car-type'
import { unit } from '@hansom/domain/money/amount'
import { useMemo } from 'react'
import { CarPicture } from '../../entities/car-types/car-picture.tsx'
import { api } from '../../lib/api.ts'
import { type Format, useFormat } from '../../lib/format.ts'
import { type Translate, useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { Ltr } from '../../ui/ltr.tsx'
import { Integer, Money } from '../../ui/money.tsx'
import { Notice } from '../../ui/notice.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { checkedEdit } from '../../ui/table/edit-value.ts'
import type { TableColumn } from '../../ui/table/table-types.ts'
import { CarTypeDialog, type CarTypeDraft } from './car-type-dialog.tsx'
import classes from './car-types.module.css'

const idOf = (carType: AdminCarType) => carType.id
const nameOf = (carType: AdminCarType) => carType.name

/** The car types that riders choose from, with their prices. */
export function CarTypesScreen() {
  const { t } = useText()
  const settings = useSettings()
  const format = useFormat()
  const columns = useMemo(() => carTypeColumns(t, format, settings), [t, format, settings])
  return (
    <>
      {settings.AllowCriticalEditsAdmin ? null : (
        <div className={classes.notice}>
          <Notice tone="plain">{t('carTypes.demo')}</Notice>
        </div>
      )}
      <DataTable
        name="car-types"
        changeEvents="carTypes"
        title="carTypes.title"
        spec={carTypesTableSpec}
        columns={columns}
        filters={{
          convenience_fee_type: {
            label: 'carTypes.convenience_fee_type',
            words: { flat: 'carTypes.fee_flat', percentage: 'carTypes.fee_percentage' },
          },
        }}
        page={(query) => api.carTypes.table(query)}
        count={(narrowing) => api.carTypes.count(narrowing)}
        rowId={idOf}
        rowName={nameOf}
        save={({ id, version }, changes) => api.carTypes.update({ ...changes, id, version })}
        create={{
          label: 'carTypes.add',
          dialog: ({ onClose, onCreated }) => (
            <CarTypeDialog carType={null} columns={columns} onClose={onClose} onSaved={onCreated} />
          ),
        }}
        editDialog={({ row, onClose, onSaved }) => (
          <CarTypeDialog carType={row} columns={columns} onClose={onClose} onSaved={onSaved} />
        )}
        remove={{ name: nameOf, call: ({ id }) => api.carTypes.remove({ id }), safety: 'undo' }}
        routes={{ save: 'carTypes.update', create: 'carTypes.create', remove: 'carTypes.remove' }}
        exportUrl="/api/v1/exports/car-types"
        empty={{ title: 'carTypes.empty', text: 'carTypes.empty_text' }}
      />
    </>
  )
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

const seats: TableColumn<CarTypeDraft> = {
  id: 'seats',
  header: 'carTypes.seats',
  cell: (row) => <Integer value={row.seats} />,
  align: 'end',
  width: 76,
  sort: 'seats',
  edit: edit('number', 'seats'),
}

/** The number of entries that a sender chooses from; the dialog lists them. */
const extras = (field: 'parcelTypes' | 'options'): TableColumn<CarTypeDraft> => ({
  id: field,
  header: `carTypes.${field}`,
  cell: (row) => <Integer value={row[field].length} />,
  align: 'end',
  width: 84,
})

/** The columns of the table; those that can be edited are also fields of the dialog. */
function carTypeColumns(
  t: Translate,
  format: Format,
  { convert_to_mile, category }: Pick<PublicSettings, 'convert_to_mile' | 'category'>,
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
      width: category === 'taxi' ? 168 : 212,
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
    ...(category === 'taxi' ? [seats] : []),
    money('base_fare'),
    {
      ...money('rate_per_unit_distance'),
      header: convert_to_mile ? 'carTypes.rate_per_mile' : 'carTypes.rate_per_km',
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
      wraps: true,
    },
    ...(category === 'delivery' ? (['parcelTypes', 'options'] as const).map(extras) : []),
    {
      id: 'extra_info',
      header: 'carTypes.extra_info',
      cell: (row) => <bdi>{row.extra_info}</bdi>,
      width: 240,
      wraps: true,
      hidden: true,
      phone: 'subtitle',
      edit: edit('text', 'extra_info', { maxLength: carTypeLimits.extraInfo }),
    },
  ]
}
