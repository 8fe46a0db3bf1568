import { useNavigate, useSearch } from '@tanstack/react-router'

export const groupings = ['month', 'year', 'driver', 'list'] as const
export type Grouping = (typeof groupings)[number]

export interface ReportAddress {
  group: Grouping
  year: number | null
  q: string
}

/** What a report shows stands in its address; `year` is written as the span that a table's filter is. */
export function useReportAddress(): [ReportAddress, (change: Partial<ReportAddress>) => void] {
  const address: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const state = readReportAddress(address)
  const change = (part: Partial<ReportAddress>) => {
    const next = { ...state, ...part }
    const search = (old: Readonly<Record<string, unknown>>) => ({
      ...old,
      group: next.group === 'month' ? undefined : next.group,
      ...('year' in part ? { year: next.year === null ? undefined : yearSpan(next.year) } : {}),
      ...('q' in part ? { q: next.q || undefined } : {}),
    })
    void navigate({ to: '.', search, replace: true, resetScroll: false } as never)
  }
  return [state, change]
}

/** Reads an address; what says nothing to a report is passed over. */
export function readReportAddress(address: Readonly<Record<string, unknown>>): ReportAddress {
  const [, from, to] = /^(\d{1,4})\.\.(\d{1,4})$/.exec(String(address.year ?? '')) ?? []
  const q = typeof address.q === 'string' || typeof address.q === 'number' ? String(address.q) : ''
  return {
    group: groupings.find((one) => one === address.group) ?? 'month',
    year: from !== undefined && from === to ? Number(from) : null,
    q: q.slice(0, 100),
  }
}

/** A year as the filter that the server takes. */
export const yearSpan = (year: number) => `${year}..${year}`
