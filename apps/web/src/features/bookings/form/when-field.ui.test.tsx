import { toCityTime } from '@hansom/domain/time/city-time'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fareOffer, startEnglish } from '../../../lib/test-data.fixture.ts'
import { WhenField } from './booking-form.tsx'
import { CarOffers } from './car-offers.tsx'

vi.mock('../../../lib/settings.ts', () => ({
  useSettings: () => ({
    timezone: 'UTC',
    region: { name: 'City' },
    symbol: '$',
    decimal: 0,
    swipe_symbol: false,
    convert_to_mile: false,
  }),
}))

beforeEach(() => {
  startEnglish()
})
afterEach(cleanup)

const day = 86_400_000
const shown = (at: number, kept?: number) => {
  const time = (moment: number) => toCityTime(moment, 'UTC')
  render(
    <WhenField
      value={time(at)}
      {...(kept ? { kept: time(kept) } : {})}
      focused={false}
      onChange={() => undefined}
    />,
  )
  return document.body.textContent
}

it('later time: more than ninety days ahead -> refused at the field immediately', () => {
  expect(shown(Date.now() + 365 * day)).toContain('error.too_far_ahead')
})

it('later time: within a quarter of an hour -> refused at the field immediately', () => {
  expect(shown(Date.now() + 5 * 60_000)).toContain('error.past_booking_error')
})

it('later time: the one that the booking has, within a quarter of an hour -> no error; another one -> refused', () => {
  const soon = Date.now() + 5 * 60_000
  expect(shown(soon, soon)).not.toContain('error.')
  cleanup()
  expect(shown(soon + 60_000, soon)).toContain('error.past_booking_error')
})

it('later time: tomorrow -> no error', () => {
  expect(shown(Date.now() + day)).not.toContain('error.')
})

it.each([
  [false, true],
  [true, false],
])('car offers: later trip %s -> minutes to pickup shown %s', (later, isShown) => {
  render(
    <CarOffers offers={[fareOffer]} chosen={fareOffer.carType.id} later={later} onChoose={() => undefined} />,
  )
  expect(screen.queryByText('booking.arrives_in') !== null).toBe(isShown)
})
