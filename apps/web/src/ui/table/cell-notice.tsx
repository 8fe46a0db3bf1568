import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../button.tsx'
import classes from './cell-editor.module.css'
import type { EditValue } from './table-types.ts'
import type { CellQuestion as Question } from './use-cell-edits.ts'

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
  onAnswer: (confirmed: boolean) => void
}

/** Asks at the cell before a change with consequences: what changes, from what to what. */
export function CellQuestion<Row>({ question, name, label, onAnswer }: QuestionProps<Row>) {
  const { t } = useText()
  const { row, column, value, words } = question
  const { edit } = column
  const box = useRef<HTMLDivElement>(null)
  const isFlag = edit?.kind === 'flag'
  useEffect(() => {
    // A switch may have been flipped by accident: its question starts at Cancel.
    box.current?.querySelector<HTMLElement>(isFlag ? '[data-cancel]' : '[data-confirm]')?.focus()
  }, [isFlag])
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape') onAnswer(false)
    // A key that is held down must not answer the question.
    if (event.repeat) event.preventDefault()
  }
  const text = t(words, { name, field: label, value: t(value ? 'table.on' : 'table.off') })
  const next = edit ? { ...row, ...edit.changes(value as EditValue, row) } : row
  return (
    <CellNotice role="alertdialog" label={text}>
      <div ref={box} className={classes.question}>
        <p>{text}</p>
        {isFlag ? null : (
          <p className={classes.change}>
            <del>{column.cell(row)}</del> <ins>{column.cell(next)}</ins>
          </p>
        )}
        <div className={classes.answers}>
          <Button size="small" data-cancel onKeyDown={onKeyDown} onClick={() => onAnswer(false)}>
            {t('common.cancel')}
          </Button>
          <Button
            size="small"
            variant="primary"
            data-confirm
            onKeyDown={onKeyDown}
            onClick={() => onAnswer(true)}
          >
            {t('table.confirm')}
          </Button>
        </div>
      </div>
    </CellNotice>
  )
}
