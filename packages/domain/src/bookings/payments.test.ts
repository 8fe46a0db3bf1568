import { describe, expect, it } from 'vitest'
import { Refusal } from '../error-keys.ts'
import type { ActorRole } from '../users/roles.ts'
import { isWrittenOff } from './amounts.ts'
import { booking, bookingIn, factsFor, inputFor, minute, riderWith } from './booking.fixture.ts'
import type { Booking } from './booking.ts'
import { paymentTimeMs } from './create.ts'
import { decide } from './decide.ts'
import type { CommandInput } from './facts.ts'
import { decided, kinds, moved, now, refused, u, withPromo } from './payments.fixture.ts'

const reached = (difference: Partial<Booking> = {}) => factsFor(bookingIn('REACHED', difference), 'driver')

describe('close: a trip of 110 with a fee of 10', () => {
  it('cash -> settled immediately, the driver owes 10, both are notified', () => {
    const decision = decided(reached(), inputFor('close'))
    expect(moved(decision)).toEqual({ 'user:d': -10, platform: 10 })
    expect(decision.changes).toMatchObject({
      status: 'PAID',
      closed_at: now,
      customer_paid: u(110),
      cashPaymentAmount: u(110),
      payableAmount: 0,
    })
    expect(kinds(decision)).toEqual(['free_driver', 'notify', 'notify', 'schedule'])
    expect(decision.effects.at(-1)).toMatchObject({ job: 'complete_unrated', at: now + 24 * 60 * minute })
  })

  it('cash with a promo of 20 -> the driver gets 10', () => {
    const decision = decided(reached(withPromo), inputFor('close'))
    expect(moved(decision)).toEqual({ promo: -20, 'user:d': 10, platform: 10 })
    expect(decision.changes).toMatchObject({ customer_paid: u(90), cashPaymentAmount: u(90) })
  })

  it('wallet with enough -> settled', () => {
    const decision = decided(reached({ payment_mode: 'wallet' }), inputFor('close'))
    expect(moved(decision)).toEqual({ 'user:r': -110, 'user:d': 100, platform: 10 })
    expect(decision.changes).toMatchObject({ status: 'PAID', usedWalletMoney: u(110) })
  })

  it("wallet with too little -> pending, regardless of the drivers' debt limit", () => {
    const facts = { ...reached({ payment_mode: 'wallet' }), rider: riderWith(u(109)) }
    const decision = decided(facts, inputFor('close'))
    expect(decision.changes).toMatchObject({ status: 'PENDING', payableAmount: u(110), closed_at: now })
    expect(moved(decision)).toEqual({})
    expect(kinds(decision)).toEqual(['free_driver', 'notify'])
    const trusting = { ...facts, settings: { ...facts.settings, negativeBalance: true } }
    expect(decided(trusting, inputFor('close')).changes.status).toBe('PENDING')
  })

  it('card -> pending until exactly the amount due is captured', () => {
    expect(decided(reached({ payment_mode: 'card' }), inputFor('close')).changes.status).toBe('PENDING')
    const facts = factsFor(bookingIn('PENDING'), 'system')
    const capture = (amount: number) => inputFor('settle_capture', { amount })
    const decision = decided(facts, capture(u(110)))
    expect(moved(decision)).toEqual({ 'provider:stripe': -110, 'user:d': 100, platform: 10 })
    expect(kinds(decision)).not.toContain('free_driver')
    expect(refused(facts, capture(u(109)))).toBe('conflict')
  })

  it('wallet 30 and card 80 -> both are taken', () => {
    const facts = { ...reached({ payment_mode: 'wallet_card' }), rider: riderWith(u(30)) }
    const closed = decided(facts, inputFor('close'))
    expect(moved(closed)).toEqual({ 'user:r': -30, 'trip:b': 30 })
    const pending: Booking = { ...facts.booking, ...closed.changes }
    expect(pending.payableAmount).toBe(u(80))
    const paid = decided(factsFor(pending, 'system'), inputFor('settle_capture', { amount: u(80) }))
    expect(moved(paid)).toEqual({ 'provider:stripe': -80, 'trip:b': -30, 'user:d': 100, platform: 10 })
    expect(paid.changes).toMatchObject({ customer_paid: u(110), cardPaymentAmount: u(80) })
  })

  it('nothing due -> settled', () => {
    const free = reached({ ...withPromo, discount_amount: u(110), payment_mode: 'card' })
    expect(moved(decided(free, inputFor('close')))).toEqual({ promo: -110, 'user:d': 100, platform: 10 })
  })

  it('pending -> paid by wallet, in cash, or written off', () => {
    const pending = bookingIn('PENDING')
    expect(moved(decided(factsFor(pending, 'rider'), inputFor('pay_by_wallet')))).toEqual({
      'user:r': -110,
      'user:d': 100,
      platform: 10,
    })
    const poor = factsFor(pending, 'rider', { rider: riderWith(u(109)) })
    expect(refused(poor, inputFor('pay_by_wallet'))).toBe('low_wallet')
    expect(moved(decided(factsFor(pending, 'driver'), inputFor('confirm_cash')))).toEqual({
      'user:d': -10,
      platform: 10,
    })
    const writtenOff = decided(factsFor(pending, 'admin'), inputFor('write_off'))
    expect(moved(writtenOff)).toEqual({ platform: -100, 'user:d': 100 })
    expect(writtenOff.changes.customer_paid).toBe(0)
    expect(isWrittenOff({ ...pending, ...writtenOff.changes, status: 'PAID' })).toBe(true)
    expect(refused(factsFor(pending, 'admin'), inputFor('write_off', { reason: ' ' }))).toBe('reason_needed')
  })
})

