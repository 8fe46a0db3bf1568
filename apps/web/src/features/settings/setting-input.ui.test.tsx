import words from '@hansom/domain/languages/packs/en/settings.json'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { queryClient } from '../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../lib/test-data.fixture.ts'
import { SettingInput } from './setting-input.tsx'
import type { SettingsForm } from './use-settings-form.ts'

afterEach(cleanup)

function show(name: 'driverRadius' | 'restrictCountry', form: unknown): void {
  render(
    <QueryClientProvider client={queryClient}>
      <SettingInput name={name} form={form as SettingsForm} />
    </QueryClientProvider>,
  )
}

it.each([
  ['0', words.hint_driverRadius_zero],
  ['', words.hint_driverRadius],
  ['10', words.hint_driverRadius],
])('search radius: %j -> %s', (shown, hint) => {
  startEnglish(Object.fromEntries(Object.entries(words).map(([name, text]) => [`settings.${name}`, text])))
  storeTestSettings({})
  const form = { shown: (name: string) => (name === 'driverRadius' ? shown : false), problems: {}, saved: {} }
  show('driverRadius', form)
  expect(screen.getByRole('textbox').getAttribute('aria-describedby')).not.toBeNull()
  expect(screen.getByText(hint)).toBeTruthy()
})

it('number out of its range -> the range, before the hint', () => {
  startEnglish(Object.fromEntries(Object.entries(words).map(([name, text]) => [`settings.${name}`, text])))
  storeTestSettings({})
  const problems = { driverRadius: 'Out of range.' }
  show('driverRadius', { shown: (name: string) => name === 'driverRadius' && '501', problems, saved: {} })
  expect(screen.getByText('0–500').parentElement?.textContent).toContain(words.hint_driverRadius)
})

it.each([
  ['UY', ['UY'], words.hint_restrictCountry],
  ['', ['UY', 'BR'], words.hint_restrictCountry],
  ['NZ', ['UY'], 'The map covers Uruguay. With this limit, place search finds nothing.'],
  ['UY', ['UY', 'BR'], 'With this limit, place search finds nothing in Brazil, which the map covers too.'],
])('limit of the place search: %j, map of %j -> %s', (shown, countries, hint) => {
  startEnglish(Object.fromEntries(Object.entries(words).map(([name, text]) => [`settings.${name}`, text])))
  const bounds: [number, number, number, number] = [-1, -1, 1, 1]
  storeTestSettings({
    region: { name: 'City', center: { lat: 0, lng: 0 }, bounds, attribution: '', countries },
  })
  const form = { shown: () => shown, problems: {}, saved: {} }
  show('restrictCountry', form)
  expect(screen.getByText(hint)).toBeTruthy()
})
