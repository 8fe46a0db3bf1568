import { describe, expect, it } from 'vitest'
import { isWrittenOff, outstandingOf } from '../bookings/amounts.ts'
import { bookingIn, factsFor, inputFor, minute, riderWith } from '../bookings/booking.fixture.ts'
import type { Booking } from '../bookings/booking.ts'
import { decide } from '../bookings/decide.ts'
import type { Facts } from '../bookings/facts.ts'
import { objectionTo } from '../bookings/objection.ts'
import { returnObjectionMs } from '../bookings/status.ts'
import { delivery as plain } from '../deliveries/delivery.fixture.ts'
import { Refusal } from '../error-keys.ts'
import { decided, legs, now, u } from './owed-trips.fixture.ts'

const delivery = { ...plain, return_leg: { ...plain.return_leg, cost: u(25), driver_share: u(20) } }
const fare_parts = { ...bookingIn('PAID').fare_parts, return_leg: u(20) }

/** A delivery with a return leg of 25, at 135 in all: 110 were paid by card in advance, the wallet paid the return leg. */
const prepaid = bookingIn('PAID', {
  fare_parts,
  trip_cost: u(135),
  driver_share: u(120),
  convenience_fees: u(15),
  prepaid: true,
  payment_mode: 'wallet_card',
  cashPaymentAmount: 0,
  cardPaymentAmount: u(110),
  usedWalletMoney: u(25),
  customer_paid: u(135),
  payableAmount: 0,
})

/** The same, booked by an admin and not paid. */
const unpaid = bookingIn('PENDING', {
  ...prepaid,
  status: 'PENDING',
  prepaid: false,
  payment_mode: 'card',
  cardPaymentAmount: 0,
  usedWalletMoney: 0,
  customer_paid: 0,
  payableAmount: u(135),
})

const as = (actor: 'rider' | 'admin', booking: Booking, balance = 0): Facts =>
  factsFor(booking, actor, { delivery, rider: riderWith(u(balance), { trips: [booking] }) })
const contested = (booking: Booking, balance = 0): Booking => ({
  ...booking,
  ...decided(as('rider', booking, balance), 'object').changes,
})
const decide2 = (booking: Booking, more: object, balance = 0) =>
  decided(as('admin', booking, balance), 'decide_objection', { reason: 'looked at the positions', ...more })
const answerTo = (facts: Facts, command: 'object' | 'decide_objection', more = {}, at = now) => {
  const answer = decide(facts, inputFor(command, more), at)
  return answer instanceof Refusal ? answer.key : null
}

describe('objection to the return leg', () => {
  it('balance does not cover the return leg -> contested up to what is asked for, once', () => {
    const open = contested(prepaid, -25)
    expect(open).toMatchObject({ objection: 'open', objection_to: 'return_leg', contested_amount: u(25) })
    expect(outstandingOf(riderWith(u(-25), { trips: [open] }))).toBe(0)
    expect(contested(prepaid, -5).contested_amount).toBe(u(5))
    expect(answerTo(as('rider', open), 'object')).toBe('wrong_status')
  })

  it('return leg paid from the wallet, another debt -> nothing of that debt is contested', () => {
    const other = bookingIn('PENDING', { id: 'other' })
    const rider = riderWith(u(5), { trips: [prepaid, other] })
    const { changes } = decided(factsFor(prepaid, 'rider', { delivery, rider }), 'object')
    expect(changes).toMatchObject({ objection: 'open', contested_amount: 0 })
  })

  it('unpaid delivery -> not collected while the objection is open', () => {
    const open = contested(unpaid)
    expect(open.contested_amount).toBe(0)
    expect(outstandingOf(riderWith(0, { trips: [open] }))).toBe(0)
  })

  it('driver is notified that the sender objects to the return leg', () => {
    const { effects } = decided(as('rider', prepaid), 'object')
    expect(effects).toMatchObject([{ user: 'd', title: 'notify.return_objected.title' }])
  })

  it.each([
    ['no return leg', { fare_parts: { ...fare_parts, return_leg: 0 } }],
    ['platform has borne the delivery', { customer_paid: 0 }],
    ['objected before', { objection: 'not_paid' as const }],
    ['cancelled', { status: 'CANCELLED' as const }],
  ])('%s -> no objection', (_case, difference) => {
    expect(objectionTo({ ...prepaid, ...difference }, 0)).toBeNull()
  })

  it('the cash answer of an unpaid delivery comes first', () => {
    expect(objectionTo({ ...unpaid, payment_mode: 'cash', cash_answer: 'nothing' }, 0)).toBe('cash')
    expect(objectionTo({ ...prepaid, cash_answer: 'trip' }, 0)).toBe('return_leg')
  })

  it('without a reason -> reason_needed', () => {
    expect(answerTo(as('rider', prepaid), 'object', { reason: ' ' })).toBe('reason_needed')
  })

  it('later than 14 days after the end -> wrong_status', () => {
    const end = prepaid.closed_at ?? 0
    const facts = as('rider', { ...prepaid, status: 'COMPLETE' })
    expect(answerTo(facts, 'object', {}, end + returnObjectionMs)).toBeNull()
    expect(answerTo(facts, 'object', {}, end + returnObjectionMs + minute)).toBe('wrong_status')
  })
})