describe('stored payment method', () => {
  const modeAfter = (booking: Booking, by: ActorRole, input: CommandInput) =>
    decided(factsFor(booking, by), input).changes.payment_mode

  it('other method than chosen -> the one that was used', () => {
    const pending = bookingIn('PENDING')
    expect(pending.payment_mode).toBe('card')
    expect(modeAfter(pending, 'rider', inputFor('pay_by_wallet'))).toBe('wallet')
    expect(modeAfter(pending, 'driver', inputFor('confirm_cash'))).toBe('cash')
    expect(modeAfter(pending, 'system', inputFor('settle_capture', { amount: u(110) }))).toBe('card')
    const held = { ...pending, payment_mode: 'wallet_card' as const, usedWalletMoney: u(30) }
    expect(modeAfter(held, 'system', inputFor('settle_capture', { amount: u(80) }))).toBe('wallet_card')
    expect(modeAfter(held, 'rider', inputFor('pay_by_wallet'))).toBe('wallet')
    expect(modeAfter(held, 'driver', inputFor('confirm_cash'))).toBe('cash')
  })

  it('prepaid trip that costs more -> wallet and card', () => {
    const prepaid = { prepaid: true, payment_mode: 'card' as const, cardPaymentAmount: u(90) }
    expect(decided(reached(prepaid), inputFor('close')).changes.payment_mode).toBe('wallet_card')
  })

  it('nothing paid -> unchanged', () => {
    expect(modeAfter(bookingIn('PENDING'), 'admin', inputFor('write_off'))).toBeUndefined()
    const free = reached({ ...withPromo, discount_amount: u(110), payment_mode: 'card' })
    expect(decided(free, inputFor('close')).changes.payment_mode).toBeUndefined()
  })
})

