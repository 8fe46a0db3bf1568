import { ApiError } from '@hansom/client/api-error'
import { createContext, useContext, useEffect, useRef, useState } from 'react'
import { type Translate, useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { errorText } from '../error-message.tsx'
import { fieldProblem } from '../problem-summary.tsx'
import { editText } from './edit-value.ts'
import type { CellQuestionText, EditValue, TableColumn } from './table-types.ts'

/** Typed text that was not saved. */
export interface CellDraft {
  text: string
  /** Why it was refused; null if the user was only asked to confirm it. */
  error: string | null
}

/** A change that waits for the user's confirmation. */
export interface CellQuestion<Row> {
  rowId: string
  column: TableColumn<Row>
  /** The row as it was when the editor opened. */
  row: Row
  value: EditValue
  text: string
  words: CellQuestionText
}

/** Drafts of a row, by column id. */
export type RowDrafts = Readonly<Record<string, CellDraft>>

export interface CellEdits<Row> {
  drafts: ReadonlyMap<string, RowDrafts>
  question: CellQuestion<Row> | null
  /** Saves a value, or asks first. `isDeliberate`: it was not caused by a single key press. */
  commit: (row: Row, column: TableColumn<Row>, change: CellChange) => 'saved' | 'asked'
  /** Keeps text that was refused. */
  keep: (rowId: string, columnId: string, draft: CellDraft) => void
  discard: (rowId: string, columnId: string) => void
  /** Keeps what the server has refused as drafts of its columns. */
  refuse: (error: unknown, row: Row, changes: Partial<Row>) => void
  /** Answers the question; if declined, the typed text stays as a draft. */
  answer: (confirmed: boolean) => void
}

interface CellChange {
  value: EditValue
  text: string
  isDeliberate: boolean
}

/** The `CellEdits` of the table around a cell. A context has no type parameter, so its reader names the row's type. */
export const CellEditsContext = createContext<unknown>(null)

export function useTableEdits<Row>(): CellEdits<Row> {
  return useContext(CellEditsContext) as CellEdits<Row>
}

/** The question before a change, or null if it is saved without one. */
function questionOf<Row>(row: Row, column: TableColumn<Row>, change: CellChange): CellQuestionText | null {
  const own = column.edit?.confirm?.(change.value, row)
  const key = column.edit?.kind === 'flag' && !change.isDeliberate ? 'table.confirm_flag' : null
  const asked = own ?? key
  return typeof asked === 'string' ? { key: asked, params: {} } : asked
}

/** Edits of cells: what was typed and refused, what waits for a confirmation, and saving the rest. */
export function useCellEdits<Row>(
  edits: RowEdits<Row>,
  columns: readonly TableColumn<Row>[],
  rowId: (row: Row) => string,
): CellEdits<Row> {
  const { t } = useText()
  const settings = useSettings()
  const [drafts, setDrafts] = useState<ReadonlyMap<string, RowDrafts>>(new Map())
  const [question, setQuestion] = useState<CellQuestion<Row> | null>(null)

  const keep = (id: string, columnId: string, draft: CellDraft) =>
    setDrafts((old) => new Map(old).set(id, { ...old.get(id), [columnId]: draft }))
  const discard = (id: string, columnId: string) =>
    setDrafts((old) => {
      const row = old.get(id)
      if (!row?.[columnId]) return old
      const rest = Object.fromEntries(Object.entries(row).filter(([one]) => one !== columnId))
      const next = new Map(old)
      if (Object.keys(rest).length === 0) next.delete(id)
      else next.set(id, rest)
      return next
    })
  const save = (row: Row, column: TableColumn<Row>, value: EditValue) => {
    if (column.edit) edits.edit(row, column.edit.changes(value, row))
  }
  return {
    drafts,
    question,
    keep,
    discard,
    refuse: (error, row, changes) => {
      const wanted = { ...row, ...changes }
      for (const { id, edit } of columns) {
        if (!edit || edit.kind === 'flag' || edit.value(wanted) === edit.value(row)) continue
        const text = editText(edit.kind, edit.value(wanted), settings)
        keep(rowId(row), id, { text, error: reasonFor(id, error, t) })
      }
    },
    commit: (row, column, change) => {
      const id = rowId(row)
      discard(id, column.id)
      const words = questionOf(row, column, change)
      if (words === null) {
        save(row, column, change.value)
        return 'saved'
      }
      setQuestion({ rowId: id, column, row, value: change.value, text: change.text, words })
      return 'asked'
    },
    answer: (confirmed) => {
      setQuestion(null)
      if (!question) return
      const { row, column, value, text } = question
      if (confirmed) save(row, column, value)
      else if (column.edit?.kind !== 'flag') keep(question.rowId, column.id, { text, error: null })
    },
  }
}

/** The reason of a refusal for one column: of its field if the server names it, otherwise of the request. */
function reasonFor(columnId: string, error: unknown, t: Translate): string {
  const field = error instanceof ApiError ? error.fields.find(({ field }) => field === columnId) : undefined
  return field ? fieldProblem(field.error, t) : errorText(error, t)
}

/** Delay between the last edit of a row and sending it, ms. */
export const editDelayMs = 600
/** Retries on top of another user's change of other fields, before the edit is refused. */
const maxMerges = 3

export interface Conflict<Row> {
  /** The row as it was read. */
  seen: Row
  mine: Partial<Row>
  theirs: Row
  /** Name of the user who changed it, if known. */
  by: string | null
  isUndo: boolean
}

interface RowEditOptions<Row> {
  rowId: (row: Row) => string
  save: (row: Row, changes: Partial<Row>) => Promise<Row>
  /** Called with the row as it is now on the server, from any response. */
  current: (row: Row) => void
  /** Called when changes were saved; `before` is the row they were made to. */
  saved: (row: Row, before: Row, changes: Partial<Row>, isUndo: boolean) => void
  failed: (error: unknown, row: Row, changes: Partial<Row>) => void
}

interface Waiting<Row> {
  row: Row
  changes: Partial<Row>
  timer: ReturnType<typeof setTimeout> | undefined
  /** Changes being sent. Later edits collect in `changes` until the response arrives. */
  sent: Partial<Row> | null
  /** `changes` only undo an earlier edit. */
  isUndo: boolean
  merges: number
}

export interface RowEdits<Row> {
  /** The row with its unconfirmed changes. */
  shown: (row: Row) => Row
  /** Increments whenever the result of `shown` changes. */
  revision: number
  edit: (row: Row, changes: Partial<Row>, isUndo?: boolean) => void
  /** The first unresolved conflict; others are queued. */
  conflict: Conflict<Row> | null
  keepMine: () => void
  takeTheirs: () => void
}

/**
 * Optimistic edits of rows: shown immediately, sent together 600 ms after the row's last edit, or when the page is
 * left. At most one request per row is in flight. An error reverts the changes. If another user changed other fields,
 * the edit is sent again on top of them; if the same, `conflict` asks which version to keep.
 */
export function useRowEdits<Row>(options: RowEditOptions<Row>): RowEdits<Row> {
  const latest = useRef(options)
  latest.current = options
  const waiting = useRef(new Map<string, Waiting<Row>>())
  const merged = useRef(new WeakMap<object, { changes: unknown; row: Row }>())
  const [revision, setRevision] = useState(0)
  const [conflicts, setConflicts] = useState<readonly Conflict<Row>[]>([])
  const rerender = () => setRevision((old) => old + 1)

  const send = async (id: string): Promise<void> => {
    const one = waiting.current.get(id)
    if (!one || one.sent) return
    clearTimeout(one.timer)
    one.timer = undefined
    const { row: before, changes, isUndo } = one
    one.sent = changes
    one.changes = {}
    try {
      const row = await latest.current.save(before, changes)
      one.sent = null
      one.row = row
      latest.current.current(row)
      latest.current.saved(row, before, changes, isUndo)
      if (Object.keys(one.changes).length === 0) waiting.current.delete(id)
      else schedule(id)
    } catch (error) {
      one.isUndo &&= isUndo
      const mine = { ...changes, ...one.changes }
      const conflict = conflictOf(error, before, mine, one.isUndo)
      clearTimeout(one.timer)
      if (conflict && clashes(conflict).length === 0 && one.merges < maxMerges) {
        Object.assign(one, { row: conflict.theirs, changes: mine, sent: null, merges: one.merges + 1 })
        latest.current.current(conflict.theirs)
        schedule(id)
      } else {
        waiting.current.delete(id)
        if (conflict) setConflicts((old) => [...old, conflict])
        else latest.current.failed(error, before, mine)
      }
    }
    rerender()
  }

  const schedule = (id: string) => {
    const one = waiting.current.get(id)
    if (!one || one.sent) return
    clearTimeout(one.timer)
    one.timer = setTimeout(() => void send(id), editDelayMs)
  }

  const edit = (row: Row, changes: Partial<Row>, isUndo = false) => {
    const id = latest.current.rowId(row)
    const first = { row, changes: {}, timer: undefined, sent: null, isUndo, merges: 0 }
    const one = waiting.current.get(id) ?? first
    one.isUndo = isUndo && (one.isUndo || Object.keys(one.changes).length === 0)
    one.changes = { ...one.changes, ...changes }
    waiting.current.set(id, one)
    schedule(id)
    rerender()
  }

  const flush = () => {
    for (const id of waiting.current.keys()) void send(id)
  }
  const latestFlush = useRef(flush)
  latestFlush.current = flush
  useEffect(() => {
    const leave = () => latestFlush.current()
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [])

  const shown = (row: Row): Row => {
    const one = waiting.current.get(latest.current.rowId(row))
    if (!one) return row
    const changes = one.sent ? { ...one.sent, ...one.changes } : one.changes
    const known = merged.current.get(row as object)
    const key = JSON.stringify(changes)
    if (known?.changes === key) return known.row
    const next = { ...row, ...changes }
    merged.current.set(row as object, { changes: key, row: next })
    return next
  }

  const conflict = conflicts[0] ?? null
  const resolve = (retry: boolean) => {
    if (!conflict) return
    latest.current.current(conflict.theirs)
    if (retry) edit(conflict.theirs, conflict.mine, conflict.isUndo)
    setConflicts((old) => old.slice(1))
  }

  return {
    shown,
    revision,
    edit,
    conflict,
    keepMine: () => resolve(true),
    takeTheirs: () => resolve(false),
  }
}

/** The conflict that an error reports, or null. */
function conflictOf<Row>(
  error: unknown,
  seen: Row,
  mine: Partial<Row>,
  isUndo: boolean,
): Conflict<Row> | null {
  if (!(error instanceof ApiError) || error.key !== 'conflict' || !error.data.current) return null
  const by = typeof error.data.by === 'string' ? error.data.by : null
  return { seen, mine, theirs: error.data.current as Row, by, isUndo }
}

/** The fields that both users changed, to different values. */
function clashes<Row>({ seen, mine, theirs }: Conflict<Row>): (keyof Row)[] {
  const differ = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other)
  return (Object.keys(mine) as (keyof Row)[]).filter(
    (field) => differ(seen[field], theirs[field]) && differ(mine[field], theirs[field]),
  )
}
