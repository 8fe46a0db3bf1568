import type { PublicSettings } from '@hansom/contract/settings'
import type { UserView } from '@hansom/contract/users'
import { defaultSettings } from '@hansom/domain/settings/settings'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../../lib/query-client.ts'
import { storeSettings } from '../../../lib/settings.ts'
import { startEnglish } from '../../../lib/test-data.fixture.ts'
import { ApprovalDialog } from './user-dialogs.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it.each([
  [true, 'disapprove'],
  [false, 'approve'],
])('ApprovalDialog: approved %s -> asks, then sends %s with the version read', async (approved, command) => {
  const sent: [string, unknown][] = []
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit = {}) => {
    sent.push([new URL(url, 'http://x').pathname, JSON.parse(String(body))])
    return new Response(JSON.stringify({ uid: 'u1', version: 8 }))
  })
  startEnglish()
  storeSettings({ ...defaultSettings, version: 1 } as unknown as PublicSettings)
  const user = { uid: 'u1', version: 7, approved, firstName: 'Ana', lastName: 'B' } as UserView
  const onSaved = vi.fn<(user: UserView) => void>()
  const router = createRouter({
    routeTree: createRootRoute({
      component: () => <ApprovalDialog user={user} onClose={() => {}} onSaved={onSaved} />,
    }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  expect(await screen.findByText(`users.confirm_${command}`, { exact: false })).toBeTruthy()
  expect(sent).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: `users.${command}` }))
  await waitFor(() => expect(onSaved).toHaveBeenCalledOnce())
  expect(sent).toEqual([[`/api/v1/users/u1/${command}`, { version: 7 }]])
})
