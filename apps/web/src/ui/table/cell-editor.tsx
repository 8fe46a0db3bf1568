import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { fieldProblem } from '../problem-summary.tsx'
import classes from './cell-editor.module.css'
import { CellNotice } from './cell-notice.tsx'
import { editText, readEdit, unreadable } from './edit-value.ts'
import type { CellEdit, EditValue } from './table-types.ts'
import type { CellDraft } from './use-cell-edits.ts'

interface Props<Row> {
  row: Row
  edit: CellEdit<Row>
  label: string
  /** Text that was refused, or returned by a declined confirmation. */
  draft: CellDraft | undefined
  /** The editor has the focus; false while it only shows a draft. */
  isActive: boolean
  /**
   * Called with a valid value. `seen` is the row as it was when the editor opened, so that later changes are detected
   * as conflicts. Returns false if a question takes the focus.
   */
  onCommit: (value: EditValue, text: string, seen: Row) => boolean
  /** Called when the focus leaves an invalid text, which stays in the cell. */
  onKeep: (draft: CellDraft) => void
  /** Called when the text is discarded or unchanged. */
  onDiscard: () => void
  /**
   * Called when the editor closes. `move`: 0 stays, 1 and -1 go to the next and previous editable cell, null leaves the
   * focus alone.
   */
  onLeave: (move: -1 | 0 | 1 | null) => void
}

/** The input of a cell being edited. Enter saves, Tab saves and moves on, Esc discards. */
export function CellEditor<Row>(props: Props<Row>) {
  const { row, edit, label, draft, isActive, onCommit, onLeave } = props
  const { t } = useText()
  const settings = useSettings()
  const id = useId()
  const [seen] = useState(row)
  const [before] = useState(() => editText(edit.kind, edit.value(row), settings))
  const [text, setText] = useState(draft?.text ?? before)
  const [error, setError] = useState<string | null>(draft?.error ?? null)
  const field = useRef<HTMLElement>(null)
  const left = useRef(false)

  useEffect(() => {
    const input = field.current
    if (!isActive || !input || input === document.activeElement) return
    left.current = false
    input.focus({ preventScroll: true })
    if (input instanceof HTMLInputElement && input.type === 'text') input.select()
  }, [isActive])

  /** Commits a valid value; returns the reason if it is invalid. */
  const keep = (): { reason: string | null; asks: boolean } => {
    if (text === before) {
      props.onDiscard()
      return { reason: null, asks: false }
    }
    const value = readEdit(edit, text, settings)
    if (value === unreadable) return { reason: t('table.unreadable'), asks: false }
    const error = edit.validate?.(value, row)
    if (error) return { reason: fieldProblem(error, t), asks: false }
    return { reason: null, asks: !onCommit(value, text, seen) }
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
      props.onDiscard()
      leave(0)
    } else if (event.key === 'Enter' || event.key === 'Tab') {
      event.preventDefault()
      const { reason, asks } = keep()
      setError(reason)
      if (reason === null) leave(asks ? null : event.key === 'Enter' ? 0 : event.shiftKey ? -1 : 1)
    }
  }
  const onBlur = () => {
    if (left.current) return
    // A text that was refused is not sent again until it changes or Enter is pressed.
    if (draft && text === draft.text) return onLeave(null)
    const { reason } = keep()
    setError(reason)
    if (reason !== null) props.onKeep({ text, error: reason })
    onLeave(null)
  }
  const shared = {
    className: classes.editor,
    'aria-label': label,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error ? `${id}-error` : undefined,
    value: text,
    onKeyDown,
    onBlur,
    onFocus: () => {
      left.current = false
    },
  } as const

  return (
    <>
      {edit.kind === 'choice' ? (
        <select
          {...shared}
          ref={(element) => {
            field.current = element
          }}
          onChange={(event) => setText(event.target.value)}
        >
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
          ref={(element) => {
            field.current = element
          }}
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
        <CellNotice id={`${id}-error`} role="alert" isBad>
          {error}
        </CellNotice>
      ) : null}
    </>
  )
}
