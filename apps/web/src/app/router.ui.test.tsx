import { act, cleanup, render, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { storeMe } from '../lib/session.ts'
import { startEnglish, storeTestSettings } from '../lib/test-data.fixture.ts'
import { App } from './app.tsx'
import { createAppRouter } from './router.tsx'

const scrolled = vi.fn()
/** Generous because CI machines can be slow; the test asserts no timing. */
const patience = { timeout: 30_000 }

beforeEach(() => {
  startEnglish()
  storeTestSettings({ appName: 'Hansom', country: 'UY', demo: false })
  storeMe(null)
  vi.stubGlobal('fetch', async () => Response.json(null))
  vi.stubGlobal('scrollTo', scrolled.mockClear())
  history.replaceState(null, '', '/login')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it.each([
  ['scrolled before the app starts -> stays there', 300, 0],
  ['not scrolled -> starts at the top', 0, 1],
])(
  'first page: %s; the next page starts at the top',
  async (_case, scrollY, first) => {
    vi.stubGlobal('scrollY', scrollY)
    const router = createAppRouter()
    await router.load()
    render(<App router={router} />)
    await waitFor(() => expect(router.state.resolvedLocation?.pathname).toBe('/login'), patience)
    expect(scrolled).toHaveBeenCalledTimes(first)

    scrolled.mockClear()
    await act(() => router.navigate({ to: '/about-us' }))
    await waitFor(() => expect(scrolled).toHaveBeenCalledWith({ top: 0, left: 0 }), patience)
  },
  60_000,
)
