import type { FoundBooking } from '@hansom/contract/search'
import { QueryClientProvider } from '@tanstack/react-query'
import { renderHook, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { serverNow } from '../../lib/clock.ts'
import { queryClient } from '../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../lib/test-data.fixture.ts'
import type { MenuEntry } from '../menu.ts'
import { usePaletteGroups } from './use-palette-groups.ts'

beforeEach(() => {
  queryClient.clear()
  storeTestSettings()
  startEnglish()
})
afterEach(() => vi.unstubAllGlobals())

it('found bookings: drivers not asked yet -> upcoming, otherwise their status', async () => {
  const booking = (id: string, drivers_asked_at: number): FoundBooking => ({
    id,
    booking_id: id,
    status: 'NEW',
    tripdate: 0,
    drivers_asked_at,
    pickupAddress: 'Here',
    dropAddress: 'There',
    name: null,
  })
  const bookings = [booking('later', serverNow() + 3_600_000), booking('now', serverNow() - 1000)]
  vi.stubGlobal('fetch', async () => Response.json({ riders: [], drivers: [], bookings }))
  const { result } = renderHook(() => usePaletteGroups('here', { uid: 'u', pages: [], commands: [] }), {
    wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
  })
  await waitFor(() => expect(result.current.groups).toHaveLength(1))
  expect(result.current.groups[0]?.items.map(({ note }) => note)).toEqual([
    'history.status_planned',
    'history.status_NEW',
  ])
})

it('pages: a word that means one -> found, although its name has another', async () => {
  storeTestSettings()
  vi.stubGlobal('fetch', async () => Response.json({ riders: [], drivers: [], bookings: [] }))
  startEnglish({
    'menu.disputes': 'Refunds',
    'palette.also_cartypes': 'fare price',
    'menu.cartypes': 'Car types',
  })
  const pages: MenuEntry[] = [
    { path: '/cartypes', label: 'menu.cartypes', icon: 'cartypes' },
    { path: '/disputes', label: 'menu.disputes', icon: 'disputes' },
  ] as unknown as MenuEntry[]
  const found = async (typed: string) => {
    const { result } = renderHook(() => usePaletteGroups(typed, { uid: 'u', pages, commands: [] }), {
      wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
    })
    await waitFor(() => expect(result.current).not.toBeNull())
    return result.current.groups.flatMap(({ items }) => items.map(({ label }) => label))
  }
  expect(await found('f')).toEqual(['Car types'])
  expect(await found('r')).toEqual(['Refunds'])
})
