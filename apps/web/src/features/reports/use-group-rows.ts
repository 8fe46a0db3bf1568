import type { DriverEarning } from '@hansom/contract/reports'
import { useCallback, useRef, useState } from 'react'
import type { TablePage } from '../../ui/table/table-types.ts'
import { keyOf, type Loaded, type Stretch } from './group-rows.ts'

type Groups = ReadonlyMap<string, Loaded>
const nothing: Groups = new Map()
const notBegun: Loaded = { rows: [], next: undefined, failed: false }

/** Loads the rows of a grouped report group by group; a new `question` discards the loaded ones. */
export function useGroupRows(
  question: string,
  read: (stretch: Stretch, cursor: string | undefined) => Promise<TablePage<DriverEarning>>,
): [Groups, (stretch: Stretch) => void] {
  const [state, setState] = useState<{ question: string; loaded: Groups }>({ question, loaded: nothing })
  const underWay = useRef(new Set<string>())
  const current = useRef({ question, read, state })
  current.current = { question, read, state }

  const load = useCallback((stretch: Stretch) => {
    const { question: asked, read: ask, state: now } = current.current
    const key = keyOf(stretch)
    const { next: from } = (now.question === asked ? now.loaded.get(key) : undefined) ?? notBegun
    const call = `${asked} ${key} ${from ?? ''}`
    if (from === null || underWay.current.has(call)) return
    underWay.current.add(call)
    const put = (change: (old: Loaded) => Loaded) => {
      underWay.current.delete(call)
      // Response to an outdated query.
      if (current.current.question !== asked) return
      setState((old) => {
        const loaded = new Map(old.question === asked ? old.loaded : nothing)
        const known = loaded.get(key) ?? notBegun
        // The same page may arrive twice.
        if (known.next !== from) return old
        return { question: asked, loaded: loaded.set(key, change(known)) }
      })
    }
    ask(stretch, from).then(
      ({ items, next }) => put((old) => ({ rows: [...old.rows, ...items], next, failed: false })),
      () => put((old) => ({ ...old, failed: true })),
    )
  }, [])

  return [state.question === question ? state.loaded : nothing, load]
}
