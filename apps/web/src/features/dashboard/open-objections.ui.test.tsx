import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../lib/query-client.ts'
import { startEnglish } from '../../lib/test-data.fixture.ts'
import { OpenObjections } from './dashboard-screen.tsx'

const asked: string[] = []
beforeEach(() => {
  const keyValuePairs = {
    'dashboard.objections_one': '{{count}} waits',
    'dashboard.objections_other': '{{count}} wait',
    'dashboard.objections_open': 'Review',
  }
  startEnglish(keyValuePairs)
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  asked.length = 0
  vi.unstubAllGlobals()
})

function show(count: number): void {
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(new URL(url, 'http://x').search)
    return Response.json({ count, more: false })
  })
  const routeTree = createRootRoute({ component: OpenObjections })
  const router = createRouter({ routeTree, history: createMemoryHistory({ initialEntries: ['/'] }) })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
}

it('objections: some are open -> their number and a link', async () => {
  show(2)
  const link = await screen.findByRole('link', { name: 'Review' })
  expect(link.getAttribute('href')).toBe('/disputes')
  expect(screen.getByRole('status').textContent).toContain('2 wait')
  expect(asked).toEqual(['?objection=open'])
})

it('objections: none open -> no notice', async () => {
  show(0)
  await waitFor(() => expect(asked).toHaveLength(1))
  expect(screen.queryByRole('link')).toBeNull()
})
