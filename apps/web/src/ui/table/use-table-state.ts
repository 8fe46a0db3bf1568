import type { TableSpec } from '@hansom/contract/tables'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { type RawSearch, readTableState, type TableState, writeTableState } from './table-state.ts'

/** The table state in the URL, and a function that changes parts of it. */
export function useTableState(offer: TableSpec): [TableState, (change: Partial<TableState>) => void] {
  const address: RawSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const state = useMemo(() => readTableState(address, offer), [address, offer])
  const change = useCallback(
    (part: Partial<TableState>) => {
      const search = (old: RawSearch) => ({
        ...old,
        // A state that differs from a saved view no longer belongs to it.
        ...writeTableState({ ...readTableState(old, offer), view: null, ...part }, offer),
      })
      void navigate({ to: '.', search, replace: true, resetScroll: false } as never)
    },
    [navigate, offer],
  )
  return [state, change]
}
