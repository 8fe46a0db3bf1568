import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { Button } from '../button.tsx'
import { fieldProblem } from '../problem-summary.tsx'
import classes from './cell-editor.module.css'
import { editText, readEdit, unreadable } from './edit-value.ts'
import type { CellEdit, EditValue, TableColumn } from './table-types.ts'
import { type CellDraft, type CellQuestion as Question, useTableEdits } from './use-edits.ts'

interface Props<Row> {
  rowId: string
  row: Row
  column: TableColumn<Row>
  edit: CellEdit<Row>
  label: string
  /** Text that was refused, or returned by a declined confirmation. */
  draft: CellDraft | undefined
  /** The editor has the focus; false while it only shows a draft. */
  isActive: boolean
  /**
   * Called when the editor closes. `move`: 0 stays, 1 and -1 go to the next and previous editable cell, null leaves the
   * focus alone.
   */
  onLeave: (move: -1 | 0 | 1 | null) => void
}

/** The input of a cell being edited. Enter saves, Tab saves and moves on, Esc discards. */
export function CellEditor<Row>(props: Props<Row>) {
  const { rowId, row, column, edit, label, draft, isActive, onLeave } = props
  const { t } = useText()
  const settings = useSettings()
  const edits = useTableEdits<Row>()
  const id = useId()
  // The row as it was when the editor opened, so that later changes are detected as conflicts.
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

  /** Commits a valid value; returns the reason if it is invalid. `asks`: a question takes the focus. */
  const commit = (): { reason: string | null; asks: boolean } => {
    if (text === before) {
      edits.discard(rowId, column.id)
      return { reason: null, asks: false }
    }
    const value = readEdit(edit, text, settings)
    if (value === unreadable) return { reason: t('table.unreadable'), asks: false }
    const error = edit.validate?.(value, row)
    if (error) return { reason: fieldProblem(error, t), asks: false }
    const outcome = edits.commit(seen, column, { value, text, isDeliberate: true })
    return { reason: null, asks: outcome === 'asked' }
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
      edits.discard(rowId, column.id)
      leave(0)
    } else if (event.key === 'Enter' || event.key === 'Tab') {
      event.preventDefault()
      const { reason, asks } = commit()
      setError(reason)
      if (reason === null) leave(asks ? null : event.key === 'Enter' ? 0 : event.shiftKey ? -1 : 1)
    }
  }
  const onBlur = () => {
    if (left.current) return
    // A text that was refused is not sent again until it changes or Enter is pressed.
    if (draft && text === draft.text) return onLeave(null)
    const { reason } = commit()
    setError(reason)
    if (reason !== null) edits.keep(rowId, column.id, { text, error: reason })
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

/** Distances from the cell and from the window's edge, px. */
const gap = 6
const edge = 8

/** Places a fixed box below its anchor, or above if there is no space. */
function placeBelow(box: HTMLElement, anchor: HTMLElement): void {
  const at = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = box
  const start = getComputedStyle(anchor).direction === 'rtl' ? at.right - width : at.left
  const below = at.bottom + gap
  const fits = below + height <= innerHeight - edge
  const top = fits || at.top - gap - height < edge ? below : at.top - gap - height
  box.style.left = `${Math.max(edge, Math.min(start, innerWidth - width - edge))}px`
  box.style.top = `${Math.max(edge, Math.min(top, innerHeight - height - edge))}px`
}

interface NoticeProps {
  id?: string
  role: 'alert' | 'alertdialog'
  label?: string
  isBad?: boolean
  children: ReactNode
}

/** A note at a cell, in the top layer: rows and the scroller would clip it. Hidden while its cell is scrolled away. */
export function CellNotice({ id, role, label, isBad, children }: NoticeProps) {
  const box = useRef<HTMLDivElement>(null)
  const follow = useRef(() => {
    const cell = box.current?.parentElement
    if (!box.current || !cell) return
    const at = cell.getBoundingClientRect()
    const frame = cell.closest('[data-scroller]')?.getBoundingClientRect()
    const isAway = frame !== undefined && (at.bottom < frame.top || at.top > frame.bottom)
    // Not `visibility`, which would take the focus from what is inside.
    box.current.style.opacity = isAway ? '0' : ''
    placeBelow(box.current, cell)
  })
  useEffect(() => {
    const moved = follow.current
    document.addEventListener('scroll', moved, true)
    window.addEventListener('resize', moved)
    return () => {
      document.removeEventListener('scroll', moved, true)
      window.removeEventListener('resize', moved)
    }
  }, [])
  useLayoutEffect(() => {
    box.current?.showPopover?.()
  }, [])
  useLayoutEffect(() => follow.current())
  return (
    <div
      ref={box}
      id={id}
      popover="manual"
      role={role}
      aria-label={label}
      data-notice
      className={`${classes.notice} ${isBad ? classes.bad : ''}`}
    >
      {children}
    </div>
  )
}

interface QuestionProps<Row> {
  question: Question<Row>
  name: string
  label: string
  /** `editor`: a declined value goes back into its editor, with what was typed. `elsewhere`: the user left the question. */
  onClose: (focus: 'editor' | 'cell' | 'elsewhere') => void
}

/**
 * Asks at the cell before a change with consequences: what changes, from what to what. Starts at Cancel; leaving it
 * discards the change.
 */
export function CellQuestion<Row>({ question, name, label, onClose }: QuestionProps<Row>) {
  const { t } = useText()
  const edits = useTableEdits<Row>()
  const { row, column, value, words } = question
  const { edit } = column
  const box = useRef<HTMLDivElement>(null)
  const cancel = useRef<HTMLButtonElement>(null)
  const isFlag = edit?.kind === 'flag'
  useEffect(() => cancel.current?.focus(), [])
  const answer = (confirmed: boolean) => {
    edits.answer(confirmed)
    onClose(confirmed || isFlag ? 'cell' : 'editor')
  }
  const dismiss = useRef(() => {})
  dismiss.current = () => {
    edits.answer(false)
    edits.discard(question.rowId, column.id)
    onClose('elsewhere')
  }
  useEffect(() => {
    const onPress = ({ target }: PointerEvent) => {
      if (target instanceof Node && !box.current?.contains(target)) dismiss.current()
    }
    document.addEventListener('pointerdown', onPress, true)
    return () => document.removeEventListener('pointerdown', onPress, true)
  }, [])
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
    if (relatedTarget && !currentTarget.contains(relatedTarget)) dismiss.current()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape') answer(false)
    // A key that is held down must not answer the question.
    if (event.repeat) event.preventDefault()
  }
  const text = t(words.key, {
    ...words.params,
    name,
    field: label,
    value: t(value ? 'table.on' : 'table.off'),
  })
  const next = edit ? { ...row, ...edit.changes(value as EditValue, row) } : row
  return (
    <CellNotice role="alertdialog" label={text}>
      <div ref={box} className={classes.question} onBlur={onBlur}>
        <p>{text}</p>
        {isFlag ? null : (
          <p className={classes.change}>
            <del>{column.cell(row)}</del> <ins>{column.cell(next)}</ins>
          </p>
        )}
        <div className={classes.answers}>
          <Button ref={cancel} size="small" onKeyDown={onKeyDown} onClick={() => answer(false)}>
            {t('common.cancel')}
          </Button>
          <Button size="small" variant="primary" onKeyDown={onKeyDown} onClick={() => answer(true)}>
            {t('table.confirm')}
          </Button>
        </div>
      </div>
    </CellNotice>
  )
}
