import { expect, it } from 'vitest'
import { adminReasons } from '../cancel-reasons/reasons.ts'
import { unit } from '../money/amount.ts'
import { booking, bookingIn, factsFor, inputFor, minute, start } from './booking.fixture.ts'
import { cancellationQuote } from './cancel.ts'
import { decide } from './decide.ts'

it('quote: rider at each stage -> fee and reason', () => {
  const accepted = bookingIn('ACCEPTED')
  const after = (minutes: number) => cancellationQuote(accepted, 'rider', start + minutes * minute)
  expect(cancellationQuote(booking, 'rider', start + 60 * minute)).toEqual({
    fee: 0,
    free: true,
    why: 'not_accepted',
    next: null,
  })
  expect(after(2)).toMatchObject({ fee: 0, free: true, why: 'free' })
  expect(after(3)).toMatchObject({ fee: 5 * unit, free: false, why: 'slab' })
  expect(after(9)).toMatchObject({ fee: 5 * unit, free: false, why: 'slab' })
  expect(after(9.01)).toEqual({ fee: 0, free: true, why: 'driver_late', next: null })
})

it('quote: anyone but the rider -> no fee', () => {
  const accepted = bookingIn('ACCEPTED')
  for (const actor of ['driver', 'admin'] as const) {
    expect(cancellationQuote(accepted, actor, start + 5 * minute)).toEqual({
      fee: 0,
      free: true,
      why: 'free',
      next: null,
    })
    expect(cancellationQuote(accepted, actor, start + 60 * minute).why).toBe('free')
  }
})

it('admin cancels at the pickup -> the fee of the rider, as quoted; on the way none', () => {
  const arrived = bookingIn('ARRIVED', { driver_arrive_time: start + 4 * minute })
  const at = start + 5 * minute
  const quote = cancellationQuote(arrived, 'admin', at)
  expect(quote).toEqual(cancellationQuote(arrived, 'rider', at))
  expect(quote).toMatchObject({ fee: 5 * unit, why: 'slab' })
  const cancel = (trip: typeof arrived, fee: number) =>
    decide(factsFor(trip, 'admin'), inputFor('cancel', { fee, reason: adminReasons[0] }), at)
  expect(cancel(arrived, 0)).toMatchObject({ key: 'cancellation_fee_changed', data: { fee: 5 * unit } })
  expect(cancel(arrived, 5 * unit)).toMatchObject({
    changes: { status: 'CANCELLED', cancelledBy: 'admin', cancellation_fee: 5 * unit },
  })
  expect(cancel(bookingIn('ACCEPTED'), 0)).toMatchObject({ changes: { cancellation_fee: 0 } })
})

it('quote: before a slab -> the next fee and its start', () => {
  const accepted = bookingIn('ACCEPTED', {
    cancel_slab: [...booking.cancel_slab, { minsDelayed: 5, amount: 8 * unit }],
  })
  const next = (minutes: number) => cancellationQuote(accepted, 'rider', start + minutes * minute).next
  expect(next(2)).toEqual({ fee: 5 * unit, from: start + 3 * minute })
  expect(next(3)).toEqual({ fee: 8 * unit, from: start + 6 * minute })
  expect(next(6)).toBeNull()
})

it('cancel: fee above the one shown -> refused with the new fee', () => {
  const facts = factsFor(bookingIn('ACCEPTED'), 'rider')
  const cancel = (fee: number | undefined, minutes: number) =>
    decide(facts, inputFor('cancel', { fee }), start + minutes * minute)
  expect(cancel(0, 3)).toMatchObject({ key: 'cancellation_fee_changed', data: { fee: 5 * unit } })
  expect(cancel(0, 2.9)).toMatchObject({ changes: { status: 'CANCELLED', cancellation_fee: 0 } })
  expect(cancel(5 * unit, 3)).toMatchObject({ changes: { cancellation_fee: 5 * unit } })
  expect(cancel(5 * unit, 9.01)).toMatchObject({ changes: { cancellation_fee: 0 } })
  expect(cancel(undefined, 3)).toMatchObject({ changes: { cancellation_fee: 5 * unit } })
})

it('cancel: by anyone -> the booking has the time', () => {
  for (const actor of ['rider', 'driver', 'admin'] as const) {
    const decision = decide(factsFor(bookingIn('ACCEPTED'), actor), inputFor('cancel'), start + 2 * minute)
    expect(decision).toMatchObject({ changes: { status: 'CANCELLED', closed_at: start + 2 * minute } })
  }
})
