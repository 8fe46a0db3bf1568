import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

/** Search parameters of a URL; every value stays a string. */
export type SearchParams = Partial<Record<string, string>>

/** Parses `?approved=true&q=42` without converting values to booleans or numbers. */
export function parseSearchParams(text: string): SearchParams {
  return Object.fromEntries(new URLSearchParams(text))
}

/** Drops values that cannot be strings. Validates the search of every route. */
export function searchParams(search: Record<string, unknown>): SearchParams {
  return Object.fromEntries(stringEntries(search))
}

/** Serializes search parameters with the leading question mark; commas and colons stay unescaped for readability. */
export function stringifySearchParams(search: Record<string, unknown>): string {
  const query = new URLSearchParams(stringEntries(search))
  const text = query.toString().replace(/%2C/g, ',').replace(/%3A/g, ':')
  return text ? `?${text}` : ''
}

function stringEntries(search: Record<string, unknown>): [string, string][] {
  return Object.entries(search).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [[name, String(value)]]
      : [],
  )
}

/** Changes some search parameters; undefined removes one. */
export type ChangeSearch = (change: (old: SearchParams) => SearchParams, options?: { push?: boolean }) => void

/**
 * The search parameters of the page's URL, and a function that changes them in place of the history entry or, with
 * `push`, in a new one.
 */
export function useSearchParams(): [SearchParams, ChangeSearch] {
  const params = useSearch({ strict: false })
  const navigate = useNavigate()
  const change = useCallback<ChangeSearch>(
    (next, { push = false } = {}) =>
      void navigate({
        to: '.',
        search: (old) => ({ ...old, ...next(old) }),
        replace: !push,
        resetScroll: false,
      }),
    [navigate],
  )
  return [params, change]
}
