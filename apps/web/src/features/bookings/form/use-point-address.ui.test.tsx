import { act, renderHook } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { usePointAddress } from './use-point-address.ts'

afterEach(() => vi.unstubAllGlobals())

it.each([
  [1, 'location_refused'],
  [3, 'location_fetch_error'],
])('device position: browser error %i -> %s', async (code, key) => {
  const getCurrentPosition = (_: unknown, fail: (error: { code: number }) => void) => fail({ code })
  vi.stubGlobal('navigator', { geolocation: { getCurrentPosition } })
  const onError = vi.fn()
  const { result } = renderHook(() => usePointAddress({ onFound: () => undefined, onError }))
  await act(async () => result.current.findDevice('pickup'))
  expect(onError).toHaveBeenCalledWith(expect.objectContaining({ key }))
})

describe('position available without a prompt', () => {
  const here = { coords: { latitude: 1, longitude: 2 } }
  const address = { id: 'a', label: 'Ejido 1', detail: '', kind: 'address', lat: 1, lng: 2 }

  function lookUp(state: string, answer: Response) {
    const asked = vi.fn((found: (position: unknown) => void) => found(here))
    vi.stubGlobal('navigator', {
      permissions: { query: () => Promise.resolve({ state }) },
      geolocation: { getCurrentPosition: asked },
    })
    vi.stubGlobal('fetch', () => Promise.resolve(answer))
    const [onFound, onError] = [vi.fn(), vi.fn()]
    const { result } = renderHook(() => usePointAddress({ onFound, onError }))
    const rest = () => act(() => new Promise((resolve) => setTimeout(resolve, 20)))
    return { result, rest, asked, onFound, onError }
  }

  it('granted -> pickup is filled', async () => {
    const { result, rest, onFound } = lookUp('granted', new Response(JSON.stringify(address)))
    act(() => void result.current.findGrantedDevice('pickup'))
    await rest()
    expect(onFound).toHaveBeenCalledWith('pickup', { lat: 1, lng: 2, add: 'Ejido 1' })
  })

  it.each(['prompt', 'denied'])('%s -> no prompt', async (state) => {
    const { result, rest, asked } = lookUp(state, new Response('{}'))
    act(() => void result.current.findGrantedDevice('pickup'))
    await rest()
    expect(asked).not.toHaveBeenCalled()
  })

  it('user types meanwhile -> their text stays', async () => {
    const { result, rest, onFound } = lookUp('granted', new Response(JSON.stringify(address)))
    act(() => void result.current.findGrantedDevice('pickup'))
    act(() => result.current.leave('pickup'))
    await rest()
    expect(onFound).not.toHaveBeenCalled()
  })

  it('outside the area -> no error shown', async () => {
    const refusal = new Response(JSON.stringify({ error: 'outside_region' }), { status: 422 })
    const { result, rest, onFound, onError } = lookUp('granted', refusal)
    act(() => void result.current.findGrantedDevice('pickup'))
    await rest()
    expect([onFound.mock.calls, onError.mock.calls]).toEqual([[], []])
  })
})
