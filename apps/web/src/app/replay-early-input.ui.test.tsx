import { act } from '@testing-library/react'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, it } from 'vitest'
import '../../public/early-press.js'
import { readPressed, readTyped, replayPress, restoreTyped } from './replay-early-input.ts'

function Field() {
  const [value, setValue] = useState('')
  return (
    <>
      <input name="pickup" value={value} onChange={(event) => setValue(event.target.value)} />
      <output>{value}</output>
    </>
  )
}

it('typed before the app starts -> text and focus are kept', async () => {
  const root = document.createElement('div')
  document.body.append(root)
  root.innerHTML = '<input name="pickup"><input name="drop">'
  const early = root.querySelector('input') as HTMLInputElement
  early.focus()
  early.value = 'Plaza'
  const typed = readTyped(root)
  expect(typed).toEqual([{ name: 'pickup', value: 'Plaza', focused: true }])
  await act(async () => createRoot(root).render(<Field />))
  await act(async () => restoreTyped(root, typed))
  expect(root.querySelector('output')?.textContent).toBe('Plaza')
  expect(document.activeElement).toBe(root.querySelector('input[name=pickup]'))
})

function Languages() {
  const [value, setValue] = useState('en')
  return (
    <>
      <select name="language" value={value} onChange={(event) => setValue(event.target.value)}>
        <option>en</option>
        <option>ar</option>
      </select>
      <output>{value}</output>
    </>
  )
}

it.each([
  ['changed', 'ar', 1, 'ar'],
  ['changed to a removed option', 'fr', 1, 'en'],
  ['unchanged', 'en', 0, 'en'],
])('select before the app starts: %s -> restored if possible', async (_case, chosen, kept, shown) => {
  const root = document.createElement('div')
  document.body.append(root)
  root.innerHTML =
    '<select name="language"><option selected>en</option><option>ar</option><option>fr</option></select>'
  const early = root.querySelector('select') as HTMLSelectElement
  early.value = chosen
  const typed = readTyped(root)
  expect(typed).toHaveLength(kept)
  await act(async () => createRoot(root).render(<Languages />))
  await act(async () => restoreTyped(root, typed))
  expect(root.querySelector('output')?.textContent).toBe(shown)
})

function Choice() {
  const [chosen, setChosen] = useState<string[]>([])
  return (
    <form>
      <button type="button" aria-label="Menu" onClick={() => setChosen([...chosen, 'first'])} />
      <button type="button" aria-label="Menu" onClick={() => setChosen([...chosen, 'second'])} />
      <button type="submit">Book</button>
      <output>{chosen.join(' ')}</output>
    </form>
  )
}

it('pressed before the app starts -> press is replayed, no form is submitted', async () => {
  const root = document.createElement('div')
  document.body.append(root)
  root.innerHTML = `<form><button type="button" aria-label="Menu"></button>
    <button type="button" aria-label="Menu"></button><button type="submit">Book</button></form>`
  const [, second, submit] = root.querySelectorAll('button')
  const early = new MouseEvent('click', { bubbles: true, cancelable: true })
  submit?.dispatchEvent(early)
  expect(early.defaultPrevented).toBe(true)
  second?.click()
  const pressed = readPressed(root)
  expect(pressed).toEqual({ name: 'Menu', place: 1 })
  await act(async () => createRoot(root).render(<Choice />))
  await act(async () => replayPress(root, pressed))
  expect(root.querySelector('output')?.textContent).toBe('second')
  await act(async () => root.querySelector('button')?.click())
  expect(root.querySelector('output')?.textContent).toBe('second first')
})
