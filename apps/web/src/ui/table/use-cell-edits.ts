import { ApiError } from '@hansom/client/api-error'
import { useState } from 'react'
import { type Translate, useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { errorText } from '../error-message.tsx'
import { fieldProblem } from '../problem-summary.tsx'
import { editText } from './edit-value.ts'
import type { EditValue, TableColumn } from './table-types.ts'
import type { RowEdits } from './use-row-edits.ts'

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
  /** Text key of the question. */
  words: string
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

export interface CellChange {
  value: EditValue
  text: string
  isDeliberate: boolean
}

/** The text key of the question before a change, or null if it is saved without one. */
function questionOf<Row>(row: Row, column: TableColumn<Row>, change: CellChange): string | null {
  const own = column.edit?.confirm?.(change.value, row)
  if (own) return own
  return column.edit?.kind === 'flag' && !change.isDeliberate ? 'table.confirm_flag' : null
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
