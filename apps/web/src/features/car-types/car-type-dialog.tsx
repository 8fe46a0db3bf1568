import type { AdminCarType } from '@hansom/contract/car-types'
import { type CarTypeFields, carTypeLimits, carTypeProblems } from '@hansom/domain/car-types/check-car-type'
import { fareFor } from '@hansom/domain/fare/fare'
import { fromCityUnit } from '@hansom/domain/geo/distance-unit'
import { unit } from '@hansom/domain/money/amount'
import { useMemo, useState } from 'react'
import { CarPicture } from '../../entities/car-types/car-picture.tsx'
import { api } from '../../lib/api.ts'
import { type Format, useFormat } from '../../lib/format.ts'
import { type Translate, useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { uploadPicture } from '../../lib/upload.ts'
import { Money } from '../../ui/money.tsx'
import { RecordDialog } from '../../ui/record-dialog.tsx'
import { fieldOf, type RecordField } from '../../ui/record-field.tsx'
import form from '../../ui/record-form.module.css'
import type { RecordChange } from '../../ui/record-form.tsx'
import { readEdit, unreadable } from '../../ui/table/edit-value.ts'
import type { TableColumn } from '../../ui/table/table-types.ts'
import { reloadTable } from '../../ui/table/table-updates.ts'
import { TextField } from '../../ui/text-field.tsx'
import { translationsField } from '../../ui/translations-field.tsx'
import { ListEditor, type ListName, type ListRow, listRows, listSpecs, readRow } from './list-editor.tsx'
import { type ChosenPicture, PictureField } from './picture-field.tsx'

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
  parcelTypes: [],
  options: [],
  image: null,
  translations: {},
}

interface Props {
  /** Null adds one. */
  carType: AdminCarType | null
  /** The columns of the table; those that can be edited are fields. */
  columns: readonly TableColumn<CarTypeDraft>[]
  onClose: () => void
  onSaved: (carType: AdminCarType) => void
}

const moneyFields = ['base_fare', 'rate_per_unit_distance', 'rate_per_hour', 'min_fare'] as const
const fareFields = [...moneyFields, 'convenience_fee_type', 'convenience_fees'] as const

/** All fields of a car type, with a preview of the fare. */
export function CarTypeDialog({ carType, columns, onClose, onSaved }: Props) {
  const { t } = useText()
  const format = useFormat()
  const { category } = useSettings()
  const fields = useMemo(() => carTypeFields(columns, t, format), [columns, t, format])
  return (
    <RecordDialog<CarTypeDraft, AdminCarType>
      title={carType ? <bdi>{carType.name}</bdi> : t('carTypes.add')}
      name={carType?.name ?? ''}
      action={t(carType ? 'table.save' : 'carTypes.add')}
      width={820}
      command={`carTypes ${carType?.id ?? ''}`}
      record={carType}
      blank={blankCarType}
      fields={fields}
      check={(draft) => carTypeProblems(Number.isNaN(draft.position) ? { ...draft, position: 0 } : draft)}
      save={saveCarType}
      onClose={onClose}
      onSaved={onSaved}
    >
      {({ field, preview }) => (
        <>
          <fieldset className={form.section}>
            <legend>{t('carTypes.about')}</legend>
            <div className={form.pair}>
              {field('name')}
              {field('extra_info', t('carTypes.extra_info_hint'))}
              {columns.some(({ id }) => id === 'seats') ? field('seats') : null}
              {field('position', t('carTypes.position_hint'))}
            </div>
          </fieldset>
          {field('translations')}
          {field('image')}
          <fieldset className={form.section}>
            <legend>{t('carTypes.fare')}</legend>
            <div className={form.grid}>{fareFields.map((name) => field(name))}</div>
          </fieldset>
          {preview(fareFields, (draft) => (
            <FarePreview draft={draft} />
          ))}
          {field('cancelSlab')}
          {category === 'delivery' ? (
            <>
              {field('parcelTypes')}
              {field('options')}
            </>
          ) : null}
        </>
      )}
    </RecordDialog>
  )
}

const translations = translationsField<'name' | 'extra_info'>([
  { id: 'name', header: 'carTypes.name', maxLength: carTypeLimits.name },
  { id: 'extra_info', header: 'carTypes.extra_info', maxLength: carTypeLimits.extraInfo },
])

function carTypeFields(
  columns: readonly TableColumn<CarTypeDraft>[],
  t: Translate,
  format: Format,
): readonly RecordField<CarTypeDraft>[] {
  const picture: RecordField<CarTypeDraft, ChosenPicture> = {
    id: 'image',
    header: 'carTypes.picture',
    cell: ({ image }) => <CarPicture src={image} width={96} height={52} />,
    start: ({ image }) => ({ url: image }),
    read: (chosen) => ('file' in chosen ? { file: chosen.file } : { image: chosen.url, file: null }),
    control: ({ value, onChange, error }, { image }) => (
      <PictureField current={image} chosen={value} onChoose={onChange} error={error} />
    ),
  }
  const slabs = listField(
    'cancelSlab',
    ({ cancelSlab }) =>
      format.list(
        cancelSlab.map(
          ({ minsDelayed, amount }) => `${format.duration(minsDelayed * 60)} ${format.money(amount)}`,
        ),
      ) || t('carTypes.slabs_free'),
  )
  const extras = (['parcelTypes', 'options'] as const).map((name) =>
    listField(
      name,
      (draft) =>
        format.list(draft[name].map(({ description, amount }) => `${description} ${format.money(amount)}`)) ||
        t('table.none'),
    ),
  )
  return [...columns.filter(({ edit }) => edit).map(dialogField), translations, picture, slabs, ...extras]
}

