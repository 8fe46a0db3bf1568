import { hiddenForDemo } from '@hansom/domain/access/mask-contacts'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../../lib/test-data.fixture.ts'
import { UserDrawer } from './user-drawer.tsx'

afterEach(() => {
  cleanup()
  queryClient.clear()
  vi.unstubAllGlobals()
})

async function show(mobile: string) {
  const user = { uid: 'u1', usertype: 'rider', firstName: 'Ana', lastName: 'B', approved: true, mobile }
  const none = { rating: null, walletBalance: null, rejection: null, queue: null, driverActiveStatus: null }
  vi.stubGlobal('fetch', async () => Response.json({ ...user, ...none, createdAt: 0, loginType: 'email' }))
  vi.stubGlobal('scrollTo', () => {})
  startEnglish()
  storeTestSettings({ symbol: '$', decimal: 0, timezone: 'UTC', version: 1 })
  const drawer = () => <UserDrawer id="u1" onClose={() => {}} onLicence={() => {}} actions={() => null} />
  const router = createRouter({
    routeTree: createRootRoute({ component: drawer }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return screen.findByText(mobile)
}

it('user drawer: mobile -> a link that calls it', async () => {
  const number = await show('+59899700001')
  expect(number.closest('a')?.getAttribute('href')).toBe('tel:+59899700001')
})

it('user drawer: mobile hidden in a demo -> no link', async () => {
  expect((await show(hiddenForDemo)).closest('a')).toBeNull()
})
