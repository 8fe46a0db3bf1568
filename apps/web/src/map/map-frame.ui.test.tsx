import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { startEnglish } from '../lib/test-data.fixture.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

it('map unreachable, then the device is online -> drawn again', async () => {
  // A worker may have found out before that it has no WebGL.
  vi.resetModules()
  const { MapFrame } = await import('./map-frame.tsx')
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({ getExtension: () => null } as never)
  startEnglish()
  let onFail = () => {}
  const draw = (fail: () => void) => {
    onFail = fail
    return <p>the map</p>
  }
  render(<MapFrame label="Map" items={[]} render={draw} />)
  await screen.findByText('the map')
  act(() => onFail())
  expect(screen.queryByText('the map')).toBeNull()
  fireEvent(window, new Event('online'))
  expect(screen.getByText('the map')).toBeTruthy()
})

it('no WebGL -> a list, which the keyboard scrolls', async () => {
  vi.resetModules()
  const { MapFrame } = await import('./map-frame.tsx')
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
  startEnglish()
  render(<MapFrame label="Map" items={[{ id: 'one', label: 'Bruno' }]} render={() => null} />)
  await expect.poll(() => screen.getByText('Bruno').closest('section')?.tabIndex).toBe(0)
})
