import type { AdminCarType } from '@hansom/contract/car-types'
import { carTypeLimits } from '@hansom/domain/car-types/check-car-type'
import type { TextKey } from '@hansom/domain/languages/text-key'
import { filledTranslations, type Translations } from '@hansom/domain/languages/translations'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import { isolated } from '../../lib/format.ts'
import { availableLanguages, useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import form from '../../ui/record-form.module.css'
import { type EditRules, editText, readEdit, unreadable } from '../../ui/table/edit-value.ts'
import { TextField } from '../../ui/text-field.tsx'
import classes from './car-types.module.css'

/** A line of a list as it is typed. */
export interface ListRow {
  /** Identifies the row while its texts change. */
  key: string
  /** The typed texts by field. */
  texts: Readonly<Record<string, string>>
}

interface ListColumn {
  field: string
  label: TextKey
  kind: 'text' | 'number' | 'amount'
  maxLength: number
}

/** A list of a car type: its texts, its limit and the fields of a line. */
export interface ListSpec {
  title: TextKey
  hint: TextKey
  /** Shown instead of the hint while the list is empty. */
  none: TextKey
  add: TextKey
  /** Takes the number of the line. */
  remove: TextKey
  most: number
  columns: readonly ListColumn[]
  /** The field that may be translated. */
  translated?: 'description'
}

const amountColumn: ListColumn = {
  field: 'amount',
  label: 'carTypes.slab_amount',
  kind: 'amount',
  maxLength: 14,
}
const extraColumns: readonly ListColumn[] = [
  {
    field: 'description',
    label: 'carTypes.extra_description',
    kind: 'text',
    maxLength: carTypeLimits.extraDescription,
  },
  amountColumn,
]

export type ListName = keyof Pick<AdminCarType, 'cancelSlab' | 'parcelTypes' | 'options'>

export const listSpecs: Readonly<Record<ListName, ListSpec>> = {
  cancelSlab: {
    title: 'carTypes.slabs',
    hint: 'carTypes.slabs_hint',
    none: 'carTypes.slabs_none',
    add: 'carTypes.slab_add',
    remove: 'carTypes.slab_remove',
    most: carTypeLimits.slabs,
    columns: [
      { field: 'minsDelayed', label: 'carTypes.slab_minutes', kind: 'number', maxLength: 4 },
      amountColumn,
    ],
  },
  parcelTypes: {
    title: 'carTypes.parcelTypes',
    hint: 'carTypes.parcel_types_hint',
    none: 'carTypes.parcel_types_none',
    add: 'carTypes.parcel_type_add',
    remove: 'carTypes.parcel_type_remove',
    most: carTypeLimits.extras,
    columns: extraColumns,
    translated: 'description',
  },
  options: {
    title: 'carTypes.options',
    hint: 'carTypes.options_hint',
    none: 'carTypes.options_none',
    add: 'carTypes.option_add',
    remove: 'carTypes.option_remove',
    most: carTypeLimits.extras,
    columns: extraColumns,
    translated: 'description',
  },
}

let rowCount = 0
const nextKey = () => `line-${++rowCount}`

/** Lines as rows of text. */
export function listRows(lines: readonly object[], { columns }: ListSpec, rules: EditRules): ListRow[] {
  return lines.map((line) => {
    const values = new Map(Object.entries(line))
    const texts = columns.map(({ field, kind }) => [field, editText(kind, values.get(field), rules)])
    return { key: nextKey(), texts: { ...Object.fromEntries(texts), ...translatedTexts(line) } }
  })
}

const textIdOf = (locale: string) => `translations.${locale}.description`

/** The texts of a line in other languages, by the path of their field. */
function translatedTexts(line: object): Record<string, string> {
  const { translations = {} } = line as { translations?: Translations<'description'> }
  return Object.fromEntries(
    Object.entries(translations).map(([locale, { description = '' }]) => [textIdOf(locale), description]),
  )
}

function readTranslations(texts: ListRow['texts']): Translations<'description'> | null {
  const read = Object.entries(texts).flatMap(([id, description]) => {
    const locale = /^translations\.(.+)\.description$/.exec(id)?.[1]
    return locale === undefined ? [] : [[locale, { description }]]
  })
  return filledTranslations(Object.fromEntries(read))
}

/** The line that a row stands for, by field; NaN for an invalid number. */
export function readRow(
  { texts }: ListRow,
  { columns, translated }: ListSpec,
): Record<string, string | number | object> {
  const read = ({ field, kind }: ListColumn) => {
    const text = texts[field] ?? ''
    if (kind === 'text') return text.trim()
    const value = readEdit({ kind }, text, { timezone: 'UTC', decimal: 0 })
    return value === unreadable ? Number.NaN : Number(value)
  }
  const translations = translated ? readTranslations(texts) : null
  const line = Object.fromEntries(columns.map((column) => [column.field, read(column)]))
  return { ...line, ...(translations && { translations }) }
}

interface Props {
  spec: ListSpec
  rows: readonly ListRow[]
  /** The error of `<line>.<field>` with its text. */
  errorOf: (part: string, text: string) => string | undefined
  onChange: (rows: readonly ListRow[]) => void
}

/** A list of lines with two fields each: the steps of the cancellation fee, parcel types or options. */
export function ListEditor({ spec, rows, errorOf, onChange }: Props) {
  const { t } = useText()
  const list = useRef<HTMLOListElement>(null)
  const languages = availableLanguages().filter((one) => !one.default)
  const change = (row: ListRow, field: string, text: string) =>
    onChange(rows.map((one) => (one === row ? { ...row, texts: { ...row.texts, [field]: text } } : one)))
  const add = () => {
    onChange([...rows, { key: nextKey(), texts: {} }])
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('li:last-child input')?.focus())
  }

  return (
    <fieldset className={form.section}>
      <legend>{t(spec.title)}</legend>
      <p className={form.hint}>{t(rows.length > 0 ? spec.hint : spec.none)}</p>
      {rows.length > 0 ? (
        <ol ref={list} className={classes.lines}>
          {rows.map((row, line) => (
            <li key={row.key} className={classes.line}>
              {spec.columns.map(({ field, label, kind, maxLength }) => (
                <TextField
                  key={field}
                  label={t(label)}
                  value={row.texts[field] ?? ''}
                  dir={kind === 'text' ? 'auto' : 'ltr'}
                  inputMode={kind === 'text' ? 'text' : kind === 'number' ? 'numeric' : 'decimal'}
                  autoComplete="off"
                  maxLength={maxLength}
                  error={errorOf(`${line}.${field}`, row.texts[field] ?? '')}
                  onChange={(event) => change(row, field, event.target.value)}
                />
              ))}
              {spec.translated
                ? languages.map(({ langLocale, langName }) => (
                    <TextField
                      key={langLocale}
                      label={t('table.in_language', {
                        text: t('carTypes.extra_description'),
                        language: isolated(langName),
                      })}
                      lang={langLocale}
                      dir="auto"
                      autoComplete="off"
                      maxLength={carTypeLimits.extraDescription}
                      value={row.texts[textIdOf(langLocale)] ?? ''}
                      placeholder={row.texts.description}
                      error={errorOf(
                        `${line}.${textIdOf(langLocale)}`,
                        row.texts[textIdOf(langLocale)] ?? '',
                      )}
                      onChange={(event) => change(row, textIdOf(langLocale), event.target.value)}
                    />
                  ))
                : null}
              <Button
                size="icon"
                variant="quiet"
                className={classes.cross}
                aria-label={t(spec.remove, { line: line + 1 })}
                onClick={() => onChange(rows.filter((one) => one !== row))}
              >
                <IconX size={19} aria-hidden />
              </Button>
            </li>
          ))}
        </ol>
      ) : null}
      {rows.length < spec.most ? (
        <div>
          <Button size="small" onClick={add}>
            <IconPlus size={17} aria-hidden />
            {t(spec.add)}
          </Button>
        </div>
      ) : null}
    </fieldset>
  )
}
