import { ApiError, parseErrorResponse, toApiError } from '@hansom/client/api-error'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { LoadError } from '../lib/load-error.ts'
import { startEnglish } from '../lib/test-data.fixture.ts'
import { ErrorState, LoadingState } from './page-states.tsx'

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

const failed = new TypeError('Failed to fetch')
it.each([
  ['no response', toApiError(failed), true, 'No connection', 'Server away'],
  [
    'no response in time',
    toApiError(new DOMException('', 'TimeoutError')),
    true,
    'No connection',
    'Server away',
  ],
  ['response of a proxy', parseErrorResponse('<html>', 502), true, 'No connection', 'Server away'],
  ['code not loaded', new LoadError(failed), true, 'No connection', 'Server away'],
  ['no response, device offline', toApiError(failed), false, 'No connection', 'Device offline'],
  ['service of the server away', parseErrorResponse({ error: 'unavailable' }, 503), true, 'Wrong', 'Later'],
  ['server fails', parseErrorResponse(null, 500), true, 'Wrong', 'Our side'],
  ['link of another browser, device offline', new ApiError('link_other_browser', 0), false, 'Wrong', 'Link'],
])('error: %s -> its own words', (_case, error, isOnline, title, words) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline)
  startEnglish({
    'common.unreached': 'No connection',
    'common.error_title': 'Wrong',
    'error.Fetch Call Error': 'Server away',
    'error.offline': 'Device offline',
    'error.unavailable': 'Later',
    'error.server_error': 'Our side',
    'error.link_other_browser': 'Link',
  })
  render(<ErrorState error={error} />)
  expect(screen.getByRole('heading').textContent).toBe(title)
  expect(screen.getByRole('alert').querySelector('p')?.textContent).toBe(words)
})
