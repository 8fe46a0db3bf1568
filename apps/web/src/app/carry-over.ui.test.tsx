import { act } from '@testing-library/react'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, it } from 'vitest'
import { readTyped, typeAgain } from './carry-over.ts'

function Field() {
  const [value, setValue] = useState('')
  return (
    <>
      <input name="pickup" value={value} onChange={(event) => setValue(event.target.value)} />
      <output>{value}</output>
    </>
  )
}

it('keeps what was typed before the page came alive, and the focus', async () => {
  const root = document.createElement('div')
  document.body.append(root)
  root.innerHTML = '<input name="pickup"><input name="drop">'
  const early = root.querySelector('input') as HTMLInputElement
  early.focus()
  early.value = 'Plaza'
  const typed = readTyped(root)
  expect(typed).toEqual([{ name: 'pickup', value: 'Plaza', focused: true }])
  await act(async () => createRoot(root).render(<Field />))
  await act(async () => typeAgain(root, typed))
  expect(root.querySelector('output')?.textContent).toBe('Plaza')
  expect(document.activeElement).toBe(root.querySelector('input[name=pickup]'))
})
