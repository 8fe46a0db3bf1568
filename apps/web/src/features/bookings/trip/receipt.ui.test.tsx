import type { BookingView } from '@hansom/contract/bookings'
import { bookingIn } from '@hansom/domain/bookings/booking.fixture'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { queryClient } from '../../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../../lib/test-data.fixture.ts'
import { Receipt } from './receipt.tsx'

afterEach(cleanup)

/** The keys of the texts about the distance in the fare of a trip that is not paid yet. */
function notes(changes: Partial<BookingView>): string[] {
  startEnglish()
  storeTestSettings({ symbol: '$', decimal: 0, timezone: 'UTC', version: 1 })
  const view = { ...bookingIn('PENDING'), viewer: 'admin', ...changes } as unknown as BookingView
  const { container } = render(
    <QueryClientProvider client={queryClient}>
      <Receipt view={view} />
    </QueryClientProvider>,
  )
  const found = container.textContent?.match(/trip\.distance_(matched_part|matched|track|estimate)/g) ?? []
  cleanup()
  return found
}

it('distance source: back office -> which distance was used, and how much was on no street', () => {
  const matched = { distance_source: 'matched' as const }
  expect(notes({ ...matched, distance_unmatched: 0.01 })).toEqual(['trip.distance_matched'])
  expect(notes({ ...matched, distance_unmatched: 0.4 })).toEqual(['trip.distance_matched_part'])
  expect(notes({ distance_source: 'track', distance_unmatched: 0.4 })).toEqual(['trip.distance_track'])
  expect(notes({ distance_source: 'estimate' })).toEqual(['trip.distance_estimate'])
  expect(notes({ ...matched, viewer: 'fleetadmin' })).toEqual(['trip.distance_matched'])
})

it('distance source: rider or driver, or trip before it was recorded -> nothing', () => {
  expect(notes({ distance_source: 'matched', viewer: 'rider' })).toEqual([])
  expect(notes({ distance_source: 'matched', viewer: 'driver' })).toEqual([])
  expect(notes({ distance_source: null })).toEqual([])
})
