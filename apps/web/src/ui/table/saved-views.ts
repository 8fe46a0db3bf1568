import type { TableSpec } from '@hansom/contract/tables'
import { useSyncExternalStore } from 'react'
import { readTableState, type TableState, writeTableState } from './table-state.ts'

/** A named table state, stored on this device. */
export interface SavedView {
  name: string
  /** URL search parameters. */
  search: string
}

const key = (table: string) => `hansom.views.${table}`
const listeners = new Set<() => void>()
const known = new Map<string, { text: string | null; views: readonly SavedView[] }>()

function read(table: string): readonly SavedView[] {
  let text: string | null = null
  try {
    text = localStorage.getItem(key(table))
  } catch {
    return []
  }
  const before = known.get(table)
  if (before && before.text === text) return before.views
  let views: SavedView[] = []
  try {
    const parsed: unknown = JSON.parse(text ?? '[]')
    if (Array.isArray(parsed))
      views = parsed.filter(
        (one): one is SavedView => typeof one?.name === 'string' && typeof one?.search === 'string',
      )
  } catch {
    views = []
  }
  known.set(table, { text, views })
  return views
}

function write(table: string, views: readonly SavedView[]): void {
  try {
    localStorage.setItem(key(table), JSON.stringify(views))
  } catch {
    // Storage is unavailable: the URL still holds the full state.
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** The saved views of a table on this device, with functions to save and delete one. */
export function useSavedViews(table: string, spec: TableSpec) {
  const views = useSyncExternalStore(
    subscribe,
    () => read(table),
    () => read(table),
  )
  return {
    views,
    stateOf: (view: SavedView): TableState => ({
      ...readTableState(Object.fromEntries(new URLSearchParams(view.search)), spec),
      view: view.name,
    }),
    keep: (name: string, state: TableState) => {
      const words = Object.entries(writeTableState({ ...state, view: null }, spec))
      const search = new URLSearchParams(
        words.filter((pair): pair is [string, string] => pair[1] !== undefined),
      ).toString()
      write(table, [...views.filter((one) => one.name !== name), { name, search }])
    },
    forget: (name: string) =>
      write(
        table,
        views.filter((one) => one.name !== name),
      ),
  }
}
