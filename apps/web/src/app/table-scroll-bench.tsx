// The page of the benchmark `table-scroll`: a typical table over an endless list. Not part of any product bundle.
import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/vazirmatn/wght.css'
import './tokens.css'
import type { PublicSettings } from '@hansom/contract/settings'
import type { TableSpec } from '@hansom/contract/tables'
import { defaultSettings } from '@hansom/domain/settings/settings'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { startLanguage } from '../lib/i18n.ts'
import { queryClient } from '../lib/query-client.ts'
import { storeSettings } from '../lib/settings.ts'
import { Ltr } from '../ui/ltr.tsx'
import { Money } from '../ui/money.tsx'
import { DataTable } from '../ui/table/data-table.tsx'
import type { TableColumn, TablePage } from '../ui/table/table-types.ts'
import { rowsKey } from '../ui/table/table-updates.ts'

interface Line {
  id: string
  name: string
  words: string[]
  plate: string
  amount: number
  on: boolean
}

const spec = {
  sorts: ['name'],
  defaultSort: 'name',
  filters: {},
  searchable: true,
} as const satisfies TableSpec

const columns: TableColumn<Line>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => <bdi>{name}</bdi>, sort: 'name', width: 220 },
  ...[0, 1, 2, 3, 4, 5].map(
    (at): TableColumn<Line> => ({
      id: `word${at}`,
      header: `Word ${at}`,
      cell: ({ words }) => <bdi>{words[at]}</bdi>,
      edit: { kind: 'text', value: ({ words }) => words[at] ?? '', changes: () => ({}) },
    }),
  ),
  { id: 'plate', header: 'Plate', cell: ({ plate }) => <Ltr>{plate}</Ltr> },
  {
    id: 'on',
    header: 'On',
    cell: ({ on }) => String(on),
    edit: { kind: 'flag', value: ({ on }) => on, changes: (on) => ({ on: on === true }) },
  },
  { id: 'amount', header: 'Amount', cell: ({ amount }) => <Money amount={amount} />, align: 'end' },
]

async function page({ cursor }: { cursor?: string }): Promise<TablePage<Line>> {
  const response = await fetch(`/rows?after=${cursor ?? ''}`)
  return (await response.json()) as TablePage<Line>
}

function Screen() {
  return (
    <DataTable<Line, typeof spec>
      name="lines"
      title="Lines"
      spec={spec}
      columns={columns}
      page={page}
      count={() => Promise.resolve({ count: 10_000, more: true })}
      rowId={({ id }) => id}
      rowName={({ name }) => name}
      save={(line) => Promise.resolve(line)}
      bulk={[{ id: 'none', label: 'None', call: () => Promise.resolve() }]}
      onOpen={() => {}}
      empty={{ title: 'Empty' }}
    />
  )
}

/** `/?loaded`: all rows are loaded, as if the user had scrolled to the end. */
async function loadAll(): Promise<void> {
  const response = await fetch('/rows?all')
  const pages = (await response.json()) as TablePage<Line>[]
  const pageParams = [undefined, ...pages.slice(0, -1).map(({ next }) => next)]
  queryClient.setQueryData([...rowsKey('lines'), spec.defaultSort, {}], { pages, pageParams })
}

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
storeSettings({ ...defaultSettings, version: 1 } as unknown as PublicSettings)
if (location.search === '?loaded') await loadAll()
const router = createRouter({ routeTree: createRootRoute({ component: Screen }) })
const root = document.querySelector('#root')
if (root)
  createRoot(root).render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
