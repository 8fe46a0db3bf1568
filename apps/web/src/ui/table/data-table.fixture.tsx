import type { PublicSettings } from '@hansom/contract/settings'
import type { TableSpec } from '@hansom/contract/tables'
import { defaultSettings } from '@hansom/domain/settings/settings'
import { QueryClientProvider } from '@tanstack/react-query'
import {
  type AnyRouter,
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { act, cleanup, fireEvent, render } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import { startLanguage } from '../../lib/i18n.ts'
import { queryClient } from '../../lib/query-client.ts'
import { storeSettings } from '../../lib/settings.ts'
import { DataTable } from './data-table.tsx'
import type { DataTableProps, TableColumn } from './table-types.ts'

export interface Promo {
  id: string
  version: number
  code: string
  value: number
}

export const spec = {
  sorts: ['code', 'value'],
  defaultSort: 'code',
  filters: { active: { kind: 'flag' } },
  searchable: true,
} as const satisfies TableSpec
export type Spec = typeof spec

export const columns: TableColumn<Promo>[] = [
  {
    id: 'code',
    header: 'code',
    cell: ({ code }) => code,
    sort: 'code',
    edit: {
      kind: 'text',
      value: ({ code }) => code,
      changes: (code) => ({ code: String(code) }),
      validate: (code) => (code === '' ? 'proper_input_name' : null),
    },
  },
  {
    id: 'value',
    header: 'value',
    cell: ({ value }) => value / 10_000,
    sort: 'value',
    edit: { kind: 'amount', value: ({ value }) => value, changes: (value) => ({ value: Number(value) }) },
  },
]

export const idOf = ({ id }: Promo) => id
/** The rows on the server. */
export const server = { promos: [] as Promo[] }
export const page = vi.fn<DataTableProps<Promo, Spec>['page']>()
export const save = vi.fn<(promo: Promo, changes: Partial<Promo>) => Promise<Promo>>()
export const removeCall = vi.fn<(promo: Promo) => Promise<unknown>>()

/** Registers the set-up of a table's tests: fake time, three rows, a server that accepts everything. */
export function setUpTable(): void {
  beforeEach(() => {
    vi.useFakeTimers()
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(800)
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1000)
    startLanguage(
      {
        langName: 'English',
        langLocale: 'en',
        dateLocale: 'en-GB',
        default: true,
        direction: 'ltr',
        keyValuePairs: {},
      },
      [],
    )
    queryClient.clear()
    storeSettings({ ...defaultSettings, version: 1 } as unknown as PublicSettings)
    server.promos = ['ALFA', 'BETA', 'GAMMA'].map((code, at) => ({
      id: `p${at}`,
      version: 1,
      code,
      value: 10_000 * at,
    }))
    page.mockReset().mockImplementation(async () => ({ items: server.promos, next: null }))
    save.mockReset().mockImplementation(async (promo, changes) => ({
      ...promo,
      ...changes,
      version: promo.version + 1,
    }))
    removeCall.mockReset().mockResolvedValue(undefined)
  })
  afterEach(() => {
    cleanup()
    vi.useRealTimers()
    vi.restoreAllMocks()
  })
}

export const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

export async function show(
  address = '/',
  more: Partial<DataTableProps<Promo, Spec>> = {},
): Promise<AnyRouter> {
  const rootRoute = createRootRoute({
    component: () => (
      <DataTable<Promo, Spec>
        name="promos"
        title="promos"
        spec={spec}
        columns={columns}
        filters={{ active: { label: 'active' } }}
        page={page}
        count={async () => ({ count: server.promos.length, more: false })}
        rowId={idOf}
        rowName={({ code }) => code}
        save={save}
        remove={{ name: ({ code }) => code, call: removeCall, safety: 'undo' }}
        empty={{ title: 'empty' }}
        {...more}
      />
    ),
  })
  const router = createRouter({
    routeTree: rootRoute,
    history: createMemoryHistory({ initialEntries: [address] }),
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const words = Object.entries(search).filter((pair) => pair[1] !== undefined) as [string, string][]
      return words.length > 0 ? `?${new URLSearchParams(words)}` : ''
    },
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  await wait(50)
  return router
}

export const cell = (row: number, column: number) =>
  document.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`) as HTMLElement
export const press = (key: string, more: object = {}) =>
  fireEvent.keyDown(document.activeElement as HTMLElement, { key, ...more })
/** Types into the cell as a keyboard user does. */
export function type(row: number, column: number, text: string, leave = 'Enter') {
  act(() => cell(row, column).focus())
  press('F2')
  fireEvent.change(document.activeElement as HTMLElement, { target: { value: text } })
  press(leave)
}
