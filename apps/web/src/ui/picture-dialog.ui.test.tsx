import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { startEnglish } from '../lib/test-data.fixture.ts'
import { loadModal } from './modal.tsx'
import { PictureDialog } from './picture-dialog.tsx'

afterEach(cleanup)

async function show(natural: number, canDownload = true) {
  startEnglish({ 'common.own_size': '{{name}}, full size' })
  await loadModal()
  const onClose = vi.fn()
  render(<PictureDialog src="/a.webp" label="The gate" canDownload={canDownload} onClose={onClose} />)
  const picture = await screen.findByAltText('The gate')
  Object.defineProperties(picture, { naturalWidth: { value: natural }, clientWidth: { value: 300 } })
  fireEvent.load(picture)
  return { onClose, zoom: screen.getByRole<HTMLButtonElement>('button', { name: 'The gate, full size' }) }
}

it('picture larger than its place -> a press shows it in its own size, and back', async () => {
  const { zoom } = await show(1_600)
  const isPressed = () => zoom.getAttribute('aria-pressed')
  expect(isPressed()).toBe('false')
  fireEvent.click(zoom)
  expect(isPressed()).toBe('true')
  fireEvent.click(zoom)
  expect(isPressed()).toBe('false')
})

it('picture that fits -> nothing to enlarge; can be saved and closed', async () => {
  const { zoom, onClose } = await show(300)
  expect(zoom.disabled).toBe(true)
  expect(screen.getByRole('link', { name: 'common.download' }).getAttribute('href')).toBe('/a.webp')
  fireEvent.keyDown(zoom, { key: 'Escape' })
  expect(onClose).toHaveBeenCalledOnce()
})

it('picture that is only shown -> no download', async () => {
  await show(300, false)
  expect(screen.queryByRole('link')).toBeNull()
})
