import type { TablePage } from '../../ui/table/table-types.ts'
import type { DriverEarning } from '@hansom/contract/reports'
import { useCallback, useEffect, useRef, useState } from 'react'
import { keyOf, type Loaded, type Stretch } from './group-rows.ts'

/** Loads the rows of a grouped report group by group; `question` names what is asked: another one begins anew. */
export function useGroupRows(
  question: string,
  read: (stretch: Stretch, cursor: string | undefined) => Promise<TablePage<DriverEarning>>,
): [ReadonlyMap<string, Loaded>, (stretch: Stretch) => void] {
  const [state, setState] = useState<{ question: string; loaded: ReadonlyMap<string, Loaded> }>({
    question,
    loaded: new Map(),
  })
  const underWay = useRef(new Set<string>())
  const current = useRef({ question, read, state })
  current.current = { question, read, state }
  useEffect(() => {
    underWay.current = new Set()
    setState((old) => (old.question === question ? old : { question, loaded: new Map() }))
  }, [question])

  const load = useCallback((stretch: Stretch) => {
    const { question: asked, read: ask, state: now } = current.current
    const key = keyOf(stretch)
    const known = now.question === asked ? now.loaded.get(key) : undefined
    if (known?.next === null || underWay.current.has(key)) return
    const mine = underWay.current
    mine.add(key)
    const put = (change: (old: Loaded) => Loaded) => {
      mine.delete(key)
      // An answer to what is asked no more.
      if (current.current.question !== asked) return
      setState((old) => {
        const loaded = new Map(old.question === asked ? old.loaded : [])
        loaded.set(key, change(loaded.get(key) ?? { rows: [], next: undefined, failed: false }))
        return { question: asked, loaded }
      })
    }
    ask(stretch, known?.next ?? undefined).then(
      ({ items, next }) => put((old) => ({ rows: [...old.rows, ...items], next, failed: false })),
      () => put((old) => ({ ...old, failed: true })),
    )
  }, [])

  return [state.question === question ? state.loaded : nothing, load]
}

const nothing: ReadonlyMap<string, Loaded> = new Map()
