import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { expect, it, vi } from 'vitest'
import '../../public/early-press.js'
import { swapPrerendered } from './swap-prerendered.tsx'

const seen: string[] = []

function Page() {
  const [value, setValue] = useState('')
  const [booked, setBooked] = useState('')
  const isListening = useRef(false)
  useLayoutEffect(() => {
    seen.push(document.querySelector('output') ? 'measured in the page' : 'measured outside')
  }, [])
  useEffect(() => {
    isListening.current = true
  }, [])
  return (
    <form>
      <input name="pickup" value={value} onChange={(event) => setValue(event.target.value)} />
      <button type="button" onClick={() => setBooked(isListening.current ? `from ${value}` : 'too early')}>
        Book
      </button>
      <output>{booked}</output>
    </form>
  )
}

it('typed and pressed in the prerendered page -> replayed in the new page', async () => {
  document.body.innerHTML =
    '<main id="root"><form><input name="pickup"><button type="button">Book</button></form></main>'
  const prerendered = document.getElementById('root') as HTMLElement
  const placed = swapPrerendered(prerendered, <Page />)
  expect(document.getElementById('root')).toBe(prerendered)
  const early = prerendered.querySelector('input') as HTMLInputElement
  early.focus()
  early.value = 'Plaza'
  prerendered.querySelector('button')?.click()
  await placed

  expect(document.querySelectorAll('form')).toHaveLength(1)
  expect(prerendered.isConnected).toBe(false)
  await expect.poll(() => document.querySelector('output')?.textContent).toBe('from Plaza')
  expect(document.activeElement).toBe(document.querySelector('input'))
  expect(seen).toEqual(['measured in the page'])
})

it.each([
  ['a link', 'a', 1],
  ['a button', 'button', 0],
  ['a list', 'select', 0],
])('focus in the prerendered page: %s -> restored in the new page', async (_, tag, place) => {
  document.body.innerHTML = `<main id="root"><a href="/">Home</a><a href="/about-us">About us</a>
    <select aria-label="Language"><option>English</option></select><button type="button">Book</button></main>`
  const prerendered = document.getElementById('root') as HTMLElement
  prerendered.querySelectorAll<HTMLElement>(tag)[place]?.focus()
  await swapPrerendered(
    prerendered,
    <>
      <a href="/">Home</a>
      <a href="/about-us">About us</a>
      <select aria-label="Language">
        <option>English</option>
      </select>
      <button type="button">Book</button>
    </>,
  )
  expect(prerendered.isConnected).toBe(false)
  expect(document.activeElement).toBe(document.querySelectorAll(tag)[place])
})

it('app throws while rendering -> prerendered page stays, the caller gets the error', async () => {
  document.body.innerHTML = '<main id="root"><a href="/">Home</a></main>'
  const prerendered = document.getElementById('root') as HTMLElement
  const reported = vi.fn()
  vi.stubGlobal('reportError', reported)
  const Broken = () => {
    throw new Error('broken')
  }
  await expect(swapPrerendered(prerendered, <Broken />)).rejects.toThrow('broken')
  expect(reported).toHaveBeenCalledOnce()
  expect(prerendered.isConnected).toBe(true)
  vi.unstubAllGlobals()
})
