import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useRepeatedAttention } from './alert.ts'

const vibrate = vi.fn()

beforeEach(() => {
  vi.useFakeTimers()
  vibrate.mockReset()
  Object.defineProperty(navigator, 'vibrate', { value: vibrate, configurable: true })
})
afterEach(() => {
  cleanup()
  Reflect.deleteProperty(navigator, 'vibrate')
  vi.useRealTimers()
})

it('alert: unanswered request -> repeated; answered -> stops', () => {
  const { rerender } = renderHook(({ active }) => useRepeatedAttention(active), {
    initialProps: { active: true },
  })
  vi.advanceTimersByTime(9_500)
  expect(vibrate).toHaveBeenCalledTimes(3)
  rerender({ active: false })
  vi.advanceTimersByTime(60_000)
  expect(vibrate).toHaveBeenCalledTimes(3)
})
