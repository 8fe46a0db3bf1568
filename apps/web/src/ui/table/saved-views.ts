import type { TableSpec } from '@hansom/contract/tables'
import type { SavedView } from '@hansom/contract/users'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, orpc } from '../../lib/api.ts'
import { queryClient } from '../../lib/query-client.ts'
import { readTableState, type TableState, writeTableState } from './table-state.ts'

/** The user's saved views of a table, loaded once `isOpen`, with functions to save and delete one. */
export function useSavedViews(table: string, spec: TableSpec, isOpen: boolean) {
  const options = orpc.users.savedViews.queryOptions({ input: { table } })
  const query = useQuery({ ...options, enabled: isOpen })
  useEffect(() => {
    if (!isOpen) return
    const key = orpc.users.savedViews.queryKey({ input: { table } })
    void uploadLocalViews(table).then((views) => views && queryClient.setQueryData(key, views))
  }, [isOpen, table])
  const change = useMutation({
    mutationFn: (view: { name: string; search: string | null }) => api.users.saveView({ table, ...view }),
    onSuccess: (views) => queryClient.setQueryData(options.queryKey, views),
  })
  return {
    views: query.data ?? [],
    isLoading: query.isPending,
    error: query.error ?? change.error,
    busy: change.isPending,
    stateOf: (view: SavedView): TableState => ({
      ...readTableState(Object.fromEntries(new URLSearchParams(view.search)), spec),
      view: view.name,
    }),
    /** Resolves to false when it was refused; `error` says why. */
    save: async (name: string, state: TableState): Promise<boolean> => {
      const words = Object.entries(writeTableState({ ...state, view: null }, spec))
      const search = new URLSearchParams(
        words.filter((pair): pair is [string, string] => pair[1] !== undefined),
      ).toString()
      return change.mutateAsync({ name, search }).then(
        () => true,
        () => false,
      )
    },
    remove: (name: string) => change.mutate({ name, search: null }),
  }
}

/** Moves the views that an earlier release stored in this browser to the user's account; null when there are none. */
async function uploadLocalViews(table: string): Promise<SavedView[] | null> {
  const place = `hansom.views.${table}`
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(place) ?? '[]')
    let views: SavedView[] | null = null
    for (const { name, search } of Array.isArray(stored) ? (stored as SavedView[]) : []) {
      views = await api.users.saveView({ table, name: String(name), search: String(search) })
    }
    localStorage.removeItem(place)
    return views
  } catch {
    // They stay in the browser until the next attempt.
    return null
  }
}
