import { ApiError } from '@hansom/client/api-error'
import type { PublicSettings } from '@hansom/contract/settings'
import type { TableSpec } from '@hansom/contract/tables'
import { defaultSettings } from '@hansom/domain/settings/settings'
import { onlineManager } from '@tanstack/react-query'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { storeSettings } from '../../lib/settings.ts'
import {
  cell,
  type Promo,
  page,
  press,
  removeCall,
  save,
  server,
  setUpTable,
  show,
  spec,
  type,
  wait,
} from './data-table.fixture.tsx'
import { reloadTable } from './table-updates.ts'

const mediaQuery = (media: string, matches: boolean): MediaQueryList =>
  Object.assign(new EventTarget(), { media, matches, onchange: null, addListener() {}, removeListener() {} })

setUpTable()

it('rendered -> grid with row and column counts and sort order', async () => {
  await show()
  const grid = screen.getByRole('grid', { name: 'promos' })
  expect(grid.getAttribute('aria-rowcount')).toBe('4')
  expect(grid.getAttribute('aria-colcount')).toBe('3')
  expect(screen.getByRole('columnheader', { name: 'code' }).getAttribute('aria-sort')).toBe('ascending')
  expect(screen.getAllByRole('rowheader').map((one) => one.textContent)).toEqual(['ALFA', 'BETA', 'GAMMA'])
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
  expect(removeCall).toHaveBeenCalledExactlyOnceWith(server.promos[1])
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
  page.mockImplementation(async ({ q }) => ({ items: q ? [] : server.promos, next: null }))
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
      : { items: server.promos, next: 'more' },
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
    cursor ? { items: [last], next: null } : { items: server.promos, next: 'more' },
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
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => mediaQuery(query, width < 640))
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

describe('filters by days', () => {
  const withDays = {
    ...spec,
    filters: { ...spec.filters, at: { kind: 'days' } },
  } as const satisfies TableSpec
  const filters = { active: { label: 'active' }, at: { label: 'at' } }
  const open = async (address = '/') => {
    const router = await show(address, { spec: withDays, filters } as object)
    fireEvent.click(screen.getByRole('button', { name: 'table.filter' }))
    fireEvent.click(screen.getByRole('menuitem', { name: 'at' }))
    return router
  }

  it('preset -> stays relative in the URL, dates in the query', async () => {
    vi.setSystemTime('2026-11-25T12:00:00Z')
    const router = await open()
    fireEvent.click(screen.getByRole('button', { name: 'table.days_last_week' }))
    await wait(50)
    expect(router.state.location.search).toEqual({ at: 'last_week' })
    expect(page.mock.lastCall?.[0]).toMatchObject({ at: '2026-11-16..2026-11-22' })
  })

  it('range ends before it starts -> says so, is not applied', async () => {
    const router = await open()
    fireEvent.change(screen.getByLabelText('table.from'), { target: { value: '2026-11-30' } })
    fireEvent.change(screen.getByLabelText('table.to'), { target: { value: '2026-11-01' } })
    fireEvent.click(screen.getByRole('button', { name: 'table.apply' }))
    expect(screen.getByText('error.field_reversed_range')).toBeTruthy()
    expect(router.state.location.search).toEqual({})
  })
})

it('unknown filter value in the URL -> ignored with a notice that removes it', async () => {
  const router = await show('/?active=maybe')
  expect(page.mock.lastCall?.[0]).toEqual({ sort: 'code', limit: 100 })
  expect(screen.getByText('table.filter_invalid', { exact: false })).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'table.filter_remove' }))
  await wait(50)
  expect(router.state.location.search).toEqual({})
  expect(screen.queryByText('table.filter_invalid', { exact: false })).toBeNull()
})

it('rows with pages -> links; click opens here, Ctrl or the middle button in a new tab', async () => {
  const onOpen = vi.fn<(promo: Promo) => void>()
  const openTab = vi.spyOn(window, 'open').mockReturnValue(null)
  await show('/', { onOpen, link: ({ id }) => `/promo/${id}`, save: undefined })
  const link = within(cell(0, 0)).getByRole('link', { name: 'ALFA' })
  expect(link.getAttribute('href')).toBe('/promo/p0')
  fireEvent.click(link)
  fireEvent.click(cell(0, 1))
  expect(onOpen).toHaveBeenCalledTimes(2)
  fireEvent.click(cell(1, 1), { ctrlKey: true })
  fireEvent(cell(2, 1), new MouseEvent('auxclick', { bubbles: true, button: 1 }))
  fireEvent(cell(2, 1), new MouseEvent('auxclick', { bubbles: true, button: 2 }))
  expect(openTab.mock.calls.map(([url]) => url)).toEqual(['/promo/p1', '/promo/p2'])
  expect(onOpen).toHaveBeenCalledTimes(2)
  act(() => cell(1, 0).focus())
  press('Enter')
  expect(onOpen).toHaveBeenLastCalledWith(expect.objectContaining({ id: 'p1' }))
})

