import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { startEnglish } from '../lib/test-data.fixture.ts'
import { LoadingState } from './page-states.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

it('loading state: offline -> not available; back online -> a placeholder again', () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  startEnglish({ 'common.not_offline': 'Not available offline', 'common.loading': 'Loading' })
  render(<LoadingState />)
  expect(screen.getByRole('status').textContent).toBe('Not available offline')
  onLine.mockReturnValue(true)
  act(() => void fireEvent(window, new Event('online')))
  expect(screen.getByRole('status', { name: 'Loading' }).textContent).toBe('')
})
