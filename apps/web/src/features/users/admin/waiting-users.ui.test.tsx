import type { TopicListener } from '@hansom/client/live-client'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { live } from '../../../lib/live.ts'
import { queryClient } from '../../../lib/query-client.ts'
import { startEnglish } from '../../../lib/test-data.fixture.ts'
import { WaitingUsers } from './waiting-users.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

it('waiting users: drivers change -> counted again; riders change -> not', async () => {
  let count = 1
  let requests = 0
  let office: Required<TopicListener<'office'>> | null = null
  vi.stubGlobal('fetch', async () => {
    requests += 1
    return Response.json({ count, more: false })
  })
  vi.spyOn(live, 'subscribe').mockImplementation((_topic, listener) => {
    office = listener as Required<TopicListener<'office'>>
    return () => {}
  })
  queryClient.clear()
  startEnglish({ 'users.waiting_one': '{{count}} waits', 'users.waiting_other': '{{count}} wait' })
  const router = createRouter({
    routeTree: createRootRoute({ component: () => <WaitingUsers usertype="driver" /> }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  await screen.findByText('1 waits')
  count = 2
  act(() => office?.event({ tables: ['riders'] }))
  expect(requests).toBe(1)
  act(() => office?.event({ tables: ['drivers', 'audit'] }))
  await screen.findByText('2 wait')
  expect(requests).toBe(2)
})
