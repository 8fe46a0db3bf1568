import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../lib/query-client.ts'
import { startConsole } from './driver.fixture.ts'
import { RateRider } from './rate-rider.tsx'
import { tripOf } from './trip.fixture.ts'

beforeEach(() => startConsole())
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('rating: star chosen -> sent by the button only, earnings stay', async () => {
  const trip = tripOf({ status: 'PAID', commands: ['rate_rider'] })
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    sent.push(JSON.parse(String(init.body)))
    return Response.json({ ...trip, version: 2, rider_rating: 4 })
  })
  const done = vi.fn()
  render(
    <QueryClientProvider client={queryClient}>
      <RateRider booking={trip} onDone={done} />
    </QueryClientProvider>,
  )
  fireEvent.click(screen.getByRole('radio', { name: '2 stars' }))
  fireEvent.click(screen.getByRole('radio', { name: '4 stars' }))
  expect(sent).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: 'Send rating' }))
  await screen.findByText('Thanks for your rating.')
  expect(sent).toEqual([{ rating: 4 }])
  expect(screen.getByText('$125')).toBeTruthy()
  expect(done).not.toHaveBeenCalled()
  fireEvent.click(screen.getByRole('button', { name: 'Continue' }))
  expect(done).toHaveBeenCalled()
})
