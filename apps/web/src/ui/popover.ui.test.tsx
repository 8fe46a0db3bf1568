import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { afterEach, expect, it } from 'vitest'
import { Popover } from './popover.tsx'

afterEach(cleanup)

function Page() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <>
      <button type="button">Before</button>
      <button type="button" onClick={(event) => setAnchor(event.currentTarget)}>
        Opener
      </button>
      {anchor ? (
        <Popover anchor={anchor} label="Columns" onClose={() => setAnchor(null)}>
          <input aria-label="Name" />
          {createPortal(<button type="button">Listed</button>, document.body)}
        </Popover>
      ) : null}
    </>
  )
}

it('focus moves to a list opened from the box -> stays open; to another portal -> closes', async () => {
  render(
    <>
      <Page />
      {createPortal(<button type="button">Other</button>, document.body)}
    </>,
  )
  fireEvent.click(screen.getByText('Opener'))
  await expect.poll(() => document.activeElement).toBe(screen.getByLabelText('Name'))
  act(() => screen.getByText('Listed').focus())
  expect(screen.queryByRole('dialog')).toBeTruthy()
  act(() => screen.getByText('Other').focus())
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('focus moves to the opener and on -> closes, without taking the focus back', async () => {
  render(<Page />)
  const [before, opener] = [screen.getByText('Before'), screen.getByText('Opener')]
  fireEvent.click(opener)
  await expect.poll(() => document.activeElement).toBe(screen.getByLabelText('Name'))
  act(() => opener.focus())
  expect(screen.queryByRole('dialog')).toBeTruthy()
  act(() => before.focus())
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(document.activeElement).toBe(before)
})
