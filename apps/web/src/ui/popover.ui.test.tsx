import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
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
        </Popover>
      ) : null}
    </>
  )
}

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
