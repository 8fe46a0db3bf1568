import { ApiError } from '@hansom/client/api-error'
import type { TopicListener } from '@hansom/client/live-client'
import type { TableChanges } from '@hansom/contract/live'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { live } from '../../lib/live.ts'
import { cell, type Promo, page, removeCall, server, setUpTable, show, wait } from './data-table.fixture.tsx'
import { reloadIntervalMs } from './table-updates.ts'

setUpTable()

describe('changes by others', () => {
  let office: Required<TopicListener<'office'>> | null = null
  beforeEach(() => {
    office = null
    vi.spyOn(live, 'subscribe').mockImplementation((_topic, listener) => {
      office = listener as Required<TopicListener<'office'>>
      return () => {}
    })
  })
  const notify = async (...tables: TableChanges['tables']) => {
    act(() => office?.event({ tables }))
    await wait(reloadIntervalMs + 100)
  }
  const codes = () => screen.getAllByRole('rowheader').map((one) => one.textContent)
  const newest = { id: 'p9', version: 1, code: 'NEW', value: 0 }

  it('row changed -> updates in place; row added -> waits for the button', async () => {
    await show('/', { changeEvents: 'promos' })
    server.promos = [
      newest,
      ...server.promos.map((promo) => ({ ...promo, version: 2, code: `${promo.code}2` })),
    ]
    await notify('promos')
    expect(codes()).toEqual(['ALFA2', 'BETA2', 'GAMMA2'])
    fireEvent.click(screen.getByRole('button', { name: 'table.new_rows' }))
    await wait(50)
    expect(codes()).toEqual(['NEW', 'ALFA2', 'BETA2', 'GAMMA2'])
    expect(screen.queryByRole('button', { name: 'table.new_rows' })).toBeNull()
  })

  it('row removed -> announced; own changes -> not announced', async () => {
    await show('/', { changeEvents: 'promos' })
    await notify('promos')
    expect(screen.queryByRole('button', { name: /table.news/ })).toBeNull()
    server.promos = server.promos.slice(1)
    await notify('promos')
    expect(codes()).toHaveLength(3)
    fireEvent.click(screen.getByRole('button', { name: 'table.rows_changed' }))
    await wait(50)
    expect(codes()).toEqual(['BETA', 'GAMMA'])
  })

  it('row no longer matches -> count agrees with the rows until they are shown', async () => {
    await show('/?active=true', { changeEvents: 'promos' })
    const count = () => screen.getByRole('heading', { level: 1 }).nextElementSibling?.textContent
    expect(count()).toBe('3')
    server.promos = server.promos.slice(1)
    await notify('promos')
    expect([count(), codes().length]).toEqual(['3', 3])
    fireEvent.click(screen.getByRole('button', { name: 'table.rows_changed' }))
    await wait(50)
    expect([count(), codes().length]).toEqual(['2', 2])
  })

  it('another table -> ignored', async () => {
    await show('/', { changeEvents: 'promos' })
    const read = page.mock.calls.length
    await notify('audit', 'riders')
    expect(page.mock.calls.length).toBe(read)
  })

  it('empty or watched table -> shown immediately', async () => {
    const all = server.promos
    server.promos = []
    await show('/', { changeEvents: 'promos' })
    server.promos = all
    await notify('promos')
    expect(codes()).toEqual(['ALFA', 'BETA', 'GAMMA'])
    cleanup()
    await show('/', { changeEvents: 'promos', watched: true })
    server.promos = [newest, ...all]
    await notify('promos')
    expect(codes()[0]).toBe('NEW')
  })

  it('watched table, user works in a row -> waits', async () => {
    await show('/', { changeEvents: 'promos', watched: true })
    act(() => screen.getAllByRole('rowheader')[0]?.focus())
    server.promos = [newest, ...server.promos]
    await notify('promos')
    expect(codes()[0]).toBe('ALFA')
    expect(screen.getByRole('button', { name: 'table.new_rows' })).toBeTruthy()
  })

  it('reconnected -> reloaded', async () => {
    await show('/', { changeEvents: 'promos' })
    act(() => {
      office?.snapshot({ tables: ['promos'] })
      office?.current(true)
    })
    server.promos = [newest, ...server.promos]
    await wait(reloadIntervalMs + 100)
    expect(screen.queryByRole('button', { name: 'table.new_rows' })).toBeNull()
    act(() => {
      office?.current(false)
      office?.snapshot({ tables: ['promos'] })
    })
    await wait(reloadIntervalMs + 100)
    expect(screen.getByRole('button', { name: 'table.new_rows' })).toBeTruthy()
  })
})

async function remove() {
  fireEvent.click(cell(1, 2).querySelector('button') as HTMLElement)
  fireEvent.click(screen.getByRole('menuitem', { name: 'table.remove' }))
  await wait(1)
}

it('removed, undone, removed for good -> the heading counts the rows shown', async () => {
  const count = () => screen.getByRole('heading', { level: 1 }).nextElementSibling?.textContent
  await show()
  await remove()
  expect(count()).toBe('2')
  fireEvent.click(screen.getByText('table.undo'))
  await wait(1)
  expect(count()).toBe('3')
  await remove()
  await wait(5000)
  expect([removeCall.mock.calls.length, count()]).toEqual([1, '2'])
})

describe('row created', () => {
  const after = <T,>(ms: number, value: T) => new Promise<T>((done) => setTimeout(done, ms, value))
  const made = { id: 'p9', version: 1, code: 'BRAVO', value: 0 }
  const create = {
    label: 'create',
    dialog: ({ onCreated }: { onCreated: (promo: Promo) => void }) => (
      <button type="button" onClick={() => onCreated(made)}>
        Made
      </button>
    ),
  }
  const codes = () => screen.getAllByRole('rowheader').map((one) => one.textContent)
  const createOne = () => {
    fireEvent.click(screen.getByRole('button', { name: 'create' }))
    fireEvent.click(screen.getByText('Made'))
  }

  it('its page is loaded -> on top until the page is read again, then where the sort puts it', async () => {
    await show('/', { create })
    server.promos = server.promos.toSpliced(2, 0, made)
    page.mockImplementation(() => after(100, { items: server.promos, next: null }))
    createOne()
    await wait(50)
    expect(codes()).toEqual(['BRAVO', 'ALFA', 'BETA', 'GAMMA'])
    await wait(100)
    expect(codes()).toEqual(['ALFA', 'BETA', 'BRAVO', 'GAMMA'])
  })

  it('on a page that is not loaded -> stays on top', async () => {
    await show('/', { create })
    createOne()
    await wait(100)
    expect(codes()).toEqual(['BRAVO', 'ALFA', 'BETA', 'GAMMA'])
  })

  it('the page cannot be read -> stays on top', async () => {
    await show('/', { create })
    page.mockRejectedValue(new ApiError('not_found', 404))
    createOne()
    await wait(100)
    expect(codes()).toEqual(['BRAVO', 'ALFA', 'BETA', 'GAMMA'])
  })
})
