import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { againMs, HoldButton, holdMs } from './hold-button.tsx'

const confirmed = vi.fn()
beforeEach(() => {
  vi.useFakeTimers()
  confirmed.mockReset()
  render(<HoldButton label="Hold" again="Again" busy={false} onConfirm={confirmed} />)
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const button = () => screen.getByRole('button')
const pass = (ms: number) =>
  act(() => {
    vi.advanceTimersByTime(ms)
  })

it('held for two seconds -> confirmed once; the click that ends the press counts for nothing', () => {
  fireEvent.pointerDown(button())
  pass(holdMs - 1)
  expect(confirmed).not.toHaveBeenCalled()
  pass(1)
  expect(confirmed).toHaveBeenCalledTimes(1)
  fireEvent.pointerUp(button())
  fireEvent.click(button())
  expect(confirmed).toHaveBeenCalledTimes(1)
  expect(button().textContent).toBe('Hold')
})

it('released or left too early -> not confirmed', () => {
  for (const leave of [fireEvent.pointerUp, fireEvent.pointerLeave, fireEvent.pointerCancel]) {
    fireEvent.pointerDown(button())
    pass(holdMs - 100)
    leave(button())
    pass(holdMs)
  }
  expect(confirmed).not.toHaveBeenCalled()
})

it('pressed twice within four seconds, by keyboard or switch -> confirmed', () => {
  fireEvent.click(button())
  expect(button().textContent).toBe('Again')
  pass(againMs - 1)
  fireEvent.click(button())
  expect(confirmed).toHaveBeenCalledTimes(1)
})

it('second press too late -> asks again', () => {
  fireEvent.click(button())
  pass(againMs)
  expect(button().textContent).toBe('Hold')
  fireEvent.click(button())
  expect(confirmed).not.toHaveBeenCalled()
})
