import words from '@hansom/domain/languages/packs/en/settings.json'
import { unit } from '@hansom/domain/money/amount'
import { defaultSettings } from '@hansom/domain/settings/settings'
import { valuesOf } from '@hansom/domain/settings/values'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../lib/query-client.ts'
import { economy, startEnglish, storeTestSettings } from '../../lib/test-data.fixture.ts'
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
const priced = {
  ...economy,
  base_fare: 50 * unit,
  rate_per_unit_distance: 29 * unit,
  rate_per_hour: 0,
  min_fare: 0,
  convenience_fees: 0,
}
let saved: unknown[]

beforeEach(() => {
  saved = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    if (new URL(url, 'http://x').pathname.endsWith('/car-types')) return Response.json([priced])
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

const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))

/** Switches the unit to miles, and saves. */
async function switchToMiles() {
  const page = () => (
    <SettingsPage title="Settings" lead="" sections={[]}>
      {(form) => <SettingInput name="convert_to_mile" form={form} />}
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
  fireEvent.click(await screen.findByRole('switch', { name: words.field_convert_to_mile }))
  await press(words.save)
  return within(await screen.findByRole('dialog', { name: words.units_to_miles }))
}

it('unit: switched -> asks, with fares of three trips and the radius now, converted and kept', async () => {
  const dialog = await switchToMiles()
  await dialog.findByRole('caption')
  const rows = dialog.getAllByRole('row').map(({ children }) => [...children].map((cell) => cell.textContent))
  expect(rows).toEqual([
    ['Trip', 'Now', 'Converted', 'Kept'],
    ['3 km', '$137', '$138', '$104'],
    ['8 km', '$282', '$284', '$194'],
    ['20 km', '$630', '$634', '$410'],
    [words.field_driverRadius, '10 km', '6.2 mi', '10 mi'],
  ])
  expect(saved).toEqual([])
})

it('unit: convert -> saved with the conversion', async () => {
  const dialog = await switchToMiles()
  fireEvent.click(dialog.getByRole('button', { name: words.save }))
  await waitFor(() => expect(saved).toEqual([{ version: 1, convert_to_mile: true, convertUnits: true }]))
})

it('unit: keep -> saved without it', async () => {
  const dialog = await switchToMiles()
  fireEvent.click(dialog.getByRole('radio', { name: /^Keep them/ }))
  fireEvent.click(dialog.getByRole('button', { name: words.save }))
  await waitFor(() => expect(saved).toEqual([{ version: 1, convert_to_mile: true }]))
})

it('unit: cancelled -> nothing saved', async () => {
  const dialog = await switchToMiles()
  fireEvent.click(dialog.getByRole('button', { name: 'common.cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(saved).toEqual([])
})