describe('phone', () => {
  beforeEach(() => {
    vi.spyOn(window, 'matchMedia').mockImplementation((query) => mediaQuery(query, true))
  })

  it('sort menu -> sorts, and reverses the current order', async () => {
    const router = await show()
    const choose = async (name: string) => {
      fireEvent.click(screen.getByRole('button', { name: /table.sorted/ }))
      fireEvent.click(screen.getByRole('menuitem', { name }))
      await wait(50)
      return router.state.location.search
    }
    expect(await choose('value')).toEqual({ sort: 'value' })
    expect(await choose('value')).toEqual({ sort: '-value' })
  })

  it('card tapped -> opens its edit dialog; refused -> what was typed stays', async () => {
    save.mockRejectedValueOnce(new ApiError('proper_input_name', 400))
    await show()
    fireEvent.click(screen.getAllByRole('button', { name: 'table.open_row' })[0] as HTMLElement)
    const dialog = screen.getByRole('dialog')
    fireEvent.change(within(dialog).getByLabelText('code'), { target: { value: 'OMEGA' } })
    fireEvent.click(within(dialog).getByRole('button', { name: 'table.save' }))
    await wait(50)
    expect(within(dialog).getByLabelText<HTMLInputElement>('code').value).toBe('OMEGA')
    expect(within(dialog).getByRole('alert')).toBeTruthy()
    fireEvent.click(within(dialog).getByRole('button', { name: 'table.save' }))
    await wait(50)
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.getByText('OMEGA')).toBeTruthy()
  })

  it('row dialog: other fields changed meanwhile -> merged and saved, and can be undone', async () => {
    await show()
    save.mockImplementationOnce(async (promo) => {
      throw new ApiError('conflict', 409, { data: { current: { ...promo, value: 70_000, version: 5 } } })
    })
    fireEvent.click(screen.getAllByRole('button', { name: 'table.open_row' })[0] as HTMLElement)
    const dialog = screen.getByRole('dialog')
    fireEvent.change(within(dialog).getByLabelText('code'), { target: { value: 'OMEGA' } })
    fireEvent.click(within(dialog).getByRole('button', { name: 'table.save' }))
    await wait(50)
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(save).toHaveBeenLastCalledWith(expect.objectContaining({ value: 70_000, version: 5 }), {
      code: 'OMEGA',
    })
    fireEvent.click(screen.getByText('table.undo'))
    await wait(700)
    expect(save).toHaveBeenLastCalledWith(expect.objectContaining({ code: 'OMEGA' }), { code: 'ALFA' })
  })
})

it('table with sums -> asks for them with the filters, and shows them in a total row', async () => {
  const withSums = { ...spec, sums: ['value'] } as const satisfies TableSpec
  const count = vi.fn(async () => ({ count: 3, more: false, sums: { value: 30_000 } }))
  await show('/?active=true', { spec: withSums, count, totalsNote: 'things.totals_note' } as object)
  expect(screen.getByText('things.totals_note')).toBeTruthy()
  expect(count).toHaveBeenCalledWith({ active: 'true', sums: 'true' })
  const total = screen.getByRole('row', { name: /table.total/ })
  expect(within(total).getByText('$3')).toBeTruthy()
  expect(total.getAttribute('aria-rowindex')).toBe('5')
})

it('no shown column has a sum -> no total row', async () => {
  const withSums = { ...spec, sums: ['value'] } as const satisfies TableSpec
  const count = vi.fn(async () => ({ count: 3, more: false, sums: { value: 30_000 } }))
  await show('/?columns=-value', { spec: withSums, count, totalsNote: 'things.totals_note' } as object)
  expect(count).toHaveBeenCalledWith({ sums: 'true' })
  expect(screen.getByText('ALFA')).toBeTruthy()
  expect(screen.queryByText('things.totals_note')).toBeNull()
  expect(screen.queryByRole('row', { name: /table.total/ })).toBeNull()
})

it('search offline -> says so; back online -> the results', async () => {
  await show()
  act(() => onlineManager.setOnline(false))
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'beta' } })
  await wait(1_000)
  expect(screen.getByText('table.offline')).toBeTruthy()
  act(() => onlineManager.setOnline(true))
  await wait(1_000)
  expect(screen.queryByText('table.offline')).toBeNull()
})
