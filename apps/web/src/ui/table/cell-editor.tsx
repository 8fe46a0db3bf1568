import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { announce } from '../announcer.tsx'
import classes from './data-table.module.css'
import { editText, readEdit, unreadable } from './edit-value.ts'
import type { CellEdit, EditValue } from './table-types.ts'

interface Props<Row> {
  row: Row
  edit: CellEdit<Row>
  label: string
  /** `seen` is the row as it was when the editor opened, so that later changes are detected as conflicts. */
  onCommit: (value: EditValue, seen: Row) => void
  /**
   * Called when the editor closes. `move`: 0 stays, 1 and -1 go to the next and previous editable cell, null leaves the
   * focus alone.
   */
  onLeave: (move: -1 | 0 | 1 | null) => void
}

/** The input of a cell being edited. Enter saves, Tab saves and moves on, Esc discards. */
export function CellEditor<Row>({ row, edit, label, onCommit, onLeave }: Props<Row>) {
  const { t } = useText()
  const settings = useSettings()
  const id = useId()
  const [seen] = useState(row)
  const [before] = useState(() => editText(edit.kind, edit.value(row), settings))
  const [text, setText] = useState(before)
  const [error, setError] = useState<string | null>(null)
  const left = useRef(false)

  const refusal = (value: EditValue | typeof unreadable): string | null =>
    value === unreadable ? 'table.unreadable' : prefixed(edit.validate?.(value, row))

  /** Commits a valid value; returns whether the editor may close. */
  const keep = (typed: string): boolean => {
    if (typed === before) return true
    const value = readEdit(edit, typed, settings)
    const refused = refusal(value)
    if (refused || value === unreadable) {
      setError(t(refused ?? 'table.unreadable'))
      return false
    }
    onCommit(value, seen)
    return true
  }
  const leave = (move: -1 | 0 | 1 | null) => {
    left.current = true
    onLeave(move)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.nativeEvent.isComposing) return
    event.stopPropagation()
    if (event.key === 'Escape') {
      event.preventDefault()
      leave(0)
    } else if (event.key === 'Enter' || event.key === 'Tab') {
      event.preventDefault()
      if (keep(text)) leave(event.key === 'Enter' ? 0 : event.shiftKey ? -1 : 1)
    }
  }
  const onBlur = () => {
    if (left.current) return
    if (!keep(text)) announce(`${label}: ${t('table.not_kept')}`)
    leave(null)
  }
  const shared = {
    className: classes.editor,
    'aria-label': label,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error ? `${id}-error` : undefined,
    value: text,
    onKeyDown,
    onBlur,
  } as const

  return (
    <>
      {edit.kind === 'choice' ? (
        <select {...shared} ref={focusNow} onChange={(event) => setText(event.target.value)}>
          {edit.nullable || before === '' ? <option value="">{t('table.none')}</option> : null}
          {edit.choices?.(row).map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...shared}
          ref={focusNow}
          type={edit.kind === 'date' ? 'date' : 'text'}
          inputMode={edit.kind === 'number' || edit.kind === 'amount' ? 'decimal' : undefined}
          dir={edit.kind === 'text' ? 'auto' : 'ltr'}
          maxLength={edit.maxLength}
          autoComplete="off"
          onChange={(event) => {
            setText(event.target.value)
            setError(null)
          }}
        />
      )}
      {error ? (
        <span id={`${id}-error`} className={classes.editorError} role="alert">
          {error}
        </span>
      ) : null}
    </>
  )
}

function prefixed(key: string | null | undefined): string | null {
  return key ? `error.${key}` : null
}

function focusNow(field: HTMLInputElement | HTMLSelectElement | null): void {
  if (!field || field === document.activeElement) return
  field.focus({ preventScroll: true })
  if (field instanceof HTMLInputElement && field.type === 'text') field.select()
}
