import { useState } from 'react'
import { useSettings } from '../lib/settings.ts'
import { editText, readEdit, unreadable } from './table/edit-value.ts'
import type { EditValue } from './table/table-types.ts'

/** A form field: its input kind and initial value. */
export interface TypedField {
  kind: 'text' | 'number' | 'amount' | 'choice' | 'date'
  value: EditValue
}

export interface TypedFields<Name extends string> {
  text: (name: Name) => string
  /** The parsed value; NaN for an invalid number, null for an invalid date. */
  value: (name: Name) => EditValue
  set: (name: Name, text: string) => void
  /** Whether the user has visited the field, so that its error may be shown. */
  touched: (name: Name) => boolean
  touch: (name: Name) => void
  /** Restarts with other initial values. */
  reset: (fields: Readonly<Record<Name, TypedField>>) => void
}

/** The fields of a form, both as typed text and as parsed values. */
export function useTypedFields<Name extends string>(
  first: Readonly<Record<Name, TypedField>>,
): TypedFields<Name> {
  const settings = useSettings()
  const [fields, setFields] = useState(first)
  const [typed, setTyped] = useState<Partial<Record<Name, string>>>({})
  const [seen, setSeen] = useState<ReadonlySet<Name>>(new Set())
  const touch = (name: Name) => setSeen((old) => (old.has(name) ? old : new Set([...old, name])))
  const text = (name: Name) => typed[name] ?? editText(fields[name].kind, fields[name].value, settings)

  return {
    text,
    value: (name) => {
      const { kind, value } = fields[name]
      if (typed[name] === undefined) return value
      const read = readEdit({ kind }, text(name), settings)
      if (read !== unreadable) return read
      return kind === 'date' ? null : Number.NaN
    },
    set: (name, next) => {
      setTyped((old) => ({ ...old, [name]: next }))
      touch(name)
    },
    touched: (name) => seen.has(name),
    touch,
    reset: (next) => {
      setFields(next)
      setTyped({})
      setSeen(new Set())
    },
  }
}
