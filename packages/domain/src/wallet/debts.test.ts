import { describe, expect, it } from 'vitest'
import { outstandingOf, toCollect } from '../bookings/amounts.ts'
import { bookingIn, factsFor, inputFor, minute, riderWith, start } from '../bookings/booking.fixture.ts'
import type { Booking } from '../bookings/booking.ts'
import { decide } from '../bookings/decide.ts'
import type { Facts, RiderFacts } from '../bookings/facts.ts'
import { operationNames, walkWithDebts } from './debts.fixture.ts'
import { type Due, dueReleases, dueWaived } from './dues.ts'
import { decided, legs, now, out, u, unpaid } from './owed-trips.fixture.ts'
import { refundConfirmed, refundRequested } from './refund-entries.ts'
import { cashBanked, cashReceived, cashReversed, topUp } from './user-entries.ts'

/** Trip 2 of driver D2, at its end. */
const reached = (rider: RiderFacts, difference: Partial<Booking> = {}): Facts => ({
  ...factsFor(
    bookingIn('REACHED', {
      id: 'trip2',
      driver: 'D2',
      outstanding_amount: outstandingOf(rider),
      ...difference,
    }),
    'driver',
  ),
  by: { role: 'driver', id: 'D2' },
  rider,
})
const due: Due = { booking: 'trip1', rider: 'r', driver: 'D1', open: u(5) }

const cashTrip2 = ['user:D2 -110', 'trip:trip2 110']
const released = ['due:trip1 -5', 'user:D1 5']

describe('debts: legs', () => {
  const fee = (balance: number) => {
    const facts = factsFor(bookingIn('ACCEPTED', { id: 'trip1', driver: 'D1' }), 'rider', {
      rider: riderWith(u(balance)),
    })
    return decided(facts, 'cancel', {}, start + 3 * minute).entries
  }

  it('fee 5, the rider has 0 -> due to the driver', () => {
    expect(legs(fee(0)).sort()).toEqual(['due:trip1 5', 'user:r -5'])
    expect(dueReleases([due], u(-5))).toEqual([])
  })

  it('fee 5, the rider has 3 -> 3 paid, 2 due', () => {
    expect(legs(fee(3)).sort()).toEqual(['due:trip1 5', 'user:r -5'])
    expect(legs(dueReleases([due], u(-2)))).toEqual(['due:trip1 -3', 'user:D1 3'])
  })

  it('open fee, next cash trip -> collected with it', () => {
    const { entries, changes } = decided(reached(riderWith(u(-5))), 'close', {
      collected: 'all',
      amount: u(115),
    })
    expect(legs(entries)).toEqual([...cashTrip2, 'user:D2 -5', 'user:r 5', ...out('trip2', 'D2')])
    expect(changes).toMatchObject({ status: 'PAID', customer_paid: u(110), outstanding_collected: u(5) })
    expect(legs(dueReleases([due], 0))).toEqual(released)
  })

  it('open fee, next card trip -> collected with it', () => {
    const facts = factsFor(bookingIn('PENDING', { id: 'trip2', driver: 'D2' }), 'system', {
      rider: riderWith(u(-5)),
    })
    const { entries } = decided(facts, 'settle_capture', { amount: u(115) })
    expect(legs(entries)).toEqual([
      'provider:stripe -115',
      'trip:trip2 110',
      'user:r 5',
      ...out('trip2', 'D2'),
    ])
  })

  it('open fee, card trip paid in advance -> collected with it', () => {
    const booking = bookingIn('NEW', { id: 'trip2', status: 'PAYMENT_PENDING', payment_mode: 'card' })
    const facts = factsFor(booking, 'system', { rider: riderWith(u(-5)) })
    const { entries, changes } = decided(facts, 'capture_payment', { amount: u(115), payment: 'pay' })
    expect(legs(entries)).toEqual(['provider:stripe -115', 'trip:trip2 110', 'user:r 5'])
    expect(changes).toMatchObject({ cardPaymentAmount: u(110), outstanding_collected: u(5) })
  })

  it('open fee, top-up 200, wallet trip -> released by the top-up', () => {
    const top = topUp('r', { provider: 'stripe', amount: u(200), payment: 'top' })
    expect(legs(top)).toEqual(['provider:stripe -200', 'user:r 200'])
    expect(legs(dueReleases([due], u(195)))).toEqual(released)
    const paid = decided(reached(riderWith(u(195)), { payment_mode: 'wallet' }), 'close')
    expect(legs(paid.entries)).toEqual(['user:r -110', 'trip:trip2 110', ...out('trip2', 'D2')])
  })

  it('cash 110 not paid -> pending, no entries', () => {
    const { entries, changes } = decided(reached(riderWith(0)), 'close', { collected: 'nothing', amount: 0 })
    expect(entries).toEqual([])
    expect(changes).toMatchObject({ status: 'PENDING', payableAmount: u(110), cash_answer: 'nothing' })
  })

  it('unpaid trip, next cash trip -> pays both', () => {
    const rider = riderWith(0, { trips: [unpaid] })
    const { entries, otherTrips: also } = decided(reached(rider), 'close', {
      collected: 'all',
      amount: u(220),
    })
    expect(legs(entries)).toEqual([
      ...cashTrip2,
      'user:D2 -110',
      'trip:trip1 110',
      ...out('trip2', 'D2'),
      ...out('trip1', 'D1'),
    ])
    expect(also).toMatchObject([
      { booking: { id: 'trip1' }, changes: { status: 'PAID', cashPaymentAmount: u(110) } },
    ])
  })

  it('unpaid trip, next card trip -> pays both', () => {
    const facts = factsFor(bookingIn('PENDING', { id: 'trip2', driver: 'D2' }), 'system', {
      rider: riderWith(0, { trips: [unpaid] }),
    })
    const { entries, otherTrips: also } = decided(facts, 'settle_capture', { amount: u(220) })
    expect(legs(entries)).toEqual([
      'provider:stripe -220',
      'trip:trip1 110',
      'trip:trip2 110',
      ...out('trip2', 'D2'),
      ...out('trip1', 'D1'),
    ])
    expect(also[0]?.changes).toMatchObject({
      status: 'PAID',
      cardPaymentAmount: u(110),
      payment_mode: 'card',
    })
  })

  it('cash desk: the driver pays 15 -> received, banked, reversed', () => {
    expect(legs(cashReceived('x', 'D2', u(15)))).toEqual(['cash_desk -15', 'user:D2 15'])
    expect(legs(cashBanked('y', u(15)))).toEqual(['cash_desk 15', 'bank -15'])
    expect(legs(cashReversed('x', 'D2', u(15)))).toEqual(['cash_desk 15', 'user:D2 -15'])
  })

  it('cash desk: the rider pays the fee 5 -> released to the driver', () => {
    expect(legs([cashReceived('x', 'r', u(5)), ...dueReleases([due], 0)])).toEqual([
      'cash_desk -5',
      'user:r 5',
      ...released,
    ])
  })

  it('fee refunded after collection -> the platform bears it', () => {
    const refund = { id: 'f', booking: 'trip1', amount: u(5), bearer: { platform: true as const } }
    expect(legs([refundRequested(refund), refundConfirmed(refund, { rider: 'r' })])).toEqual([
      'platform -5',
      'refund 5',
      'refund -5',
      'user:r 5',
    ])
  })

  it('fee waived while open -> removed from due and balance', () => {
    expect(legs(dueWaived(due))).toEqual(['due:trip1 -5', 'user:r 5'])
  })
})

