import type { Me } from '@hansom/contract/users'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../../lib/query-client.ts'
import { currentMe, storeMe, useMe } from '../../../lib/session.ts'
import { startEnglish, storeTestSettings } from '../../../lib/test-data.fixture.ts'
import { AccountSection } from './account-section.tsx'
import { SessionsSection } from './security-section.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  queryClient.clear()
})

function Sections() {
  const me = useMe()
  if (me === null) return null
  return (
    <>
      <SessionsSection />
      <AccountSection me={me} />
    </>
  )
}

it.each([
  ['signs out everywhere', 'profile.sign_out_everywhere'],
  ['deletes the account', 'profile.delete'],
])('user %s, then the connection is cut -> nothing of theirs stays on the page', async (_what, button) => {
  let isCut = false
  vi.stubGlobal('fetch', async (_path: string, { method = 'GET' }: RequestInit = {}) => {
    if (isCut) throw new TypeError('Failed to fetch')
    if (method === 'GET') return Response.json([])
    isCut = true
    return Response.json({ ok: true })
  })
  storeTestSettings({})
  startEnglish()
  storeMe({ uid: 'a', usertype: 'rider', version: 1, firstName: 'Ana', lastName: 'B' } as Me)
  queryClient.setQueryData(['a trip'], 'of the user')
  localStorage.setItem('hansom-alarm-closed', '5')
  const router = createRouter({
    routeTree: createRootRoute({ component: Sections }),
    history: createMemoryHistory({ initialEntries: ['/profile'] }),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  fireEvent.click(await screen.findByRole('button', { name: button }))
  const question = await screen.findByRole('alertdialog')
  expect(currentMe()).not.toBeNull()
  const name = screen.queryByRole('textbox')
  if (name !== null) {
    fireEvent.change(name, { target: { value: 'Ana B' } })
    fireEvent.submit(name)
  } else fireEvent.click(within(question).getByRole('button', { name: button }))
  await waitFor(() => expect(currentMe()).toBeNull())
  expect([queryClient.getQueryData(['a trip']), localStorage.getItem('hansom-alarm-closed')]).toEqual([
    undefined,
    null,
  ])
  await waitFor(() => expect(router.state.location.pathname).toBe('/'))
})
