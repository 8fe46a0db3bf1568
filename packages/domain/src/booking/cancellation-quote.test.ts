import { expect, it } from 'vitest'
import { unit } from '../money/amount.ts'
import { booking, bookingIn, minute, start } from './booking.fixture.ts'
import { cancellationQuote } from './cancellation-quote.ts'

it('says what cancelling costs and why', () => {
  const accepted = bookingIn('ACCEPTED')
  const after = (minutes: number) => cancellationQuote(accepted, 'rider', start + minutes * minute)
  expect(cancellationQuote(booking, 'rider', start + 60 * minute)).toEqual({
    fee: 0,
    free: true,
    why: 'not_accepted',
  })
  expect(after(2)).toEqual({ fee: 0, free: true, why: 'free' })
  expect(after(3)).toEqual({ fee: 5 * unit, free: false, why: 'slab' })
  expect(after(9)).toEqual({ fee: 5 * unit, free: false, why: 'slab' })
  expect(after(9.01)).toEqual({ fee: 0, free: true, why: 'driver_late' })
})

it('costs nobody but the rider anything', () => {
  const accepted = bookingIn('ACCEPTED')
  for (const actor of ['driver', 'admin'] as const) {
    expect(cancellationQuote(accepted, actor, start + 5 * minute)).toEqual({
      fee: 0,
      free: true,
      why: 'free',
    })
    expect(cancellationQuote(accepted, actor, start + 60 * minute).why).toBe('free')
  }
})
