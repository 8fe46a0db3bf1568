import { useEffect, useRef, useState } from 'react'

/** How long a removal can be undone, ms. */
export const undoMs = 5000

interface Options<Row> {
  rowId: (row: Row) => string
  call: (row: Row) => Promise<unknown>
  /** Called when the server has removed the row. */
  removed: (row: Row) => void
  failed: (error: unknown, row: Row) => void
}

export interface UndoRemove<Row> {
  /** Rows hidden while their removal is pending. */
  hidden: ReadonlySet<string>
  /** The row whose removal can still be undone. */
  last: Row | null
  remove: (row: Row) => void
  undo: () => void
}

/**
 * Removes a row after five seconds in which it can be undone; immediately when another row is removed or the page is
 * left.
 */
export function useUndoRemove<Row>(options: Options<Row>): UndoRemove<Row> {
  const latest = useRef(options)
  latest.current = options
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [last, setLast] = useState<Row | null>(null)
  const waiting = useRef<{ row: Row; timer: ReturnType<typeof setTimeout> } | null>(null)

  const show = (row: Row) => {
    const id = latest.current.rowId(row)
    setHidden((old) => new Set([...old].filter((one) => one !== id)))
  }
  const settle = () => {
    const due = waiting.current
    if (!due) return
    clearTimeout(due.timer)
    waiting.current = null
    setLast(null)
    const { call, removed, failed } = latest.current
    call(due.row).then(
      () => {
        removed(due.row)
        show(due.row)
      },
      (error: unknown) => {
        show(due.row)
        failed(error, due.row)
      },
    )
  }
  const latestSettle = useRef(settle)
  latestSettle.current = settle
  useEffect(() => {
    const leave = () => latestSettle.current()
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [])

  return {
    hidden,
    last,
    remove: (row) => {
      settle()
      setHidden((old) => new Set([...old, latest.current.rowId(row)]))
      setLast(row)
      waiting.current = { row, timer: setTimeout(() => latestSettle.current(), undoMs) }
    },
    undo: () => {
      const due = waiting.current
      if (!due) return
      clearTimeout(due.timer)
      waiting.current = null
      setLast(null)
      show(due.row)
    },
  }
}
