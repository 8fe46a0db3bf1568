import { useEffect, useRef, useState } from 'react'

const undoMs = 5000

interface Removal {
  /** Gone for the eye, and soon altogether. */
  hidden: ReadonlySet<string>
  /** What can still be brought back. */
  last: string | null
  error: unknown
  remove: (id: string) => void
  undo: () => void
}

/** Removes after five seconds, in which it can be undone; at once when the next one goes or the page is left. */
export function useUndoableRemoval(commit: (id: string) => Promise<void>): Removal {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [last, setLast] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const waiting = useRef<{ id: string; timer: ReturnType<typeof setTimeout> } | null>(null)
  const latest = useRef(commit)
  latest.current = commit

  const show = (id: string) => setHidden((old) => new Set([...old].filter((one) => one !== id)))
  const settle = () => {
    const due = waiting.current
    if (!due) return
    clearTimeout(due.timer)
    waiting.current = null
    setLast(null)
    latest.current(due.id).catch((cause: unknown) => {
      setError(cause)
      show(due.id)
    })
  }
  useEffect(
    () => () => {
      const due = waiting.current
      if (!due) return
      clearTimeout(due.timer)
      void latest.current(due.id).catch(() => {})
    },
    [],
  )

  return {
    hidden,
    last,
    error,
    remove: (id) => {
      settle()
      setError(null)
      setHidden((old) => new Set([...old, id]))
      setLast(id)
      waiting.current = { id, timer: setTimeout(settle, undoMs) }
    },
    undo: () => {
      const due = waiting.current
      if (!due) return
      clearTimeout(due.timer)
      waiting.current = null
      setLast(null)
      show(due.id)
    },
  }
}
