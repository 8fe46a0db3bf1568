import type { Me } from '@hansom/contract/users'
import { createMemoryHistory } from '@tanstack/react-router'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { startLanguage, text } from '../lib/i18n.ts'
import { storeMe, switchSession } from '../lib/session.ts'
import { storeTestSettings } from '../lib/test-data.fixture.ts'
import { App } from './app.tsx'
import { createAppRouter } from './router.tsx'

vi.mock('./shells/public-shell.tsx', () => ({ PublicShell: () => <p>site</p> }))
vi.mock('./shells/app-shell.tsx', () => ({ AppShell: () => <p>{text('menu.bookings')}</p> }))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Generous because CI machines can be slow; the test asserts no timing. */
const patience = { timeout: 30_000 }
const rider = { uid: 'a', usertype: 'rider', version: 1, firstName: 'A', lastName: 'B', email: 'a@x.test' }

it('front page: visitor signs in -> the app shell shows its texts', async () => {
  const english = { langName: 'English', langLocale: 'en', dateLocale: 'en', default: true } as const
  const pack = { ...english, direction: 'ltr', keyValuePairs: { 'menu.bookings': 'My bookings' } } as const
  startLanguage({ ...pack, keyValuePairs: {} }, [], ['common'])
  storeTestSettings({ appName: 'Hansom', country: 'UY', demo: false })
  storeMe(null)
  vi.stubGlobal('scrollTo', () => {})
  vi.stubGlobal('fetch', async (asked: string) => {
    if (asked.endsWith('/me')) return Response.json(rider as Partial<Me>)
    if (!asked.includes('/languages/')) return Response.json(null)
    // Arrives after the code.
    await new Promise((resume) => setTimeout(resume, 300))
    return Response.json(asked.includes('menu') ? pack : { ...pack, keyValuePairs: {} })
  })
  const complained = vi.spyOn(console, 'error')
  const router = createAppRouter(createMemoryHistory({ initialEntries: ['/'] }))
  await router.load()
  render(<App router={router} />)
  await screen.findByText('site')
  await act(() => router.navigate({ to: '/login' }))

  await act(() => switchSession())
  await act(() => router.navigate({ to: '/' }))
  await screen.findByText('My bookings', undefined, patience)
  expect(complained.mock.calls.flat().filter((words) => String(words).includes('without the texts'))).toEqual(
    [],
  )
  await waitFor(() => expect(router.state.status).toBe('idle'), patience)
}, 60_000)