describe('advance payment', () => {
  const waiting = { ...booking, status: 'PAYMENT_PENDING' as const, payment_mode: 'card' as const }

  it('captured, with a promo of 20 -> drivers are asked', () => {
    const facts = factsFor({ ...waiting, ...withPromo }, 'system')
    expect(refused(facts, inputFor('capture_payment', { amount: u(89) }))).toBe('conflict')
    const decision = decided(facts, inputFor('capture_payment', { amount: u(90), payment: 'pay' }))
    expect(moved(decision)).toEqual({ 'provider:stripe': -90, promo: -20, 'trip:b': 110 })
    expect(decision.entries).toHaveLength(1)
    expect(decision.changes).toMatchObject({ status: 'NEW', prepaid: true, customer_paid: u(90) })
    expect(kinds(decision)).toEqual(['dispatch'])
  })

  it('trip closed -> the escrow is paid out only then', () => {
    const prepaid = { prepaid: true, payment_mode: 'card' as const, cardPaymentAmount: u(90), ...withPromo }
    const decision = decided(reached(prepaid), inputFor('close'))
    expect(moved(decision)).toEqual({ 'trip:b': -110, 'user:d': 100, platform: 10 })
  })

  it('price changed -> the wallet gets the surplus or pays the difference', () => {
    const prepaid = { prepaid: true, payment_mode: 'card' as const }
    const more = decided(reached({ ...prepaid, cardPaymentAmount: u(130) }), inputFor('close'))
    expect(moved(more)).toEqual({ 'trip:b': -130, 'user:r': 20, 'user:d': 100, platform: 10 })
    const facts = reached({ ...prepaid, cardPaymentAmount: u(100) })
    const less = decided({ ...facts, rider: riderWith(0) }, inputFor('close'))
    expect(less.changes.status).toBe('PAID')
    // The driver waits for the part the rider's wallet did not have.
    expect(moved(less)).toEqual({ 'trip:b': -100, 'user:r': -10, 'user:d': 90, 'due:b': 10, platform: 10 })
  })

  it('expired -> cancelled, the wallet part returns, the promo is released', () => {
    const facts = factsFor({ ...waiting, ...withPromo, usedWalletMoney: u(30) }, 'system')
    const decision = decided(facts, inputFor('expire_payment'))
    expect(moved(decision)).toEqual({ 'trip:b': -30, 'user:r': 30 })
    expect(decision.changes).toMatchObject({ cancelledBy: 'system', reason: 'cancelled incomplete booking' })
    expect(kinds(decision)).toEqual(['remove_requests', 'release_promo', 'notify'])
  })

  it('before the deadline -> does not expire', () => {
    const due = waiting.bookingDate + paymentTimeMs
    const early = decide(factsFor(waiting, 'system'), inputFor('expire_payment'), due - 1)
    expect(early).toMatchObject({ key: 'too_early', data: { from: due } })
    expect(decide(factsFor(waiting, 'system'), inputFor('expire_payment'), due)).not.toBeInstanceOf(Refusal)
  })
})

describe('final price', () => {
  it('taxi -> from the track and the driving time', () => {
    const facts = factsFor(bookingIn('STARTED', { trip_start_time: now - 40 * minute }), 'driver')
    const track = { distance: 12, distance_filled: 1.5, distance_source: 'track', distance_unmatched: 0 }
    const { changes, effects } = decided(facts, inputFor('reach', { track }))
    expect(changes).toMatchObject({
      status: 'REACHED',
      trip_end_time: now,
      total_trip_time: 2400,
      distance: 12,
      distance_filled: 1.5,
      drop: { lat: -34.87, lng: -56.14, add: 'There' },
      trip_cost: u(198),
      convenience_fees: u(18),
      driver_share: u(180),
      payableAmount: u(198),
    })
    expect(effects.map((effect) => effect.kind)).toEqual(['track_point', 'save_address', 'notify'])
    expect(effects[1]).toMatchObject({ user: 'r', point: changes.drop })
  })

  it('parcel -> unchanged', () => {
    const facts = factsFor(bookingIn('STARTED'), 'driver')
    const delivery = { ...facts, settings: { ...facts.settings, category: 'delivery' as const } }
    const { changes } = decided(
      delivery,
      inputFor('reach', {
        track: { distance: 50, distance_filled: 0, distance_source: 'track', distance_unmatched: 0 },
      }),
    )
    expect(changes.trip_cost).toBeUndefined()
    expect(changes.drop).toEqual(booking.drop)
    expect(changes.distance).toBe(50)
  })

  it('promo below its minimum -> removed, also from the escrow', () => {
    const short = {
      track: { distance: 0, distance_filled: 0, distance_source: 'track', distance_unmatched: 0 },
    }
    const inTime = { trip_start_time: now }
    const cash = decided(
      factsFor(bookingIn('STARTED', { ...withPromo, ...inTime }), 'driver'),
      inputFor('reach', short),
    )
    expect(cash.changes).toMatchObject({
      trip_cost: u(55),
      discount_amount: 0,
      promo_id: null,
      promo_applied: false,
    })
    expect(cash.effects).toContainEqual({ kind: 'release_promo', promo: 'p' })
    expect(moved(cash)).toEqual({})
    const prepaid = { ...withPromo, ...inTime, prepaid: true, cardPaymentAmount: u(90) }
    const card = decided(factsFor(bookingIn('STARTED', prepaid), 'driver'), inputFor('reach', short))
    expect(moved(card)).toEqual({ promo: 20, 'trip:b': -20 })
  })

  it('ended by an admin -> needs a reason', () => {
    const facts = factsFor(bookingIn('STARTED'), 'admin')
    expect(refused(facts, inputFor('reach', { reason: undefined }))).toBe('reason_needed')
    expect(refused(factsFor(bookingIn('REACHED'), 'admin'), inputFor('close', { reason: '' }))).toBe(
      'reason_needed',
    )
  })
})
