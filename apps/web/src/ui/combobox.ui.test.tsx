import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startLanguage } from '../lib/i18n.ts'
import { Combobox } from './combobox.tsx'

const options = ['Avenida Italia', 'Bulevar Artigas', 'Plaza Independencia'].map((label) => ({
  id: label,
  label,
}))

function Field({ onSelect, busy = false }: { onSelect: (id: string) => void; busy?: boolean }) {
  const [value, setValue] = useState('')
  return (
    <Combobox
      label="From"
      value={value}
      onInput={setValue}
      options={options}
      onSelect={onSelect}
      busy={busy}
    />
  )
}

beforeEach(() => {
  startLanguage(
    {
      langName: 'English',
      langLocale: 'en',
      dateLocale: 'en-GB',
      default: true,
      direction: 'ltr',
      keyValuePairs: {
        'common.searching': 'Searching',
        'common.results_one': '{{count}} result',
        'common.results_other': '{{count}} results',
      },
    },
    [],
  )
})
afterEach(cleanup)

function open(props: { busy?: boolean } = {}) {
  const onSelect = vi.fn()
  render(<Field onSelect={onSelect} {...props} />)
  const input = screen.getByRole<HTMLInputElement>('combobox', { name: 'From' })
  fireEvent.focus(input)
  const press = (...keys: string[]) => {
    for (const key of keys) fireEvent.keyDown(input, { key })
  }
  const marked = () => {
    const id = input.getAttribute('aria-activedescendant')
    return id ? (document.getElementById(id)?.textContent ?? null) : null
  }
  return { input, press, marked, onSelect }
}

it('focus -> opens, announces the count, marks nothing', () => {
  const { input, marked } = open()
  expect(input.getAttribute('aria-expanded')).toBe('true')
  expect(screen.getByRole('status').textContent).toBe('3 results')
  expect(marked()).toBeNull()
})

it('arrows -> move and wrap around', () => {
  const { press, marked } = open()
  press('ArrowDown')
  expect(marked()).toBe('Avenida Italia')
  press('ArrowDown', 'ArrowDown')
  expect(marked()).toBe('Plaza Independencia')
  press('ArrowDown')
  expect(marked()).toBe('Avenida Italia')
  press('ArrowUp')
  expect(marked()).toBe('Plaza Independencia')
})

it('Home and End with a marked option -> jump to the ends', () => {
  const { press, marked } = open()
  press('End')
  expect(marked()).toBeNull()
  press('ArrowDown', 'End')
  expect(marked()).toBe('Plaza Independencia')
  press('Home')
  expect(marked()).toBe('Avenida Italia')
})

it('Enter on a marked option -> selects it and closes', () => {
  const { input, press, onSelect } = open()
  press('ArrowDown', 'ArrowDown', 'Enter')
  expect(onSelect).toHaveBeenCalledExactlyOnceWith('Bulevar Artigas')
  expect(input.getAttribute('aria-expanded')).toBe('false')
})

it('Enter with nothing marked -> left to the form', () => {
  const { input, onSelect } = open()
  expect(fireEvent.keyDown(input, { key: 'Enter' })).toBe(true)
  expect(onSelect).not.toHaveBeenCalled()
})

it('Esc -> closes, a second Esc -> clears', () => {
  const { input, press } = open()
  fireEvent.change(input, { target: { value: 'Plaza' } })
  press('Escape')
  expect(input.getAttribute('aria-expanded')).toBe('false')
  expect(input.value).toBe('Plaza')
  press('Escape')
  expect(input.value).toBe('')
})

it('click on an option -> selects it', () => {
  const { onSelect } = open()
  fireEvent.click(screen.getByRole('option', { name: 'Plaza Independencia' }))
  expect(onSelect).toHaveBeenCalledExactlyOnceWith('Plaza Independencia')
})

it('text changes without focus -> list stays closed; user types -> opens', () => {
  render(<Field onSelect={vi.fn()} />)
  const input = screen.getByRole<HTMLInputElement>('combobox', { name: 'From' })
  fireEvent.change(input, { target: { value: 'Plaza' } })
  expect(input.value).toBe('Plaza')
  expect(input.getAttribute('aria-expanded')).toBe('false')
  act(() => input.focus())
  fireEvent.keyDown(input, { key: 'Escape' })
  fireEvent.change(input, { target: { value: 'Plaza I' } })
  expect(input.getAttribute('aria-expanded')).toBe('true')
})

it('busy -> announces the search', () => {
  open({ busy: true })
  expect(screen.getByRole('status').textContent).toBe('Searching')
  expect(screen.getByRole('listbox').getAttribute('aria-busy')).toBe('true')
})
