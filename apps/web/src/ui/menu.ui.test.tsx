import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { Menu } from './menu.tsx'

const chosen = vi.fn()
afterEach(() => {
  cleanup()
  chosen.mockClear()
})

function Row({ actions }: { actions: string[] }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const items = actions.map((label) => ({ id: label, label, onSelect: () => chosen(label) }))
  return (
    <>
      <button type="button" onClick={(event) => setAnchor(anchor ? null : event.currentTarget)}>
        More
      </button>
      {anchor ? <Menu anchor={anchor} label="Actions" items={items} onClose={() => setAnchor(null)} /> : null}
    </>
  )
}

async function open(actions: string[]) {
  render(<Row actions={actions} />)
  const opener = screen.getByText('More')
  opener.focus()
  fireEvent.click(opener, { detail: 0 })
  return opener
}

const focused = () => document.activeElement?.textContent
const press = (key: string) => fireEvent.keyDown(document.activeElement as Element, { key })

it('keyboard -> arrows move and wrap, Enter selects, focus returns', async () => {
  await open(['Edit', 'Delete'])
  await expect
    .poll(() => screen.getByRole('menu', { name: 'Actions' }).contains(document.activeElement))
    .toBe(true)
  press('ArrowDown')
  await expect.poll(focused).toBe('Edit')
  press('ArrowDown')
  await expect.poll(focused).toBe('Delete')
  press('ArrowDown')
  await expect.poll(focused).toBe('Edit')
  press('Enter')
  expect(chosen).toHaveBeenCalledExactlyOnceWith('Edit')
  expect(screen.queryByRole('menu')).toBeNull()
  await expect.poll(focused).toBe('More')
})

it('Esc, or another press of the opener -> closes', async () => {
  const opener = await open(['Edit'])
  await expect.poll(() => focused()).not.toBe('More')
  press('Escape')
  expect(screen.queryByRole('menu')).toBeNull()
  fireEvent.click(opener)
  expect(screen.getByRole('menu')).toBeTruthy()
  fireEvent.pointerDown(opener)
  fireEvent.mouseDown(opener)
  fireEvent.click(opener)
  expect(screen.queryByRole('menu')).toBeNull()
})

it('no actions -> nothing opens', async () => {
  await open([])
  expect(screen.queryByRole('menu')).toBeNull()
})
