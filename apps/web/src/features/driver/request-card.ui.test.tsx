import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { serverNow } from '../../lib/clock.ts'
import { queryClient } from '../../lib/query-client.ts'
import { startConsole } from './driver.fixture.ts'
import { RequestCard } from './request-card.tsx'
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
  const words = (screen.getByRole('article').textContent ?? '').replace(/[\u2066-\u2069]/g, '')
  expect(words).toMatch(/^\$125You earnRider pays \$138 · Cash/)
})

it('request: half of its time left -> ring half empty, for any duration', () => {
  show()
  const ring = screen.getByRole('timer')
  const around = Number(ring.querySelectorAll('circle')[1]?.getAttribute('stroke-dasharray'))
  const empty = Number(ring.querySelectorAll('circle')[1]?.getAttribute('stroke-dashoffset'))
  expect(empty / around).toBeCloseTo(0.5, 1)
})
