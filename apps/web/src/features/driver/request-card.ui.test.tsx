import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { serverNow } from '../../lib/clock.ts'
import { queryClient } from '../../lib/query-client.ts'
import { startConsole } from './driver.fixture.ts'
import { upcomingOf } from './driver-console.tsx'
import { RequestCard, UpcomingRequest } from './request-card.tsx'
import { tripOf } from './trip.fixture.ts'

beforeEach(() => startConsole())
afterEach(cleanup)

const now = serverNow()
const requested = tripOf({
  status: 'NEW',
  viewer: 'requested',
  request: { requested_at: now - 30_000, expires_at: now + 30_000, pickupKm: 1, pickupS: 120, asked: 1 },
})
const show = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <RequestCard request={requested} busy={false} onAccept={() => {}} onDecline={() => {}} />
    </QueryClientProvider>,
  )

it("request: driver's share -> before the rider's fare", () => {
  show()
  const words = (screen.getByRole('article').textContent ?? '')
    .replace(/[\u2066-\u2069]/g, '')
    .replaceAll('\u00a0', ' ')
  expect(words).toMatch(/^\$125You earnRider pays \$138 · Cash/)
})

it('request: half of its time left -> ring half empty, for any duration', () => {
  show()
  const ring = screen.getByRole('timer')
  const around = Number(ring.querySelectorAll('circle')[1]?.getAttribute('stroke-dasharray'))
  const empty = Number(ring.querySelectorAll('circle')[1]?.getAttribute('stroke-dashoffset'))
  expect(empty / around).toBeCloseTo(0.5, 1)
})

it('request during a trip -> the next trip, without an Accept; one from before the trip -> not shown', () => {
  const trip = tripOf({ status: 'STARTED', trip_start_time: now - 60_000 })
  const asked = { expires_at: now + 30_000, pickupKm: 1, pickupS: 120, asked: 1 }
  const older = tripOf({ status: 'NEW', request: { ...asked, requested_at: now - 90_000 } })
  expect(upcomingOf(trip, [older])).toBeNull()
  expect(upcomingOf(trip, [older, requested])).toBe(requested)
  expect(upcomingOf(tripOf({ trip_start_time: null }), [requested])).toBeNull()
  const onDecline = vi.fn()
  render(
    <QueryClientProvider client={queryClient}>
      <UpcomingRequest request={requested} busy={false} onDecline={onDecline} />
    </QueryClientProvider>,
  )
  expect(screen.getByRole('article', { name: 'Next trip' }).textContent).toContain('Ejido 1275')
  expect(screen.queryByRole('button', { name: 'Accept' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Decline' }))
  expect(onDecline).toHaveBeenCalledOnce()
})
