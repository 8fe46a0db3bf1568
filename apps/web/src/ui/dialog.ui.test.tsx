import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startLanguage } from '../lib/i18n.ts'
import { Dialog } from './dialog.tsx'

const onClose = vi.fn()
let dialog: HTMLElement
beforeEach(() => {
  startLanguage(
    { langLocale: 'en', langName: 'English', direction: 'ltr', keyValuePairs: {} } as never,
    [],
    null,
  )
  HTMLDialogElement.prototype.showModal ??= function show(this: HTMLDialogElement) {
    this.open = true
  }
  HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
    this.open = false
  }
  render(
    <Dialog open title="Add promo" onClose={onClose} footer={<button type="button">Save</button>}>
      <input aria-label="Code" />
    </Dialog>,
  )
  dialog = document.querySelector('dialog') as HTMLElement
})
afterEach(() => {
  cleanup()
  onClose.mockClear()
})

it('press on the backdrop -> closes', () => {
  fireEvent.mouseDown(dialog)
  fireEvent.click(dialog)
  expect(onClose).toHaveBeenCalledOnce()
})

it.each(['Code', 'Save'])('press from %s to the backdrop -> stays open', (name) => {
  const field = name === 'Code' ? screen.getByLabelText(name) : screen.getByText(name)
  fireEvent.mouseDown(field)
  fireEvent.click(dialog)
  expect(onClose).not.toHaveBeenCalled()
})