describe('debts: collection', () => {
  it('several dues -> the oldest first, the last one in part', () => {
    const dues = [due, { ...due, booking: 'trip0', driver: 'D0', open: u(7) }]
    expect(legs(dueReleases(dues, u(-4)))).toEqual(['due:trip1 -5', 'user:D1 5', 'due:trip0 -3', 'user:D0 3'])
    expect(dueReleases(dues, u(-12))).toEqual([])
    expect(legs(dueReleases(dues, u(1_000)))).toHaveLength(4)
  })

  it('a release and a waiver of one due -> share a key', () => {
    expect(dueReleases([due], 0)[0]?.key).toBe(dueWaived(due).key)
  })

  it('balance rose after the amount was fixed -> the rest of the cash is credited to the rider', () => {
    const facts = { ...reached(riderWith(u(-5))), rider: riderWith(0) }
    const { entries } = decided(facts, 'close', { collected: 'all', amount: u(115) })
    expect(legs(entries)).toContain('user:r 5')
  })

  it('another trip paid after the amount was fixed -> the rest of the cash is credited to the rider', () => {
    const facts = { ...reached(riderWith(0, { trips: [unpaid] })), rider: riderWith(0) }
    const { entries, otherTrips: also } = decided(facts, 'close', { collected: 'all', amount: u(220) })
    expect(legs(entries)).toContain('user:r 110')
    expect(also).toEqual([])
  })

  it('amount the driver was not shown -> amount_changed', () => {
    const answer = decide(
      reached(riderWith(u(-5))),
      inputFor('close', { collected: 'all', amount: u(120) }),
      now,
    )
    expect(answer).toMatchObject({
      key: 'amount_changed',
      data: { collect: { trip: u(110), outstanding: u(5), total: u(115) } },
    })
  })

  it('trip alone -> the outstanding amount stays, and the rider is notified', () => {
    const { entries, effects } = decided(reached(riderWith(u(-5))), 'close', {
      collected: 'trip',
      amount: u(110),
    })
    expect(legs(entries)).toEqual([...cashTrip2, ...out('trip2', 'D2')])
    expect(effects).toContainEqual(
      expect.objectContaining({ user: 'r', title: 'notify.outstanding_not_paid.title' }),
    )
  })

  it('no answer -> the trip alone, as sent by clients without the question', () => {
    expect(decided(reached(riderWith(u(-5))), 'close').changes).toMatchObject({ cash_answer: 'trip' })
  })

  it('open objection -> the trip is not part of the outstanding amount', () => {
    expect(outstandingOf(riderWith(u(-5), { trips: [unpaid] }))).toBe(u(115))
    const objected = { objection: 'open' as const, contested_amount: u(5) }
    expect(outstandingOf(riderWith(u(-5), { trips: [bookingIn('PAID', objected)] }))).toBe(0)
    expect(outstandingOf(riderWith(u(-5), { trips: [{ ...unpaid, ...objected }] }))).toBe(0)
  })

  it.each([
    ['wallet', {}, 0],
    ['card', {}, 0],
    ['cash', { outstanding_amount: null }, 0],
    ['cash', { outstanding_amount: u(5) }, u(5)],
    ['card', { prepaid: true }, 0],
  ] as const)(
    '%s trip at its end, %o -> the outstanding amount to collect',
    (payment_mode, difference, outstanding) => {
      const booking = bookingIn('REACHED', { payment_mode, ...difference })
      expect(toCollect(booking, u(99)).outstanding).toBe(outstanding)
    },
  )
})

it('debts: 6,000 random operations -> every entry sums to zero, drivers get only collected money', () => {
  const happened = walkWithDebts(6_000)
  for (const name of operationNames) expect([name, (happened.get(name) ?? 0) > 0]).toEqual([name, true])
})
