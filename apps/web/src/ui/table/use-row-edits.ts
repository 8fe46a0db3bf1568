import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../lib/api-error.ts'

/** Delay between the last edit of a row and sending it, ms. */
export const editDelayMs = 600

export interface Conflict<Row> {
  /** The row as it was read. */
  seen: Row
  mine: Partial<Row>
  theirs: Row
}

interface Options<Row> {
  rowId: (row: Row) => string
  save: (row: Row, changes: Partial<Row>) => Promise<Row>
  /** Called with the row as it is now on the server. */
  saved: (row: Row) => void
  failed: (error: unknown, row: Row, changes: Partial<Row>) => void
}

interface Waiting<Row> {
  row: Row
  changes: Partial<Row>
  timer: ReturnType<typeof setTimeout> | undefined
  /** Changes being sent. Later edits collect in `changes` until the response arrives. */
  sent: Partial<Row> | null
}

export interface RowEdits<Row> {
  /** The row with its unconfirmed changes. */
  shown: (row: Row) => Row
  /** Increments whenever the result of `shown` changes. */
  revision: number
  edit: (row: Row, changes: Partial<Row>) => void
  /** Sends pending edits immediately. */
  flush: () => void
  /** The first unresolved conflict; others are queued. */
  conflict: Conflict<Row> | null
  keepMine: () => void
  takeTheirs: () => void
}

/**
 * Optimistic edits of rows: shown immediately, sent together 600 ms after the row's last edit, or when the page is
 * left. At most one request per row is in flight. An error reverts the changes; a `conflict` asks which version to
 * keep.
 */
export function useRowEdits<Row>(options: Options<Row>): RowEdits<Row> {
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
    const changes = one.changes
    one.sent = changes
    one.changes = {}
    try {
      const row = await latest.current.save(one.row, changes)
      one.sent = null
      one.row = row
      latest.current.saved(row)
      if (Object.keys(one.changes).length === 0) waiting.current.delete(id)
      else schedule(id)
    } catch (error) {
      const mine = { ...changes, ...one.changes }
      clearTimeout(one.timer)
      waiting.current.delete(id)
      const theirs = error instanceof ApiError && error.key === 'conflict' ? error.data.current : undefined
      if (theirs) setConflicts((old) => [...old, { seen: one.row, mine, theirs: theirs as Row }])
      else latest.current.failed(error, one.row, mine)
    }
    rerender()
  }

  const schedule = (id: string) => {
    const one = waiting.current.get(id)
    if (!one || one.sent) return
    clearTimeout(one.timer)
    one.timer = setTimeout(() => void send(id), editDelayMs)
  }

  const edit = (row: Row, changes: Partial<Row>) => {
    const id = latest.current.rowId(row)
    const one = waiting.current.get(id) ?? { row, changes: {}, timer: undefined, sent: null }
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
  const decided = () => setConflicts((old) => old.slice(1))

  return {
    shown,
    revision,
    edit,
    flush,
    conflict,
    keepMine: () => {
      if (!conflict) return
      latest.current.saved(conflict.theirs)
      edit(conflict.theirs, conflict.mine)
      decided()
    },
    takeTheirs: () => {
      if (!conflict) return
      latest.current.saved(conflict.theirs)
      decided()
    },
  }
}
