import { act, renderHook } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { usePointAddress } from './use-point-address.ts'

afterEach(() => vi.unstubAllGlobals())

it.each([
  [1, 'location_refused'],
  [3, 'location_fetch_error'],
])('device position: the browser answers with error %i -> %s', async (code, key) => {
  const getCurrentPosition = (_: unknown, fail: (error: { code: number }) => void) => fail({ code })
  vi.stubGlobal('navigator', { geolocation: { getCurrentPosition } })
  const onError = vi.fn()
  const { result } = renderHook(() => usePointAddress({ onFound: () => undefined, onError }))
  await act(async () => result.current.findDevice('pickup'))
  expect(onError).toHaveBeenCalledWith(expect.objectContaining({ key }))
})