function listField(
  id: ListName,
  cell: (draft: CarTypeDraft) => string,
): RecordField<CarTypeDraft, readonly ListRow[]> {
  const spec = listSpecs[id]
  return {
    id,
    header: spec.title,
    cell,
    start: (draft, rules) => listRows(draft[id], spec, rules),
    read: (rows) => ({ [id]: rows.map((row) => readRow(row, spec)) }),
    control: ({ value, onChange, errorOf }) => (
      <ListEditor spec={spec} rows={value} errorOf={errorOf} onChange={onChange} />
    ),
  }
}

function dialogField(column: TableColumn<CarTypeDraft>): RecordField<CarTypeDraft> {
  const { edit } = column
  if (column.id === 'convenience_fees') return { ...fieldOf(column), header: 'carTypes.convenience_fees' }
  if (column.id !== 'position' || !edit) return fieldOf(column)
  // An empty position changes nothing; a new car type then goes to the end.
  const changes = (value: Parameters<typeof edit.changes>[0], row: CarTypeDraft) =>
    value === null ? {} : edit.changes(value, row)
  return {
    ...fieldOf({ ...column, edit: { ...edit, nullable: true, changes } }),
    header: 'carTypes.position',
  }
}

/** Stores the fields and then uploads the picture if it is a file. */
async function saveCarType(change: RecordChange<CarTypeDraft, AdminCarType>): Promise<AdminCarType> {
  const { draft, changes, record, options, stored } = change
  const { file, position, ...fields } = draft
  const { file: _file, ...changed } = changes
  const saved = record
    ? await api.carTypes.update({ ...changed, id: record.id, version: record.version }, options)
    : await api.carTypes.create({ ...fields, ...(Number.isNaN(position) ? {} : { position }) }, options)
  if (!file) return saved
  stored(saved)
  try {
    const path = `/api/v1/car-types/${saved.id}/image?version=${saved.version}`
    return (await uploadPicture('PUT', path, file, () => {})) as AdminCarType
  } catch (error) {
    // The table shows the stored fields although the dialog stays open.
    void reloadTable('car-types')
    throw error
  }
}

/** Longer trips have a fare too, but no preview needs them. */
const maxDistance = 10_000
const maxMinutes = 10_000

/** The fare of a trip, calculated as for a booking. `draft` is null while it has mistakes. */
function FarePreview({ draft }: { draft: CarTypeFields | null }) {
  const { t } = useText()
  const settings = useSettings()
  const [distance, setDistance] = useState('5')
  const [minutes, setMinutes] = useState('12')
  const length = readUpTo(distance, maxDistance)
  const time = readUpTo(minutes, maxMinutes)
  const fare =
    draft && length !== null && time !== null
      ? fareFor(draft, fromCityUnit(length, settings.convert_to_mile), time * 60, 0, settings)
      : null
  const input = (label: string, value: string, change: (text: string) => void) => (
    <TextField
      label={label}
      value={value}
      dir="ltr"
      inputMode="decimal"
      autoComplete="off"
      maxLength={8}
      onChange={(event) => change(event.target.value)}
    />
  )

  return (
    <section className={form.preview} aria-label={t('carTypes.preview')}>
      <p className={form.heading}>{t('carTypes.preview')}</p>
      <div className={form.grid}>
        {input(
          t(settings.convert_to_mile ? 'carTypes.preview_miles' : 'carTypes.preview_km'),
          distance,
          setDistance,
        )}
        {input(t('carTypes.preview_minutes'), minutes, setMinutes)}
      </div>
      <output>
        {fare ? (
          <>
            <span className={form.previewTotal}>
              {t('carTypes.preview_cost')}
              <strong data-preview="cost">
                <Money amount={fare.trip_cost} />
              </strong>
            </span>
            <span className={form.previewLine}>
              {t('carTypes.preview_fee')}
              <Money amount={fare.convenience_fees} />
            </span>
            <span className={form.previewLine}>
              {t('carTypes.preview_driver')}
              <Money amount={fare.driver_share} />
            </span>
            {fare.minimum_top_up > 0 ? (
              <span className={form.hint}>{t('carTypes.preview_minimum')}</span>
            ) : null}
          </>
        ) : (
          <span className={form.hint}>{t('carTypes.preview_waits')}</span>
        )}
      </output>
    </section>
  )
}

function readUpTo(text: string, most: number): number | null {
  const value = readEdit({ kind: 'number' }, text, { timezone: 'UTC', decimal: 0 })
  if (value === unreadable || typeof value !== 'number') return null
  return value >= 0 && value <= most ? value : null
}
