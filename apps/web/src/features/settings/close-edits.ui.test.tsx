import words from '@hansom/domain/languages/packs/en/settings.json'
import { defaultSettings } from '@hansom/domain/settings/settings'
import { valuesOf } from '@hansom/domain/settings/values'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../lib/test-data.fixture.ts'
import { SettingInput } from './setting-input.tsx'
import { SettingsPage } from './settings-page.tsx'

const settings = {
  version: 1,
  category: 'taxi',
  currencyInUse: false,
  licensed: false,
  licenceRefused: false,
  values: valuesOf(defaultSettings),
}
let saved: unknown[]

beforeEach(() => {
  saved = []
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit = {}) => {
    if (init.method !== 'PATCH') return Response.json(settings)
    const body = JSON.parse(String(init.body)) as object
    saved.push(body)
    return Response.json({ ...settings, version: 2, values: { ...settings.values, ...body } })
  })
  vi.stubGlobal('scrollTo', () => {})
  const texts = Object.entries(words).map(([name, text]) => [`settings.${name}`, text])
  startEnglish(Object.fromEntries(texts))
  storeTestSettings({ symbol: '$', decimal: 0, timezone: 'UTC', version: 1 })
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  vi.unstubAllGlobals()
})

it('critical edits: switched off -> confirmed before they are saved', async () => {
  const page = () => (
    <SettingsPage title="Settings" lead="" sections={[]}>
      {(form) => <SettingInput name="AllowCriticalEditsAdmin" form={form} />}
    </SettingsPage>
  )
  const router = createRouter({
    routeTree: createRootRoute({ component: page }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))
  fireEvent.click(await screen.findByRole('switch', { name: words.field_AllowCriticalEditsAdmin }))
  await press(words.save)
  expect(await screen.findByText(words.close_edits_text)).toBeTruthy()
  await press('common.cancel')
  await waitFor(() => expect(screen.queryByText(words.close_edits_text)).toBeNull())
  expect(saved).toEqual([])
  await press(words.save)
  await press(words.close_edits)
  await waitFor(() => expect(saved).toEqual([{ version: 1, AllowCriticalEditsAdmin: false }]))
})
