import { describe, expect, it } from 'vitest'
import { outstandingOf } from '../bookings/amounts.ts'
import { bookingIn, factsFor, inputFor, riderWith } from '../bookings/booking.fixture.ts'
import type { Booking } from '../bookings/booking.ts'
import { decide } from '../bookings/decide.ts'
import type { Facts, RiderFacts } from '../bookings/facts.ts'
import { Refusal } from '../error-keys.ts'
import { sumOf } from './ledger.ts'
import { decided, legs, now, out, u, unpaid } from './owed-trips.fixture.ts'

describe('objections', () => {
  const as = (actor: 'rider' | 'admin', booking: Booking, rider = riderWith(0)): Facts =>
    factsFor(booking, actor, { rider: { ...rider, trips: [...rider.trips, booking] } })
  const objected = (booking: Booking, rider?: RiderFacts): Booking => ({
    ...booking,
    ...decided(as('rider', booking, rider), 'object').changes,
  })
  const decide3 = (booking: Booking, outcome: string, rider?: RiderFacts) =>
    decided(as('admin', booking, rider), 'decide_objection', { outcome, reason: 'seen on the camera' })
  /** The amount collected from the rider after the decision. */
  const asked = (booking: Booking, outcome: string, rider: RiderFacts) => {
    const { entries, changes, otherTrips: also } = decide3(booking, outcome, rider)
    const changed = new Map([
      [booking.id, changes],
      ...also.map((one) => [one.booking.id, one.changes] as const),
    ])
    const trips = [...rider.trips, booking].map((trip) => ({ ...trip, ...changed.get(trip.id) }))
    return outstandingOf({ walletBalance: rider.walletBalance + sumOf(entries, 'user:r'), trips })
  }
  /** Trip 2, whose driver was paid only for the trip. */
  const paidAlone = (outstanding: number, difference: Partial<Booking> = {}) =>
    bookingIn('PAID', {
      id: 'trip2',
      driver: 'D2',
      cash_answer: 'trip',
      outstanding_amount: u(outstanding),
      ...difference,
    })
  const contested = objected(unpaid)

  it('nothing paid, the rider objects -> open until an admin decides', () => {
    expect(decided(as('rider', unpaid), 'object').changes).toEqual({
      objection: 'open',
      objection_to: 'cash',
      contested_amount: 0,
    })
    const again = [contested, bookingIn('PENDING')].map((one) =>
      decide(as('rider', one), inputFor('object'), now),
    )
    expect(again).toMatchObject([{ key: 'wrong_status' }, { key: 'wrong_status' }])
  })

  it('paid -> the driver has the cash, and owes it', () => {
    const { entries, changes } = decide3(contested, 'paid')
    expect(legs(entries)).toEqual(['user:D1 -110', 'trip:trip1 110', ...out('trip1', 'D1')])
    expect(changes).toMatchObject({ status: 'PAID', objection: 'paid' })
  })

  it('not paid -> the trip stays unpaid', () => {
    expect(decide3(contested, 'not_paid')).toMatchObject({ entries: [], changes: { objection: 'not_paid' } })
  })

  it('written off -> the platform bears it', () => {
    const { entries, changes } = decide3(contested, 'write_off')
    expect(legs(entries)).toEqual(['platform -110', 'trip:trip1 110', ...out('trip1', 'D1')])
    expect(changes).toMatchObject({ objection: 'written_off', customer_paid: 0 })
  })

  it('fee paid in cash to the driver of a paid trip -> that driver owes it', () => {
    const rider = riderWith(u(-5))
    const open = objected(paidAlone(5), rider)
    expect(open).toMatchObject({ objection: 'open', contested_amount: u(5) })
    expect(legs(decide3(open, 'paid', rider).entries)).toEqual(['user:D2 -5', 'user:r 5'])
    expect(decide3(open, 'paid', rider).changes).toMatchObject({
      cash_answer: 'all',
      outstanding_collected: u(5),
    })
    expect(legs(decide3(open, 'write_off', rider).entries)).toEqual(['platform -5', 'user:r 5'])
    expect(decide3(open, 'not_paid', rider).entries).toEqual([])
  })

  it('older trip paid in cash to the driver of a paid trip -> settled, and not collected again', () => {
    const rider = riderWith(0, { trips: [unpaid] })
    const open = objected(paidAlone(110), rider)
    const paid = decide3(open, 'paid', rider)
    expect(legs(paid.entries)).toEqual(['user:D2 -110', 'trip:trip1 110', ...out('trip1', 'D1')])
    expect(paid.otherTrips).toMatchObject([{ booking: { id: 'trip1' }, changes: { status: 'PAID' } }])
    const written = decide3(open, 'write_off', rider)
    expect(legs(written.entries)).toEqual(['platform -110', 'trip:trip1 110', ...out('trip1', 'D1')])
    expect(written.otherTrips[0]?.changes).toMatchObject({ status: 'PAID', customer_paid: 0 })
    expect(written.changes).not.toMatchObject({ outstanding_collected: u(110) })
    expect(['paid', 'write_off', 'not_paid'].map((outcome) => asked(open, outcome, rider))).toEqual([
      0,
      0,
      u(110),
    ])
  })

  it('neither trip nor fee paid -> the objection covers both', () => {
    const rider = riderWith(u(-5))
    const open = objected({ ...unpaid, outstanding_amount: u(5) }, rider)
    expect(outstandingOf({ ...rider, trips: [open] })).toBe(0)
    expect(legs(decide3(open, 'paid', rider).entries)).toEqual([
      'user:D1 -110',
      'trip:trip1 110',
      'user:D1 -5',
      'user:r 5',
      ...out('trip1', 'D1'),
    ])
    expect(['paid', 'write_off', 'not_paid'].map((outcome) => asked(open, outcome, rider))).toEqual([
      0,
      0,
      u(115),
    ])
  })

  it.each([
    ['confirm_cash', 'driver'],
    ['write_off', 'admin'],
  ] as const)('%s of a trip with an objection that covers a fee -> open for the fee', (command, actor) => {
    const rider = riderWith(u(-5))
    const open = objected({ ...unpaid, driver: 'd', outstanding_amount: u(5) }, rider)
    const { changes } = decided(factsFor(open, actor, { rider: { ...rider, trips: [open] } }), command)
    expect(changes).toMatchObject({ status: 'PAID', objection: 'open' })
    expect(asked({ ...open, ...changes }, 'paid', rider)).toBe(0)
  })

  it('three trips with the same fee -> contested once', () => {
    const first = objected(paidAlone(5), riderWith(u(-5)))
    const rider = riderWith(u(-5), { trips: [first] })
    const second = objected(paidAlone(5, { id: 'trip3' }), rider)
    expect(second.contested_amount).toBe(0)
    const later = riderWith(u(-12), { trips: [first, second] })
    expect(outstandingOf(later)).toBe(u(7))
    expect(legs(decide3(second, 'write_off', later).entries)).toEqual([])
  })

  it('contested amount paid in the meantime -> nothing is written off', () => {
    const open = objected(paidAlone(5), riderWith(u(-5)))
    expect(decide3(open, 'write_off', riderWith(u(3))).entries).toEqual([])
  })

  it.each([
    ['PAID', 0, null],
    ['COMPLETE', -5, null],
    ['COMPLETE', 0, 'wrong_status'],
  ] as const)('trip %s, balance %s -> %s', (status, balance, key) => {
    const answer = decide(
      as('rider', paidAlone(5, { status }), riderWith(u(balance))),
      inputFor('object'),
      now,
    )
    expect(answer instanceof Refusal ? answer.key : null).toBe(key)
  })

  it.each([
    ['confirm_cash', 'driver', 'paid'],
    ['pay_by_wallet', 'rider', 'withdrawn'],
    ['write_off', 'admin', 'written_off'],
  ] as const)('%s while the objection is open -> $2', (command, actor, objection) => {
    const facts = {
      ...factsFor(contested, actor),
      by: { role: actor, id: { driver: 'D1', rider: 'r', admin: 'a' }[actor] },
    }
    expect(decided(facts, command).changes).toMatchObject({ objection })
  })
})
