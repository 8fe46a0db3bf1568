import type { TableSpec } from '@hansom/contract/tables'
import { useCallback, useMemo } from 'react'
import { useSearchParams } from '../../lib/search-params.ts'
import { invalidFilters, readTableState, type TableState, writeTableState } from './table-state.ts'

/** The table state in the URL, a function that changes parts of it, and the filters it ignores as invalid. */
export function useTableState(
  spec: TableSpec,
): [TableState, (change: Partial<TableState>) => void, Readonly<Record<string, string>>] {
  const [params, changeParams] = useSearchParams()
  const state = useMemo(() => readTableState(params, spec), [params, spec])
  const change = useCallback(
    (part: Partial<TableState>) =>
      // A state that differs from a saved view no longer belongs to it.
      changeParams((old) => writeTableState({ ...readTableState(old, spec), view: null, ...part }, spec)),
    [changeParams, spec],
  )
  const invalid = useMemo(() => invalidFilters(params, spec), [params, spec])
  return [state, change, invalid]
}
