import { type FocusEvent, type MouseEvent, memo, type ReactNode } from 'react'
import editor from './cell-editor.module.css'
import { CellEditor, CellQuestion } from './cell-editor.tsx'
import classes from './data-table.module.css'
import type { TableColumn } from './table-types.ts'
import type { CellQuestion as Question, RowDrafts } from './use-edits.ts'

/** Callbacks of rows; one stable object per grid, so that memoized rows do not re-render. */
export interface RowCallbacks<Row> {
  nameOf: (row: Row) => string
  activate: (row: number, column: number) => void
  open: ((row: Row) => void) | null
  /** URL of the row's page; null in a table whose rows have none. */
  href: ((row: Row) => string) | null
  toggle: (id: string, shift: boolean) => void
  /** `isDeliberate`: not caused by a single key press. */
  startEdit: (row: number, column: number, isDeliberate: boolean) => void
  endEdit: (move: -1 | 0 | 1 | null) => void
  menu: (row: Row, anchor: HTMLElement) => void
  /** Labels with a name, without a translation lookup per row. */
  selectLabel: (name: string) => string
  actionsLabel: (name: string) => string
  headerOf: (id: string) => string
}

interface Props<Row> {
  id: string
  /** The row's data; a new object re-renders the row. */
  record: Row
  /** The table's columns; a new object re-renders the row. */
  columns: readonly TableColumn<Row>[]
  index: number
  start: number | null
  /** The column of the active cell, if it is in this row. */
  active: number | null
  editing: boolean
  /** Typed text that was refused, by column id. */
  drafts: RowDrafts | undefined
  /** The question about a change of this row. */
  question: Question<Row> | null
  selected: boolean | null
  /** Whether the row has actions; null in a table without an action column. */
  menu: boolean | null
  calls: RowCallbacks<Row>
}

/** Whether the cell can be edited. */
export function editable<Row>(column: TableColumn<Row>, row: Row): boolean {
  return column.edit !== undefined && (column.edit.when?.(row) ?? true)
}

/** The column of the cell that contains an element, or null. */
function columnAt(element: Element): number | null {
  const at = element.closest<HTMLElement>('[data-cell]')?.dataset.cell?.split(':')[1]
  return at === undefined ? null : Number(at)
}

interface LinkProps {
  href: string
  onOpen: () => void
  children: ReactNode
}

/** The link of a row to its page; a modified click opens a new tab or window, as with any link. */
export function RowLink({ href, onOpen, children }: LinkProps) {
  return (
    <a
      className={`${classes.content} ${classes.link}`}
      href={href}
      tabIndex={-1}
      onClick={(event) => {
        event.stopPropagation()
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        onOpen()
      }}
      onAuxClick={(event) => event.stopPropagation()}
    >
      {children}
    </a>
  )
}

/** Opens a row's page in a new tab if a modified click asks for it; returns whether it did. */
export function opensNewTab(event: MouseEvent, href: string): boolean {
  if (!event.ctrlKey && !event.metaKey && event.button !== 1) return false
  window.open(href, '_blank', 'noopener')
  return true
}

