import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startEnglish } from '../lib/test-data.fixture.ts'
import { Dialog } from './dialog.tsx'

const onClose = vi.fn()
beforeEach(() => {
  startEnglish()
})
afterEach(() => {
  cleanup()
  onClose.mockClear()
})

function open() {
  render(
    <Dialog open title="Add promo" onClose={onClose} footer={<button type="button">Save</button>}>
      <input aria-label="Code" />
    </Dialog>,
  )
  return document.querySelector('[data-modal] > [role="presentation"]') as HTMLElement
}

function press(from: HTMLElement, to: HTMLElement) {
  fireEvent.pointerDown(from, { button: 0, pointerType: 'mouse' })
  fireEvent.mouseDown(from, { button: 0 })
  fireEvent.mouseUp(to, { button: 0 })
  fireEvent.click(to, { button: 0 })
}

const isFocused = (name: string) => expect.poll(() => document.activeElement?.textContent).toBe(name)

it('press on the backdrop -> closes', () => {
  const scrim = open()
  press(scrim, scrim)
  expect(onClose).toHaveBeenCalledOnce()
})

it.each(['Code', 'Save'])('press from %s to the backdrop -> stays open', (name) => {
  const scrim = open()
  const field = name === 'Code' ? screen.getByLabelText(name) : screen.getByText(name)
  press(field, scrim)
  expect(onClose).not.toHaveBeenCalled()
})

it('opened -> first field is focused, page behind is hidden from screen readers', async () => {
  const behind = document.body.appendChild(document.createElement('main'))
  open()
  await expect.poll(() => document.activeElement).toBe(screen.getByLabelText('Code'))
  expect(behind.getAttribute('aria-hidden')).toBe('true')
  expect(screen.getByRole('dialog', { name: 'Add promo' }).getAttribute('aria-modal')).toBe('true')
})

it('Esc -> closes, unless a field inside used it', () => {
  open()
  const field = screen.getByLabelText('Code')
  const used = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true })
  used.preventDefault()
  fireEvent(field, used)
  expect(onClose).not.toHaveBeenCalled()
  fireEvent.keyDown(field, { key: 'Escape' })
  expect(onClose).toHaveBeenCalledOnce()
})

function TwoDialogs() {
  const [shown, setShown] = useState(0)
  return (
    <>
      <button type="button" onClick={() => setShown(1)}>
        Open
      </button>
      <Dialog open={shown > 0} title="First" onClose={() => setShown(0)} role="alertdialog" hideClose>
        <button type="button" onClick={() => setShown(2)}>
          In first
        </button>
      </Dialog>
      <Dialog open={shown > 1} title="Second" onClose={() => setShown(1)} role="alertdialog" hideClose>
        <button type="button">In second</button>
      </Dialog>
    </>
  )
}

it('dialogs side by side: Esc -> closes the upper one and restores the focus', async () => {
  render(<TwoDialogs />)
  const escape = () => fireEvent.keyDown(document.activeElement as Element, { key: 'Escape' })
  screen.getByText('Open').focus()
  fireEvent.click(screen.getByText('Open'))
  await isFocused('In first')
  fireEvent.click(screen.getByText('In first'))
  await isFocused('In second')
  escape()
  expect(screen.queryByText('In second')).toBeNull()
  await isFocused('In first')
  escape()
  expect(screen.queryByText('In first')).toBeNull()
  await isFocused('Open')
})
