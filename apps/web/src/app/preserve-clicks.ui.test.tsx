import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { preserveClicks } from './preserve-clicks.ts'

let stop: () => void
let main: HTMLElement
let button: HTMLButtonElement
let below: HTMLElement
const pressed = vi.fn()
const onMain = vi.fn()

beforeEach(() => {
  vi.useFakeTimers()
  stop = preserveClicks()
  document.body.innerHTML = '<main><button><span>Create</span></button><p>Below</p></main>'
  main = document.querySelector('main') as HTMLElement
  button = document.querySelector('button') as HTMLButtonElement
  below = document.querySelector('p') as HTMLElement
  button.addEventListener('click', pressed)
  main.addEventListener('click', onMain)
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.clearAllMocks()
})

const send = (on: Element, type: string, clientX = 0, init: MouseEventInit = {}) =>
  on.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true, clientX, ...init }))

/** Mouse down on one element and up on another, followed by the click that a browser would send. */
function press(from: Element, to: Element, movedBy = 0, init: MouseEventInit = {}): void {
  send(from, 'mousedown', 0, init)
  send(to, 'mouseup', movedBy, init)
  if (!init.button) send(from === to ? to : main, 'click', movedBy)
  vi.runAllTimers()
}

describe('keepPresses', () => {
  it('layout shifted under the pointer -> button is clicked once, its ancestor is not', () => {
    press(button.firstElementChild as Element, below)
    expect(pressed).toHaveBeenCalledOnce()
    expect(onMain).toHaveBeenCalledOnce()
    expect(onMain.mock.calls[0]?.[0].target).toBe(button)
  })

  it("nothing moved -> only the browser's own click", () => {
    press(button, button)
    expect(pressed).toHaveBeenCalledOnce()
  })

  it('pointer dragged away, or another mouse button -> no click', () => {
    press(button, below, 40)
    press(button, below, 0, { button: 2 })
    expect(pressed).not.toHaveBeenCalled()
  })

  it('button removed or disabled meanwhile -> no click', () => {
    send(button, 'mousedown')
    button.disabled = true
    send(below, 'mouseup')
    vi.runAllTimers()
    button.disabled = false
    send(button, 'mousedown')
    button.remove()
    send(below, 'mouseup')
    vi.runAllTimers()
    expect(pressed).not.toHaveBeenCalled()
  })
})
