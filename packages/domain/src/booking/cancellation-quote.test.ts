import { expect, it } from 'vitest'
import { unit } from '../money/amount.ts'
import { booking, bookingIn, minute, start } from './booking.fixture.ts'
import { cancellationQuote } from './cancellation-quote.ts'

it('says what cancelling costs and why', () => {
  const accepted = bookingIn('ACCEPTED')
  const after = (minutes: number) => cancellationQuote(accepted, start + minutes * minute)
  expect(cancellationQuote(booking, start + 60 * minute)).toEqual({ fee: 0, free: true, why: 'not_accepted' })
  expect(after(2)).toEqual({ fee: 0, free: true, why: 'free' })
  expect(after(3)).toEqual({ fee: 5 * unit, free: false, why: 'slab' })
  expect(after(9)).toEqual({ fee: 5 * unit, free: false, why: 'slab' })
  expect(after(9.01)).toEqual({ fee: 0, free: true, why: 'driver_late' })
})
