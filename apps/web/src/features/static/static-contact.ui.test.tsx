import type { PublicSettings } from '@hansom/contract/settings'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { queryClient } from '../../lib/query-client.ts'
import { storeSettings } from '../../lib/settings.ts'
import { startEnglish, storeTestSettings } from '../../lib/test-data.fixture.ts'
import { AboutScreen, PrivacyScreen } from './static-screens.tsx'

beforeEach(() => {
  queryClient.clear()
  startEnglish()
})
afterEach(cleanup)

describe.each([
  ['about us', AboutScreen],
  ['the privacy policy', PrivacyScreen],
] as const)('%s', (_name, Screen) => {
  const show = (contact_email: string) => {
    const settings = { version: 1, appName: 'Cab', CompanyName: '', CompanyWebsite: '', contact_email }
    storeSettings({ ...settings, mapServices: [] } as unknown as PublicSettings)
    render(
      <QueryClientProvider client={queryClient}>
        <Screen />
      </QueryClientProvider>,
    )
  }

  it('contact email in the settings -> mail link', () => {
    show('help@rides.example')
    const link = screen.getByRole('link', { name: 'help@rides.example' })
    expect(link.getAttribute('href')).toBe('mailto:help@rides.example')
  })

  it('no contact email -> no link', () => {
    show('')
    expect(screen.queryByRole('link')).toBeNull()
  })
})

it.each([
  ['Twilio', 1],
  [null, 0],
])('privacy policy: masked calls through %s -> named %d times', (callService, times) => {
  startEnglish({ 'static.privacy_calls': 'Calls through {{service}}.' })
  storeTestSettings({ callService })
  render(
    <QueryClientProvider client={queryClient}>
      <PrivacyScreen />
    </QueryClientProvider>,
  )
  expect(screen.queryAllByText(/Calls through .?Twilio.?\./)).toHaveLength(times)
})

it('privacy policy: map of another server -> names its host only', () => {
  startEnglish({ 'static.privacy_base_map': 'Map from {{host}}.' })
  const style = 'https://maps.example/style.json?key=public'
  storeTestSettings({ baseMap: { style, styleDark: null, tiles: null, attribution: null } })
  render(
    <QueryClientProvider client={queryClient}>
      <PrivacyScreen />
    </QueryClientProvider>,
  )
  expect(screen.getByText(/Map from .?maps\.example.?\./)).toBeTruthy()
})
