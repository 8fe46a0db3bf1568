import words from '@hansom/domain/languages/packs/en/settings.json'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { startEnglish, storeTestSettings } from '../../lib/test-data.fixture.ts'
import { SettingInput } from './setting-input.tsx'
import type { SettingsForm } from './use-settings-form.ts'

afterEach(cleanup)

it.each([
  ['0', words.hint_driverRadius_zero],
  ['', words.hint_driverRadius],
  ['10', words.hint_driverRadius],
])('search radius: %j -> %s', (shown, hint) => {
  startEnglish(Object.fromEntries(Object.entries(words).map(([name, text]) => [`settings.${name}`, text])))
  storeTestSettings({})
  const form = { shown: (name: string) => (name === 'driverRadius' ? shown : false), problems: {}, saved: {} }
  render(<SettingInput name="driverRadius" form={form as unknown as SettingsForm} />)
  expect(screen.getByRole('textbox').getAttribute('aria-describedby')).not.toBeNull()
  expect(screen.getByText(hint)).toBeTruthy()
})
