import { type SearchParams, useSearchParams } from '../../lib/search-params.ts'

export const groupings = ['month', 'year', 'driver', 'list'] as const
export type Grouping = (typeof groupings)[number]

export interface ReportAddress {
  group: Grouping
  year: number | null
  q: string
}

/** What the report shows, from the URL; `year` has the form of a table's filter. */
export function useReportAddress(): [ReportAddress, (change: Partial<ReportAddress>) => void] {
  const [params, changeParams] = useSearchParams()
  const state = readReportAddress(params)
  const change = (part: Partial<ReportAddress>) => {
    const next = { ...state, ...part }
    changeParams(() => ({
      group: next.group === 'month' ? undefined : next.group,
      ...('year' in part ? { year: next.year === null ? undefined : yearSpan(next.year) } : {}),
      ...('q' in part ? { q: next.q || undefined } : {}),
    }))
  }
  return [state, change]
}

/** Reads the search parameters of a report's URL; unknown values are ignored. */
export function readReportAddress(params: SearchParams): ReportAddress {
  const [, from, to] = /^(\d{1,4})\.\.(\d{1,4})$/.exec(params.year ?? '') ?? []
  return {
    group: groupings.find((one) => one === params.group) ?? 'month',
    year: from !== undefined && from === to ? Number(from) : null,
    q: (params.q ?? '').slice(0, 100),
  }
}

/** A year in the form of the server's filter. */
export const yearSpan = (year: number) => `${year}..${year}`
