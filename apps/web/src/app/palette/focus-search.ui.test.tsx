import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { focusSearch } from './shortcuts.ts'

afterEach(cleanup)

it('/: page with a search field -> focuses it', () => {
  render(
    <main>
      <input type="search" defaultValue="ana" />
    </main>,
  )
  const openPalette = vi.fn<() => void>()
  focusSearch(openPalette)
  expect(document.activeElement).toBe(screen.getByRole('searchbox'))
  expect(openPalette).not.toHaveBeenCalled()
})

it('/: page without one -> opens the palette', () => {
  const openPalette = vi.fn<() => void>()
  focusSearch(openPalette)
  expect(openPalette).toHaveBeenCalledOnce()
})
