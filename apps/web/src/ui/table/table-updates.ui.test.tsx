import type { TopicListener } from '@hansom/client/live-client'
import type { TableChanges } from '@hansom/contract/live'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { live } from '../../lib/live.ts'
import { page, server, setUpTable, show, wait } from './data-table.fixture.tsx'
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
