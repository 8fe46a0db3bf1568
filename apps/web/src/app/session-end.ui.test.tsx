import type { Me } from '@hansom/contract/users'
import { createMemoryHistory } from '@tanstack/react-router'
import { cleanup, render, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { startLanguage } from '../lib/i18n.ts'
import { handleSessionEnd, storeMe } from '../lib/session.ts'
import { storeTestSettings } from '../lib/test-data.fixture.ts'
import { App } from './app.tsx'
import { createAppRouter } from './router.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** Generous because CI machines can be slow; the test asserts no timing. */
const patience = { timeout: 30_000 }

it('session ends on a signed-in page -> redirects to sign-in with the URL to return to', async () => {
  const english = {
    langName: 'English',
    langLocale: 'en',
    dateLocale: 'en',
    default: true,
    direction: 'ltr',
  } as const
  startLanguage({ ...english, keyValuePairs: {} }, [english])
  storeTestSettings({ appName: 'Hansom', country: 'UY', demo: false })
  storeMe({ uid: 'a', usertype: 'rider', version: 1, firstName: 'A', lastName: 'B', email: 'a@x.test' } as Me)
  vi.stubGlobal('fetch', async () => Response.json(null))
  vi.stubGlobal('scrollTo', () => {})
  const router = createAppRouter(createMemoryHistory({ initialEntries: ['/wallet'] }))
  await router.load()
  render(<App router={router} />)
  expect(router.state.location.pathname).toBe('/wallet')

  await handleSessionEnd()
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'), patience)
  expect(router.state.location.search).toMatchObject({ next: '/wallet' })
  // Requests still pending when a test ends must not reach the next page.
  await waitFor(() => expect(router.state.status).toBe('idle'), patience)
}, 60_000)
