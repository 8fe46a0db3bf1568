import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startEnglish } from '../lib/test-data.fixture.ts'
import { MapWithSheet } from './map-with-sheet.tsx'

beforeEach(() => {
  startEnglish({ 'common.sheet_raise': 'Raise', 'common.sheet_lower': 'Lower' })
  // A layout of 800 px with a sheet of 480 px.
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockImplementation(function (this: HTMLElement) {
    return this.tagName === 'SECTION' ? 480 : 800
  })
  render(
    <MapWithSheet label="Trip" map={null}>
      text
    </MapWithSheet>,
  )
})
afterEach(cleanup)

const size = () => screen.getByRole('region', { name: 'Trip' }).dataset.size
const handle = () => screen.getByRole('button')

it('handle pressed -> grows to high, then returns to half', () => {
  expect(size()).toBe('half')
  fireEvent.click(handle())
  expect(size()).toBe('high')
  expect(handle().getAttribute('aria-label')).toBe('Lower')
  fireEvent.click(handle())
  expect(size()).toBe('half')
})

it('arrow keys -> one size at a time, no further than the ends', () => {
  const press = (key: string) => fireEvent.keyDown(handle(), { key })
  press('ArrowDown')
  press('ArrowDown')
  expect(size()).toBe('low')
  press('ArrowUp')
  expect(size()).toBe('half')
  press('ArrowUp')
  press('ArrowUp')
  expect(size()).toBe('high')
})

it.each([
  ['up by 200 px', 200, 'high'],
  ['down by 200 px', -200, 'low'],
  ['up by 40 px', 40, 'half'],
])('handle dragged %s -> follows the pointer, then takes the nearest size', (_case, by, wanted) => {
  const region = screen.getByRole('region', { name: 'Trip' })
  fireEvent.pointerDown(handle(), { clientY: 320 })
  fireEvent.pointerMove(handle(), { clientY: 320 - by })
  expect(region.style.maxBlockSize || region.style.maxHeight).toBe(`${480 + by}px`)
  fireEvent.pointerUp(handle(), { clientY: 320 - by })
  fireEvent.click(handle())
  expect(size()).toBe(wanted)
})