function DataRow<Row>(props: Props<Row>) {
  const { id, record, columns, index, start, active, editing, drafts, question, selected, menu, calls } =
    props
  const first = selected === null ? 0 : 1
  const tab = (column: number) => (active === column ? 0 : -1)
  const cell = (
    column: number,
    content: ReactNode,
    more: { className?: string | undefined; role?: string } = {},
  ) => (
    <div
      key={column}
      role={more.role ?? 'gridcell'}
      aria-colindex={column + 1}
      data-cell={`${index}:${column}`}
      tabIndex={tab(column)}
      className={`${classes.cell} ${more.className ?? ''}`}
    >
      {content}
    </div>
  )
  const onFocus = (event: FocusEvent<HTMLElement>) => {
    const at = columnAt(event.target)
    if (at !== null) calls.activate(index, at)
  }
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const target = event.target as HTMLElement
    if (target.closest('a, button, input, select, label, [data-notice]')) return
    const at = columnAt(target)
    if (at === null) return
    if (calls.href && opensNewTab(event, calls.href(record))) return
    if (event.button !== 0) return
    const column = columns[at - first]
    if (column && editable(column, record)) {
      if (active === at || event.detail > 1) calls.startEdit(index, at, true)
    } else calls.open?.(record)
  }

  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected ?? undefined}
      className={`${classes.row} ${calls.open ? classes.opens : ''}`}
      style={start === null ? undefined : { position: 'absolute', transform: `translateY(${start}px)` }}
      onClick={onClick}
      onAuxClick={onClick}
      onFocus={onFocus}
    >
      {selected === null
        ? null
        : cell(
            0,
            <input
              type="checkbox"
              tabIndex={-1}
              className={classes.check}
              aria-label={calls.selectLabel(calls.nameOf(record))}
              checked={selected}
              onChange={(event) => calls.toggle(id, (event.nativeEvent as PointerEvent).shiftKey)}
            />,
            { className: classes.pinnedCheck },
          )}
      {columns.map((column, place) => {
        const at = place + first
        const canEdit = editable(column, record)
        const isActive = editing && active === at
        const draft = drafts?.[column.id]
        const hasEditor = column.edit !== undefined && (isActive || draft !== undefined)
        const look = [
          place === 0 ? (first ? classes.pinnedSecond : classes.pinned) : '',
          classes[column.align ?? 'start'],
          canEdit && column.edit?.kind !== 'flag' ? editor.editable : '',
          hasEditor ? editor.editing : '',
        ]
        return cell(
          at,
          <>
            {hasEditor && column.edit ? (
              <CellEditor
                rowId={id}
                row={record}
                column={column}
                edit={column.edit}
                label={calls.headerOf(column.id)}
                draft={draft}
                isActive={isActive}
                onLeave={calls.endEdit}
              />
            ) : canEdit && column.edit?.kind === 'flag' ? (
              <button
                type="button"
                role="switch"
                tabIndex={-1}
                className={editor.switch}
                aria-checked={column.edit.value(record) === true}
                aria-label={`${calls.headerOf(column.id)}, ${calls.nameOf(record)}`}
                onClick={(event) => calls.startEdit(index, at, event.detail > 0)}
              />
            ) : place === 0 && calls.href ? (
              <RowLink href={calls.href(record)} onOpen={() => calls.open?.(record)}>
                {column.cell(record)}
              </RowLink>
            ) : (
              <span className={`${classes.content} ${column.wraps ? classes.wraps : ''}`}>
                {column.cell(record)}
              </span>
            )}
            {question?.column.id === column.id ? (
              <CellQuestion
                question={question}
                name={calls.nameOf(record)}
                label={calls.headerOf(column.id)}
                onClose={(focus) =>
                  focus === 'editor'
                    ? calls.startEdit(index, at, true)
                    : calls.endEdit(focus === 'cell' ? 0 : null)
                }
              />
            ) : null}
          </>,
          { className: look.join(' '), role: place === 0 ? 'rowheader' : 'gridcell' },
        )
      })}
      {menu === null
        ? null
        : cell(
            columns.length + first,
            menu ? (
              <button
                type="button"
                tabIndex={-1}
                className={classes.dots}
                aria-haspopup="menu"
                aria-label={calls.actionsLabel(calls.nameOf(record))}
                onClick={(event) => calls.menu(record, event.currentTarget)}
              />
            ) : null,
            { className: classes.pinnedEnd },
          )}
    </div>
  )
}

const comparedProps = [
  'record',
  'columns',
  'index',
  'start',
  'active',
  'editing',
  'drafts',
  'question',
  'selected',
  'menu',
  'calls',
] as const satisfies readonly (keyof Props<unknown>)[]

/** A row of the grid; re-renders only when one of its props has changed. */
export const TableRow = memo(DataRow, (old, next) =>
  comparedProps.every((name) => old[name] === next[name]),
) as typeof DataRow