describe('decision on the return leg', () => {
  const open = contested(prepaid, -25)

  it('charge stands -> collected again', () => {
    const { entries, changes } = decide2(open, { outcome: 'not_paid' }, -25)
    expect(entries).toEqual([])
    expect(outstandingOf(riderWith(u(-25), { trips: [{ ...open, ...changes }] }))).toBe(u(25))
  })

  it('paid -> refused: there was no cash', () => {
    expect(answerTo(as('admin', open), 'decide_objection', { outcome: 'paid' })).toBe('wrong_status')
  })

  it('written off -> the platform bears it, the driver keeps their share', () => {
    const { entries, changes } = decide2(open, { outcome: 'write_off' }, -25)
    expect(legs(entries)).toEqual(['platform -25', 'user:r 25'])
    expect(changes).toEqual({ objection: 'written_off', written_off_amount: u(25), customer_paid: u(110) })
    // The sender paid the rest: the back office lists the delivery as paid.
    expect(isWrittenOff({ ...open, ...changes })).toBe(false)
  })

  it.each([
    [100, 25],
    [120, 15],
    [135, 0],
  ])('%s refunded before -> %s written off', (refunded, amount) => {
    const { entries, changes } = decide2(open, { outcome: 'write_off', returned: u(refunded) })
    expect(legs(entries)).toEqual(amount > 0 ? [`platform -${amount}`, `user:r ${amount}`] : [])
    expect(changes).toMatchObject({ written_off_amount: u(amount), customer_paid: u(135 - amount) })
  })

  it('a part waived before -> only the rest is written off', () => {
    const { changes } = decide2(open, { outcome: 'write_off', returned: u(5), waived: u(5) })
    expect(changes).toMatchObject({ written_off_amount: u(20) })
  })

  it('unpaid, written off -> the rest is due, and the escrow gets the platform’s part with it', () => {
    const objected = contested(unpaid)
    const { entries, changes } = decide2(objected, { outcome: 'write_off' })
    expect([entries, changes]).toMatchObject([[], { payableAmount: u(110), written_off_amount: u(25) }])
    const rest = { ...objected, ...changes }
    const paid = decided(as('rider', rest, 110), 'pay_by_wallet')
    expect(legs(paid.entries)).toEqual([
      'platform -25',
      'trip:b 25',
      'user:r -110',
      'trip:b 110',
      'trip:b -135',
      'user:d 120',
      'platform 15',
    ])
    expect(paid.changes).toMatchObject({ customer_paid: u(110), objection: 'written_off' })
  })

  it('unpaid, the wallet holds more than the rest -> settled, the surplus returns', () => {
    const held = { ...contested(unpaid), usedWalletMoney: u(120), payment_mode: 'wallet_card' as const }
    const { entries, changes } = decide2(held, { outcome: 'write_off' })
    expect(legs(entries).slice(0, 4)).toEqual(['platform -25', 'trip:b 25', 'trip:b -10', 'user:r 10'])
    expect(changes).toMatchObject({ status: 'PAID', customer_paid: u(110), payableAmount: 0 })
  })

  it('sender pays while it is checked -> stays open, and is returned', () => {
    const objected = contested(unpaid)
    const paid = { ...objected, ...decided(as('rider', objected, 135), 'pay_by_wallet').changes }
    expect(paid).toMatchObject({ status: 'PAID', objection: 'open', customer_paid: u(135) })
    expect(legs(decide2(paid, { outcome: 'write_off' }).entries)).toEqual(['platform -25', 'user:r 25'])
  })
})
