import { ApiError } from '@hansom/client/api-error'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { emptyDraft } from '../../../entities/bookings/booking-draft.ts'
import { queryClient } from '../../../lib/query-client.ts'
import { storeMe } from '../../../lib/session.ts'
import { startEnglish, storeTestSettings } from '../../../lib/test-data.fixture.ts'
import { BookingForm } from './booking-form.tsx'
import type { BookingFormState } from './use-booking.ts'

afterEach(cleanup)

function form(draft: Partial<BookingFormState['draft']>, offers: object = {}) {
  storeMe(null)
  storeTestSettings()
  startEnglish()
  const booking = {
    draft: { ...emptyDraft, ...draft },
    change: vi.fn(),
    offer: null,
    offers: { data: undefined, isError: false, ...offers },
    address: { locating: null, findDevice: vi.fn(), leave: vi.fn() },
    setPicking: vi.fn(),
  }
  render(
    <QueryClientProvider client={queryClient}>
      <BookingForm booking={booking as unknown as BookingFormState} />
    </QueryClientProvider>,
  )
  const [from, to] = screen.getAllByRole('combobox') as [HTMLElement, HTMLElement]
  const chooseHere = (field: HTMLElement) => {
    act(() => field.focus())
    fireEvent.click(screen.getByRole('option', { name: 'booking.current_location' }))
  }
  return { booking, from, to, chooseHere }
}

it('pickup chosen, no destination -> destination is focused, its list open', () => {
  const { from, to, chooseHere } = form({})
  chooseHere(from)
  expect(document.activeElement).toBe(to)
  expect(to.getAttribute('aria-expanded')).toBe('true')
  expect(from.getAttribute('aria-expanded')).toBe('false')
})

it('pickup chosen, destination known -> focus stays', () => {
  const { from, chooseHere } = form({ drop: { lat: 1, lng: 1, add: 'B' } })
  chooseHere(from)
  expect(document.activeElement).toBe(from)
})

it('destination chosen -> focus stays', () => {
  const { to, chooseHere } = form({})
  chooseHere(to)
  expect(document.activeElement).toBe(to)
})

const ends = { pickup: { lat: 0, lng: 0, add: 'A' }, drop: { lat: 1, lng: 1, add: 'B' } }

it.each(['place_to_coords_error', 'outside_region', 'stop_unreachable'] as const)(
  'no route: %s -> shown in the form, without fares',
  (noRoute) => {
    form(ends, { noRoute: new ApiError(noRoute, 422), isError: true })
    expect(screen.getByRole('alert').textContent).toBe(`error.${noRoute}`)
  },
)

it('trip for later -> the buttons confirm the time and Now instead', () => {
  form({ ...ends, later: true, at: '2099-01-01T10:00' })
  expect(screen.getByRole('button', { name: 'booking.confirm_later' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'booking.now_instead' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'booking.book_now' })).toBeNull()
})
