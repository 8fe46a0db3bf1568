import { countries } from '@hansom/domain/users/countries'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startLanguage } from '../lib/i18n.ts'
import { CountryPicker, matchCountries } from './country-picker.tsx'

const start = (langLocale: 'en' | 'ar') =>
  startLanguage(
    {
      langName: langLocale,
      langLocale,
      dateLocale: langLocale,
      default: true,
      direction: langLocale === 'ar' ? 'rtl' : 'ltr',
      keyValuePairs: { 'login.country': 'Country', 'login.no_country': 'No country fits.' },
    },
    [],
  )

beforeEach(() => start('en'))
afterEach(cleanup)

function Field({ disabled }: { disabled?: boolean }) {
  const [code, setCode] = useState('UY')
  return (
    <>
      <CountryPicker value={code} onChange={setCode} disabled={disabled} />
      <samp>{code}</samp>
    </>
  )
}

function open() {
  render(<Field />)
  const input = screen.getByRole<HTMLInputElement>('combobox', { name: 'Country' })
  fireEvent.focus(input)
  return {
    input,
    type: (text: string) => fireEvent.change(input, { target: { value: text } }),
    press: (...keys: string[]) => {
      for (const key of keys) fireEvent.keyDown(input, { key })
    },
    chosen: () => document.querySelector('samp')?.textContent,
    names: () => screen.queryAllByRole('option').map((option) => option.textContent ?? ''),
  }
}

it('opened -> shows the current country and offers all', () => {
  const { input, names } = open()
  expect(input.value).toMatch(/^Uruguay .*\+598/)
  expect(names()).toHaveLength(countries.length)
})

it('keyboard only -> typed, marked and selected', () => {
  const { input, type, press, chosen, names } = open()
  type('eg')
  expect(names()[0]).toMatch(/^Egypt/)
  press('ArrowDown', 'Enter')
  expect(chosen()).toBe('EG')
  expect(input.value).toMatch(/^Egypt .*\+20/)
  expect(input.getAttribute('aria-expanded')).toBe('false')
})

it('dial prefix with or without plus -> found', () => {
  const { type, names } = open()
  type('+598')
  expect(names()).toEqual([expect.stringMatching(/^Uruguay/)])
  type('598')
  expect(names()).toHaveLength(1)
})

it('typed without selecting -> discarded', () => {
  const { input, type, press, chosen } = open()
  type('zzz')
  expect(screen.getByText('No country fits.')).toBeTruthy()
  press('Escape')
  expect(input.value).toMatch(/^Uruguay/)
  press('Escape')
  expect(input.value).toMatch(/^Uruguay/)
  fireEvent.focus(input)
  type('egy')
  fireEvent.blur(input)
  expect(input.value).toMatch(/^Uruguay/)
  expect(chosen()).toBe('UY')
})

it('other language -> localized names and order', () => {
  start('ar')
  const { type, names } = open()
  type('مصر')
  expect(names()).toEqual([expect.stringMatching(/^مصر/)])
})

it('disabled -> read-only field', () => {
  render(<Field disabled />)
  expect(screen.queryByRole('combobox')).toBeNull()
  expect(screen.getByLabelText<HTMLInputElement>('Country').disabled).toBe(true)
})

it('no accents typed -> found', () => {
  const found = matchCountries(countries, 'curacao')
  expect(found.map(({ code }) => code)).toEqual(['CW'])
})
