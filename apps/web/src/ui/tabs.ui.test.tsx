import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, it } from 'vitest'
import { startLanguage } from '../lib/i18n.ts'
import { Tabs } from './tabs.tsx'

afterEach(cleanup)

function Page({ ids }: { ids: string[] }) {
  const [value, setValue] = useState('a')
  return (
    <Tabs label="Ways" tabs={ids.map((id) => ({ id, label: id }))} value={value} onChange={setValue}>
      <input aria-label={`Field of ${value}`} />
    </Tabs>
  )
}

function start(ids: string[], direction: 'ltr' | 'rtl' = 'ltr') {
  const langLocale = direction === 'ltr' ? 'en' : 'ar'
  startLanguage(
    { langLocale, langName: langLocale, dateLocale: langLocale, default: true, direction, keyValuePairs: {} },
    [],
  )
  return render(<Page ids={ids} />)
}

const press = (key: string) => fireEvent.keyDown(document.activeElement as Element, { key })
const selected = () => screen.getByRole('tab', { selected: true }).textContent

it.each([
  ['ltr', 'ArrowRight', 'ArrowLeft'],
  ['rtl', 'ArrowLeft', 'ArrowRight'],
] as const)('%s: arrows, Home and End -> select and wrap', async (direction, next, previous) => {
  start(['a', 'b', 'c'], direction)
  screen.getByRole('tab', { name: 'a' }).focus()
  for (const [key, tab] of [
    [next, 'b'],
    [previous, 'a'],
    [previous, 'c'],
    [next, 'a'],
    ['End', 'c'],
    ['Home', 'a'],
  ] as const) {
    press(key)
    await expect.poll(selected).toBe(tab)
  }
})

it('tab selected -> its panel is named after it', async () => {
  start(['a', 'b'])
  fireEvent.click(screen.getByRole('tab', { name: 'b' }))
  await expect
    .poll(() => screen.getByRole('tabpanel', { name: 'b' }).contains(screen.getByLabelText('Field of b')))
    .toBe(true)
  expect(screen.getByRole('tab', { name: 'b' }).getAttribute('aria-controls')).toBe(
    screen.getByRole('tabpanel').id,
  )
})

it('single tab -> not shown; another one appears -> typed input survives', async () => {
  const { rerender } = start(['a'])
  expect(screen.queryByRole('tab')).toBeNull()
  expect(screen.queryByRole('tabpanel')).toBeNull()
  const field = screen.getByLabelText<HTMLInputElement>('Field of a')
  fireEvent.change(field, { target: { value: 'typed' } })
  rerender(<Page ids={['a', 'b']} />)
  expect(screen.getByLabelText<HTMLInputElement>('Field of a').value).toBe('typed')
  expect(selected()).toBe('a')
})
