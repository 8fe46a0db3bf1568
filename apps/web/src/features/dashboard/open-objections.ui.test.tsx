import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startLanguage } from '../../lib/i18n.ts'
import { queryClient } from '../../lib/query-client.ts'
import { OpenObjections } from './dashboard-screen.tsx'

const asked: string[] = []
beforeEach(() => {
  const language = { langName: 'English', langLocale: 'en', dateLocale: 'en', default: true } as const
  const keyValuePairs = {
    'dashboard.objections_one': '{{count}} waits',
    'dashboard.objections_other': '{{count}} wait',
    'dashboard.objections_open': 'Review',
  }
  startLanguage({ ...language, direction: 'ltr', keyValuePairs }, [])
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
