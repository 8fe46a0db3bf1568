import { defaultSettings } from '@hansom/domain/settings/settings'
import type { TableSpec } from '@hansom/contract/tables'
import type { PublicSettings } from '@hansom/contract/settings'
import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
  type AnyRouter,
} from '@tanstack/react-router'
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '../../lib/api-error.ts'
import { startLanguage } from '../../lib/i18n.ts'
import { live } from '../../lib/live.ts'
import type { TopicListener } from '../../lib/live-client.ts'
import { queryClient } from '../../lib/query-client.ts'
import { storeSettings } from '../../lib/settings.ts'
import { DataTable } from './data-table.tsx'
import { putTableRow, reloadTable } from './row-cache.ts'
import type { DataTableProps, TableColumn } from './table-types.ts'
import { reloadIntervalMs } from './use-table-updates.ts'

interface Promo {
  id: string
  version: number
  code: string
  value: number
}

const offer = {
  sorts: ['code', 'value'],
  defaultSort: 'code',
  filters: { active: { kind: 'flag' } },
  searchable: true,
} as const satisfies TableSpec
type Offer = typeof offer

const columns: TableColumn<Promo>[] = [
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

const idOf = ({ id }: Promo) => id
let promos: Promo[] = []
const page = vi.fn<DataTableProps<Promo, Offer>['page']>()
const save = vi.fn<(promo: Promo, changes: Partial<Promo>) => Promise<Promo>>()
const removeCall = vi.fn<(promo: Promo) => Promise<unknown>>()

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
  promos = ['ALFA', 'BETA', 'GAMMA'].map((code, at) => ({
    id: `p${at}`,
    version: 1,
    code,
    value: 10_000 * at,
  }))
  page.mockReset().mockImplementation(async () => ({ items: promos, next: null }))
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

const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

async function show(address = '/', more: Partial<DataTableProps<Promo, Offer>> = {}): Promise<AnyRouter> {
  const rootRoute = createRootRoute({
    component: () => (
      <DataTable<Promo, Offer>
        name="promos"
        title="promos"
        spec={offer}
        columns={columns}
        filters={{ active: { label: 'active' } }}
        page={page}
        count={async () => ({ count: promos.length, more: false })}
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

const cell = (row: number, column: number) =>
  document.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`) as HTMLElement
const press = (key: string, more: object = {}) =>
  fireEvent.keyDown(document.activeElement as HTMLElement, { key, ...more })
/** Types into the cell as a keyboard user does. */
function type(row: number, column: number, text: string, leave = 'Enter') {
  act(() => cell(row, column).focus())
  press('F2')
  fireEvent.change(document.activeElement as HTMLElement, { target: { value: text } })
  press(leave)
}

it('rendered -> grid with row and column counts and sort order', async () => {
  await show()
  const grid = screen.getByRole('grid', { name: 'promos' })
  expect(grid.getAttribute('aria-rowcount')).toBe('4')
  expect(grid.getAttribute('aria-colcount')).toBe('3')
  expect(screen.getByRole('columnheader', { name: 'code' }).getAttribute('aria-sort')).toBe('ascending')
  expect(screen.getAllByRole('rowheader').map((one) => one.textContent)).toEqual(['ALFA', 'BETA', 'GAMMA'])
})

it('edit -> shown immediately, sent after 600 ms with the row read, response is kept', async () => {
  await show()
  type(0, 0, 'OMEGA')
  expect(cell(0, 0).textContent).toBe('OMEGA')
  await wait(599)
  expect(save).not.toHaveBeenCalled()
  await wait(1)
  expect(save).toHaveBeenCalledExactlyOnceWith(promos[0], { code: 'OMEGA' })
  type(0, 0, 'PSI')
  await wait(600)
  expect(save.mock.calls[1]?.[0]).toMatchObject({ version: 2, code: 'OMEGA' })
  expect(cell(0, 0).textContent).toBe('PSI')
})

it('several edits of a row -> sent together, Tab moves to the next cell', async () => {
  await show()
  type(1, 0, 'DELTA', 'Tab')
  const field = document.activeElement as HTMLInputElement
  expect(field.value).toBe('1')
  fireEvent.change(field, { target: { value: '2,5' } })
  press('Enter')
  await wait(600)
  expect(save).toHaveBeenCalledExactlyOnceWith(promos[1], { code: 'DELTA', value: 25_000 })
})

it('edit refused -> old value and the reason', async () => {
  save.mockRejectedValue(new ApiError('proper_input_name', 400))
  await show()
  type(0, 0, 'OMEGA')
  await wait(600)
  expect(cell(0, 0).textContent).toBe('ALFA')
  const said = screen.getAllByRole('alert').map((one) => one.textContent)
  expect(said.join()).toContain('table.not_saved')
})

it('invalid value -> cell stays open; Esc -> discards', async () => {
  await show()
  act(() => cell(0, 0).focus())
  press('Enter')
  fireEvent.change(document.activeElement as HTMLElement, { target: { value: '' } })
  press('Enter')
  expect((document.activeElement as HTMLElement).getAttribute('aria-invalid')).toBe('true')
  press('Escape')
  expect(cell(0, 0).textContent).toBe('ALFA')
  expect(document.activeElement).toBe(cell(0, 0))
  await wait(1000)
  expect(save).not.toHaveBeenCalled()
})

it('conflict on a row -> asks which change to keep', async () => {
  const theirs = { ...(promos[0] as Promo), version: 7, code: 'THEIRS' }
  save.mockRejectedValueOnce(new ApiError('conflict', 409, { data: { current: theirs } }))
  await show()
  type(0, 0, 'MINE')
  await wait(600)
  const dialog = screen.getByRole('alertdialog')
  const line = within(dialog).getByRole('row', { name: /code/ })
  expect(
    within(line)
      .getAllByRole('cell')
      .map((one) => one.textContent),
  ).toEqual(['MINE', 'THEIRS'])
  fireEvent.click(within(dialog).getByText('table.keep_mine'))
  expect(cell(0, 0).textContent).toBe('MINE')
  await wait(600)
  expect(save).toHaveBeenLastCalledWith(theirs, { code: 'MINE' })
})

it('conflict, theirs chosen -> keeps the other change', async () => {
  const theirs = { ...(promos[0] as Promo), version: 7, code: 'THEIRS' }
  save.mockRejectedValueOnce(new ApiError('conflict', 409, { data: { current: theirs } }))
  await show()
  type(0, 0, 'MINE')
  await wait(600)
  fireEvent.click(screen.getByText('table.take_theirs'))
  expect(cell(0, 0).textContent).toBe('THEIRS')
  await wait(1000)
  expect(save).toHaveBeenCalledOnce()
})

it('conflicts on two rows -> asks one after the other', async () => {
  save.mockImplementation(async (promo) => {
    throw new ApiError('conflict', 409, {
      data: { current: { ...promo, version: 7, code: `THEIR ${promo.code}` } },
    })
  })
  await show()
  type(0, 0, 'MINE')
  type(1, 0, 'MINE TOO')
  await wait(600)
  fireEvent.click(screen.getByText('table.take_theirs'))
  expect(within(screen.getByRole('alertdialog')).getByText('MINE TOO')).toBeTruthy()
  fireEvent.click(screen.getByText('table.take_theirs'))
  expect([cell(0, 0).textContent, cell(1, 0).textContent]).toEqual(['THEIR ALFA', 'THEIR BETA'])
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

it('live event during an edit -> edit stays on top, older rows are ignored', async () => {
  await show()
  type(0, 0, 'MINE')
  act(() => putTableRow('promos', { ...(promos[0] as Promo), version: 3, value: 90_000 }, idOf))
  await wait(1)
  expect([cell(0, 0).textContent, cell(0, 1).textContent]).toEqual(['MINE', '9'])
  act(() => putTableRow('promos', { ...(promos[0] as Promo), version: 2, value: 50_000 }, idOf))
  await wait(1)
  expect(cell(0, 1).textContent).toBe('9')
})

it('edit -> sent with the row seen when it began', async () => {
  await show()
  act(() => cell(0, 0).focus())
  press('F2')
  act(() => putTableRow('promos', { ...(promos[0] as Promo), version: 5, code: 'THEIRS' }, idOf))
  await wait(1)
  fireEvent.change(document.activeElement as HTMLElement, { target: { value: 'MINE' } })
  press('Enter')
  await wait(600)
  expect(save.mock.calls[0]?.[0].version).toBe(1)
})

async function remove(row: number) {
  fireEvent.click(cell(row, 2).querySelector('button') as HTMLElement)
  fireEvent.click(screen.getByRole('menuitem', { name: 'table.remove' }))
  await wait(1)
}

it('remove -> sent after five seconds, can be undone until then', async () => {
  await show()
  await remove(1)
  expect(screen.queryByText('BETA')).toBeNull()
  await wait(4900)
  expect(removeCall).not.toHaveBeenCalled()
  fireEvent.click(screen.getByText('table.undo'))
  await wait(10_000)
  expect(screen.getByText('BETA')).toBeTruthy()
  expect(removeCall).not.toHaveBeenCalled()
  await remove(1)
  await wait(5000)
  expect(removeCall).toHaveBeenCalledExactlyOnceWith(promos[1])
  expect(screen.queryByText('BETA')).toBeNull()
})

it('removal refused -> row is restored', async () => {
  removeCall.mockRejectedValue(new ApiError('demo_mode', 403))
  await show()
  await remove(1)
  await wait(5000)
  expect(screen.getByText('BETA')).toBeTruthy()
  expect(screen.getByText('table.not_removed')).toBeTruthy()
})

it('page left -> pending changes are sent', async () => {
  await show()
  await remove(1)
  type(0, 0, 'OMEGA')
  cleanup()
  expect(removeCall).toHaveBeenCalledOnce()
  expect(save).toHaveBeenCalledOnce()
})

it('URL -> query; choices -> URL', async () => {
  const router = await show('/?sort=-value&active=true&q=al&columns=-value')
  expect(page).toHaveBeenLastCalledWith({ sort: '-value', active: 'true', q: 'al', limit: 100 })
  expect(screen.queryByRole('columnheader', { name: 'value' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'code' }))
  await wait(50)
  expect(page).toHaveBeenLastCalledWith({ sort: 'code', active: 'true', q: 'al', limit: 100 })
  fireEvent.click(screen.getByRole('button', { name: 'table.remove_filter' }))
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'beta' } })
  await wait(400)
  expect(router.state.location.search).toEqual({ q: 'beta', columns: '-value' })
  expect(page).toHaveBeenLastCalledWith({ sort: 'code', q: 'beta', limit: 100 })
})

it('count is capped -> says that there are more', async () => {
  await show('/', { count: async () => ({ count: 10_000, more: true }) })
  expect(screen.getByText('10,000+')).toBeTruthy()
})

it('no match -> says so and clears the filters', async () => {
  page.mockImplementation(async ({ q }) => ({ items: q ? [] : promos, next: null }))
  await show('/?q=zz')
  expect(screen.getByText('table.no_match')).toBeTruthy()
  fireEvent.click(screen.getAllByRole('button', { name: 'table.clear_filters' })[0] as HTMLElement)
  await wait(50)
  expect(screen.getByText('ALFA')).toBeTruthy()
})

it('arrows, Home and End -> move through cells and header', async () => {
  await show()
  act(() => cell(0, 0).focus())
  for (const [key, at] of [
    ['ArrowDown', '1:0'],
    ['ArrowRight', '1:1'],
    ['End', '1:2'],
    ['Home', '1:0'],
    ['ArrowUp', '0:0'],
    ['ArrowUp', '-1:0'],
    ['ArrowUp', '-1:0'],
  ] as const) {
    press(key)
    expect((document.activeElement as HTMLElement).dataset.cell).toBe(at)
  }
  press('End', { ctrlKey: true })
  expect((document.activeElement as HTMLElement).dataset.cell).toBe('2:2')
  expect(document.querySelectorAll('[data-cell][tabindex="0"]')).toHaveLength(1)
})

it('pageSize -> shows pages with a pager', async () => {
  page.mockImplementation(async ({ cursor }) =>
    cursor
      ? { items: [{ id: 'p9', version: 1, code: 'OMEGA', value: 0 }], next: null }
      : { items: promos, next: 'more' },
  )
  await show('/', { pageSize: 3 })
  expect(page).toHaveBeenLastCalledWith({ sort: 'code', limit: 3 })
  fireEvent.click(screen.getByRole('button', { name: 'table.page_after' }))
  await wait(50)
  expect(screen.getAllByRole('rowheader').map((one) => one.textContent)).toEqual(['OMEGA'])
  fireEvent.click(screen.getByRole('button', { name: 'table.page_before' }))
  await wait(50)
  expect(screen.getAllByRole('rowheader')).toHaveLength(3)
})

it('reload -> stays on its page; page empty -> goes back', async () => {
  const last = { id: 'p9', version: 1, code: 'OMEGA', value: 0 }
  page.mockImplementation(async ({ cursor }) =>
    cursor ? { items: [last], next: null } : { items: promos, next: 'more' },
  )
  const shown = () => screen.queryAllByRole('rowheader').map((one) => one.textContent)
  await show('/', { pageSize: 3 })
  fireEvent.click(screen.getByRole('button', { name: 'table.page_after' }))
  await wait(50)
  await act(() => reloadTable('promos'))
  await wait(100)
  expect(shown()).toEqual(['OMEGA'])
  await remove(0)
  expect(shown()).toEqual(['ALFA', 'BETA', 'GAMMA'])
})

describe('changes by others', () => {
  let office: TopicListener | null = null
  beforeEach(() => {
    office = null
    vi.spyOn(live, 'subscribe').mockImplementation((_topic, listener) => {
      office = listener
      return () => {}
    })
  })
  const notify = async (...tables: string[]) => {
    act(() => office?.event({ tables }))
    await wait(reloadIntervalMs + 100)
  }
  const codes = () => screen.getAllByRole('rowheader').map((one) => one.textContent)
  const newest = { id: 'p9', version: 1, code: 'NEW', value: 0 }

  it('row changed -> updates in place; row added -> waits for the button', async () => {
    await show('/', { news: 'promos' })
    promos = [newest, ...promos.map((promo) => ({ ...promo, version: 2, code: `${promo.code}2` }))]
    await notify('promos')
    expect(codes()).toEqual(['ALFA2', 'BETA2', 'GAMMA2'])
    fireEvent.click(screen.getByRole('button', { name: 'table.news_came' }))
    await wait(50)
    expect(codes()).toEqual(['NEW', 'ALFA2', 'BETA2', 'GAMMA2'])
    expect(screen.queryByRole('button', { name: 'table.news_came' })).toBeNull()
  })

  it('row removed -> announced; own changes -> not announced', async () => {
    await show('/', { news: 'promos' })
    await notify('promos')
    expect(screen.queryByRole('button', { name: /table.news/ })).toBeNull()
    promos = promos.slice(1)
    await notify('promos')
    expect(codes()).toHaveLength(3)
    fireEvent.click(screen.getByRole('button', { name: 'table.news_left' }))
    await wait(50)
    expect(codes()).toEqual(['BETA', 'GAMMA'])
  })

  it('another table -> ignored', async () => {
    await show('/', { news: 'promos' })
    const read = page.mock.calls.length
    await notify('audit', 'riders')
    expect(page.mock.calls.length).toBe(read)
  })

  it('empty or watched table -> shown immediately', async () => {
    const all = promos
    promos = []
    await show('/', { news: 'promos' })
    promos = all
    await notify('promos')
    expect(codes()).toEqual(['ALFA', 'BETA', 'GAMMA'])
    cleanup()
    await show('/', { news: 'promos', watched: true })
    promos = [newest, ...all]
    await notify('promos')
    expect(codes()[0]).toBe('NEW')
  })

  it('watched table, user works in a row -> waits', async () => {
    await show('/', { news: 'promos', watched: true })
    act(() => screen.getAllByRole('rowheader')[0]?.focus())
    promos = [newest, ...promos]
    await notify('promos')
    expect(codes()[0]).toBe('ALFA')
    expect(screen.getByRole('button', { name: 'table.news_came' })).toBeTruthy()
  })

  it('reconnected -> reloaded', async () => {
    await show('/', { news: 'promos' })
    act(() => {
      office?.snapshot({ tables: ['promos'] })
      office?.current(true)
    })
    promos = [newest, ...promos]
    await wait(reloadIntervalMs + 100)
    expect(screen.queryByRole('button', { name: 'table.news_came' })).toBeNull()
    act(() => {
      office?.current(false)
      office?.snapshot({ tables: ['promos'] })
    })
    await wait(reloadIntervalMs + 100)
    expect(screen.getByRole('button', { name: 'table.news_came' })).toBeTruthy()
  })
})

describe('demo closed to critical edits', () => {
  const routes = { save: 'promos.update', create: 'promos.create', remove: 'promos.remove' } as const
  const close = () =>
    act(() =>
      storeSettings({
        ...defaultSettings,
        AllowCriticalEditsAdmin: false,
        version: 2,
      } as unknown as PublicSettings),
    )

  it('remove -> refused immediately, row stays', async () => {
    await show('/', { routes })
    close()
    await remove(1)
    expect(screen.getByRole('alertdialog').textContent).toContain('error.demo_mode')
    await wait(6_000)
    expect(screen.getAllByRole('rowheader', { hidden: true })).toHaveLength(3)
    expect(removeCall).not.toHaveBeenCalled()
  })

  it('uncritical action -> allowed; critical cells -> not editable', async () => {
    await show('/', { routes })
    close()
    fireEvent.keyDown(screen.getAllByRole('rowheader')[0] as HTMLElement, { key: 'F2' })
    expect(screen.getByRole('textbox', { name: /code/ })).toBeTruthy()
    cleanup()
    await show('/', { routes: { ...routes, save: 'carTypes.update' } })
    fireEvent.keyDown(screen.getAllByRole('rowheader')[0] as HTMLElement, { key: 'F2' })
    expect(screen.queryByRole('textbox', { name: /code/ })).toBeNull()
  })
})

it.each([
  ['grid', 1000],
  ['cards', 390],
])('%s: row without actions -> no menu button', async (_look, width) => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) =>
      ({ matches: width < 640, media: query, addEventListener() {}, removeEventListener() {} }) as never,
  )
  const end = { id: 'end', label: 'End', icon: null, onSelect: () => {} }
  await show('/', {
    save: undefined,
    remove: undefined,
    rowActions: ({ code }) => (code === 'BETA' ? [end] : []),
  })
  expect(screen.getAllByRole(width < 640 ? 'listitem' : 'rowheader')).toHaveLength(3)
  expect(document.querySelectorAll('[aria-haspopup="menu"][aria-label^="table.actions_of"]')).toHaveLength(1)
})

it('dangerous bulk action -> asks for confirmation', async () => {
  const call = vi.fn<(promo: Promo) => Promise<Promo>>(async (promo) => ({ ...promo, version: 2 }))
  await show('/', { bulk: [{ id: 'end', label: 'End them', danger: true, call }] })
  const boxes = screen.getAllByRole('checkbox', { name: /table.select_row/ })
  for (const box of boxes.slice(0, 2)) fireEvent.click(box)
  fireEvent.click(screen.getByRole('button', { name: 'End them' }))
  const dialog = screen.getByRole('alertdialog')
  expect(call).not.toHaveBeenCalled()
  fireEvent.click(within(dialog).getByRole('button', { name: 'End them' }))
  await wait(50)
  expect(call.mock.calls.map(([promo]) => promo.code)).toEqual(['ALFA', 'BETA'])
})
