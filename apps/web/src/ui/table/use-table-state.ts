import type { TableSpec } from '@hansom/contract/tables'
import { useCallback, useMemo } from 'react'
import { useSearchParams } from '../../lib/search-params.ts'
import { readTableState, type TableState, writeTableState } from './table-state.ts'

/** The table state in the URL, and a function that changes parts of it. */
export function useTableState(spec: TableSpec): [TableState, (change: Partial<TableState>) => void] {
  const [params, changeParams] = useSearchParams()
  const state = useMemo(() => readTableState(params, spec), [params, spec])
  const change = useCallback(
    (part: Partial<TableState>) =>
      // A state that differs from a saved view no longer belongs to it.
      changeParams((old) => writeTableState({ ...readTableState(old, spec), view: null, ...part }, spec)),
    [changeParams, spec],
  )
  return [state, change]
}
