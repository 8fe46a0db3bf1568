import { ApiError } from '@hansom/client/api-error'
import { useEffect, useRef, useState } from 'react'

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
}

interface Options<Row> {
  rowId: (row: Row) => string
  save: (row: Row, changes: Partial<Row>) => Promise<Row>
  /** Called with the row as it is now on the server, from any response. */
  current: (row: Row) => void
  /** Called when changes were saved; `before` is the row they were made to. */
  saved: (row: Row, before: Row, changes: Partial<Row>) => void
  failed: (error: unknown, row: Row, changes: Partial<Row>) => void
}

interface Waiting<Row> {
  row: Row
  changes: Partial<Row>
  timer: ReturnType<typeof setTimeout> | undefined
  /** Changes being sent. Later edits collect in `changes` until the response arrives. */
  sent: Partial<Row> | null
  merges: number
}

export interface RowEdits<Row> {
  /** The row with its unconfirmed changes. */
  shown: (row: Row) => Row
  /** Increments whenever the result of `shown` changes. */
  revision: number
  edit: (row: Row, changes: Partial<Row>) => void
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
    const before = one.row
    one.sent = changes
    one.changes = {}
    try {
      const row = await latest.current.save(before, changes)
      one.sent = null
      one.row = row
      latest.current.current(row)
      latest.current.saved(row, before, changes)
      if (Object.keys(one.changes).length === 0) waiting.current.delete(id)
      else schedule(id)
    } catch (error) {
      const mine = { ...changes, ...one.changes }
      const conflict = conflictOf(error, before, mine)
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

  const edit = (row: Row, changes: Partial<Row>) => {
    const id = latest.current.rowId(row)
    const one = waiting.current.get(id) ?? { row, changes: {}, timer: undefined, sent: null, merges: 0 }
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
    if (retry) edit(conflict.theirs, conflict.mine)
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
function conflictOf<Row>(error: unknown, seen: Row, mine: Partial<Row>): Conflict<Row> | null {
  if (!(error instanceof ApiError) || error.key !== 'conflict' || !error.data.current) return null
  const by = typeof error.data.by === 'string' ? error.data.by : null
  return { seen, mine, theirs: error.data.current as Row, by }
}

/** The fields that both users changed, to different values. */
function clashes<Row>({ seen, mine, theirs }: Conflict<Row>): (keyof Row)[] {
  const differ = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other)
  return (Object.keys(mine) as (keyof Row)[]).filter(
    (field) => differ(seen[field], theirs[field]) && differ(mine[field], theirs[field]),
  )
}
