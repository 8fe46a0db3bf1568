import type { Me } from '@hansom/contract/users'
import { hiddenForDemo } from '@hansom/domain/access/mask-contacts'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../lib/query-client.ts'
import { storeMe } from '../../lib/session.ts'
import { startEnglish } from '../../lib/test-data.fixture.ts'
import type { FleetCar } from '../../map/fleet-layer.tsx'
import { CarLinks } from './fleet-panel.tsx'

const car: FleetCar = {
  id: '0192f5d4-7b1c-7c3d-8e2f-1a2b3c4d5e6f',
  lat: 0,
  lng: 0,
  bearing: null,
  name: 'Paula',
  vehicleNumber: 'SDM 2026',
  carType: null,
  carImage: null,
  busy: false,
}

afterEach(() => {
  cleanup()
  queryClient.clear()
  vi.unstubAllGlobals()
})

/** Shows the links of a car's card, and returns the paths it has requested. */
async function show(respond: () => Response): Promise<string[]> {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(new URL(url, 'http://x').pathname)
    return respond()
  })
  vi.stubGlobal('scrollTo', () => {})
  storeMe({ uid: 'f1', usertype: 'fleetadmin' } as Me)
  startEnglish({ 'dashboard.driver_details': 'Driver' })
  const router = createRouter({
    routeTree: createRootRoute({ component: () => <CarLinks car={car} /> }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  await screen.findByRole('link', { name: 'Driver' })
  await waitFor(() => expect(asked).toHaveLength(1))
  return asked
}

it('car card: opened -> the driver is fetched, and can be called', async () => {
  const asked = await show(() => Response.json({ mobile: '+59899700001' }))
  expect(asked).toEqual([`/api/v1/users/${car.id}`])
  const link = await screen.findByRole('link', { name: '+59899700001' })
  expect(link.getAttribute('href')).toBe('tel:+59899700001')
})

it.each([
  ['no number', () => Response.json({ mobile: null })],
  ['a number hidden in a demo', () => Response.json({ mobile: hiddenForDemo })],
  ['not for this user', () => Response.json({ error: 'not_found' }, { status: 404 })],
])('car card: %s -> the other links only', async (_case, respond) => {
  await show(respond)
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  expect(screen.getAllByRole('link')).toHaveLength(1)
})
