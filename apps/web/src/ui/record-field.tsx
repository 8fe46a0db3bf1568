import { roundTo } from '@hansom/domain/money/amount'
import type { ComponentProps, ReactNode } from 'react'
import { useText } from '../lib/i18n.ts'
import { Money } from './money.tsx'
import { ChoiceField } from './select-field.tsx'
import { SwitchField } from './switch-field.tsx'
import { type EditRules, editText, readEdit, unreadable } from './table/edit-value.ts'
import type { CellEdit, CellQuestionText, TableColumn } from './table/table-types.ts'
import { TextArea, TextField } from './text-field.tsx'

/** Props of the control that edits a field. */
export interface ControlProps<Value> {
  name: string
  label: string
  hint?: ReactNode
  value: Value
  // Methods, so that one list holds controls of different values.
  onChange(value: Value): void
  onBlur(): void
  error: string | undefined
  /** The error of a part of the value, such as `0.amount`, with the text typed for it. */
  errorOf(part: string, text: string): string | undefined
}

/** A field of a record, described once for its table column, its dialog and a conflict. */
export interface RecordField<Fields, Value = unknown> {
  id: string
  /** Text key of the label. */
  header: string
  /** Text key of the hint, unless the form gives another. */
  hint?: string | undefined
  /** Renders the value in the table and on both sides of a conflict. */
  cell: (record: Fields) => ReactNode
  /** The value as the form stores it: text for typed fields. */
  start(record: Fields, rules: EditRules): Value
  /** The changes that the form's value makes; `unreadable` if it is not a valid value. */
  read(value: Value, record: Fields, rules: EditRules): Partial<Fields> | typeof unreadable
  control(props: ControlProps<Value>, record: Fields): ReactNode
  /** The question before a change with consequences, or null. */
  question?: (draft: Fields, record: Fields) => FieldQuestion | null
}

export interface FieldQuestion extends CellQuestionText {
  /** The new value of a flag; null for other fields, whose question shows both values. */
  isOn: boolean | null
}

type Column<Fields> = Pick<TableColumn<Fields>, 'id' | 'header' | 'cell' | 'edit'>

/**
 * The dialog field of an editable column. `input` makes a text field an email field or one of several lines. A number
 * that has not been entered yet is NaN in the record.
 */
export function fieldOf<Fields>(
  { id, header, cell, edit }: Column<Fields>,
  input?: 'email' | 'area',
): RecordField<Fields, string> {
  if (!edit) throw new Error(`the column ${id} is read-only`)
  return {
    id,
    header,
    hint: edit.hint,
    cell,
    start: (record, rules) => {
      const value = edit.value(record)
      return Number.isNaN(value) ? '' : editText(edit.kind, value, rules)
    },
    read: (text, record, rules) => {
      const value = readEdit(edit, text, rules)
      return value === unreadable ? unreadable : edit.changes(value, record)
    },
    control: (props, record) => <TypedControl {...props} edit={edit} record={record} input={input} />,
    question: (draft, record) => {
      const value = edit.value(draft)
      const asked = edit.confirm?.(value, record)
      if (!asked) return null
      const text = typeof asked === 'string' ? { key: asked, params: {} } : asked
      return { ...text, isOn: edit.kind === 'flag' ? value === true : null }
    },
  }
}

interface TypedProps<Fields> extends ControlProps<string> {
  edit: CellEdit<Fields>
  record: Fields
  input: 'email' | 'area' | undefined
}

/** The input for the kind of a value. */
function TypedControl<Fields>(props: TypedProps<Fields>) {
  const { edit, record, input, errorOf: _errorOf, onChange, onBlur, ...field } = props
  const { t } = useText()
  const { kind, nullable, choices, maxLength } = edit
  if (kind === 'flag')
    return <SwitchField {...field} checked={field.value === 'true'} onChange={(on) => onChange(String(on))} />
  const change = { onBlur, onChange: (event: { target: { value: string } }) => onChange(event.target.value) }
  if (kind === 'choice')
    return (
      <ChoiceField
        {...field}
        {...change}
        choices={[
          ...(nullable || field.value === '' ? [{ value: '', label: t('table.none') }] : []),
          ...(choices?.(record) ?? []),
        ]}
      />
    )
  const text = { ...field, ...change, maxLength, autoComplete: 'off' }
  if (input === 'area') return <TextArea {...text} dir="auto" />
  const isNumber = kind === 'number' || kind === 'amount'
  return (
    <TextField
      {...text}
      type={input ?? (kind === 'date' ? 'date' : 'text')}
      dir={kind === 'text' && !input ? 'auto' : 'ltr'}
      inputMode={isNumber ? 'decimal' : undefined}
    />
  )
}

const textControl =
  (attributes: TextAttributes) =>
  ({ onChange, errorOf: _errorOf, ...field }: ControlProps<string>) => (
    <TextField
      dir="auto"
      autoComplete="off"
      {...attributes}
      {...field}
      onChange={(event) => onChange(event.target.value)}
    />
  )

type TextAttributes = Omit<
  ComponentProps<typeof TextField>,
  'label' | 'hint' | 'error' | 'value' | 'onChange'
>

/** A text field that no table shows; empty text is an empty string. */
export function textField<Id extends string>(
  id: Id,
  header: string,
  attributes: TextAttributes = {},
): RecordField<Record<Id, string>, string> {
  return {
    id,
    header,
    cell: (record) => <bdi>{record[id]}</bdi>,
    // A server's record may have null.
    start: (record) => record[id] ?? '',
    read: (text) => ({ [id]: text }) as Record<Id, string>,
    control: textControl(attributes),
  }
}

/** An amount that no table shows, rounded to the currency's decimals; NaN for other text, `empty` for none. */
export function amountField<Id extends string>(
  id: Id,
  header: string,
  empty = Number.NaN,
): RecordField<Record<Id, number>, string> {
  return {
    id,
    header,
    cell: (record) => <Money amount={record[id]} />,
    start: (record, rules) => (Number.isNaN(record[id]) ? '' : editText('amount', record[id], rules)),
    read: (text, _record, rules) => {
      const value = text.trim() === '' ? empty : readEdit({ kind: 'amount' }, text, rules)
      const isAmount = typeof value === 'number' && !Number.isNaN(value)
      const amount = isAmount ? roundTo(value, rules.decimal) : Number.NaN
      return { [id]: amount } as Record<Id, number>
    },
    control: textControl({ inputMode: 'decimal', dir: 'ltr' }),
  }
}
