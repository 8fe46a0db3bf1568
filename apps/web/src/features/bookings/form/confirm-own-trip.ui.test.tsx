import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../../lib/query-client.ts'
import { fareOffer, startEnglish, storeTestSettings } from '../../../lib/test-data.fixture.ts'
import { loadModal } from '../../../ui/modal.tsx'
import ConfirmOwnBooking from './confirm-own-trip.tsx'

let bookings: { status: string; bookLater: boolean }[] | undefined
let connection = 'good'
vi.mock('../../../lib/live.ts', () => ({
  useLive: () => ({ data: bookings, error: null }),
  useConnection: () => connection,
}))
vi.mock('./confirm-dialog.tsx', () => ({ default: () => <p>the confirmation</p> }))

beforeAll(loadModal)
beforeEach(() => {
  connection = 'good'
  startEnglish()
  storeTestSettings()
})
afterEach(cleanup)

function confirm(tripdate: number | null) {
  const onClose = vi.fn()
  const nothing = () => undefined
  const place = { lat: 0, lng: 0, add: '' }
  const trip = { pickup: place, drop: place, offer: fareOffer, tripdate, office: null }
  const dialog = () => (
    <QueryClientProvider client={queryClient}>
      <ConfirmOwnBooking
        trip={trip}
        parcel={undefined}
        onParcel={nothing}
        onClose={onClose}
        onBooked={nothing}
        onError={nothing}
      />
    </QueryClientProvider>
  )
  const { rerender } = render(dialog())
  const receive = (next: typeof bookings) => {
    bookings = next
    rerender(dialog())
  }
  return { onClose, receive, confirmation: () => screen.queryByText('the confirmation') }
}

it('second trip now -> asks first, continues or not', () => {
  bookings = [{ status: 'STARTED', bookLater: false }]
  const { onClose, confirmation } = confirm(null)
  expect(confirmation()).toBeNull()
  fireEvent.click(screen.getByText('common.cancel'))
  expect(onClose).toHaveBeenCalledOnce()
  fireEvent.click(screen.getByText('trip.second_go_on'))
  expect(confirmation()).not.toBeNull()
})

it('second trip for later, or next to one for later -> no question', () => {
  bookings = [{ status: 'STARTED', bookLater: false }]
  expect(confirm(Date.now()).confirmation()).not.toBeNull()
  cleanup()
  bookings = [{ status: 'NEW', bookLater: true }]
  expect(confirm(null).confirmation()).not.toBeNull()
})

it('open trips arrive late -> asks then', () => {
  bookings = undefined
  const { receive, confirmation } = confirm(null)
  expect(confirmation()).toBeNull()
  receive([{ status: 'STARTED', bookLater: false }])
  expect(confirmation()).toBeNull()
  expect(screen.getByText('trip.second_title')).toBeTruthy()
})

it('no open trip, then the new booking arrives -> confirmation stays', () => {
  bookings = []
  const { receive, confirmation } = confirm(null)
  receive([{ status: 'NEW', bookLater: false }])
  expect(confirmation()).not.toBeNull()
})

it('connection lost -> no question, no waiting', () => {
  bookings = undefined
  connection = 'reconnecting'
  const { receive, confirmation } = confirm(null)
  connection = 'good'
  receive([{ status: 'STARTED', bookLater: false }])
  expect(confirmation()).not.toBeNull()
})
