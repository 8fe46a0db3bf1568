import { describe, expect, it } from 'vitest'
import { delivery, deliverySettings } from '../deliveries/delivery.fixture.ts'
import { Refusal } from '../error-keys.ts'
import { booking, bookingIn, driver, factsFor, inputFor, riderWith, start } from './booking.fixture.ts'
import { decide } from './decide.ts'
import { decided, moved, now, promo, refused, u, withPromo } from './payments.fixture.ts'

describe('choose payment', () => {
  const choose = (difference: object) => inputFor('choose_payment', difference)
  const rider = factsFor(booking, 'rider')

  it('by an admin -> the rider is notified; by the rider -> not', () => {
    const notices = (actor: 'admin' | 'rider') =>
      decided(factsFor(booking, actor), choose({ payment_mode: 'cash', promo })).effects.flatMap((effect) =>
        effect.kind === 'notify' ? [`${effect.user} ${effect.title} ${effect.params.amount}`] : [],
      )
    expect(notices('admin')).toEqual(['r notify.booking_changed.title \u2066$90\u2069'])
    expect(notices('rider')).toEqual([])
  })

  it('guest: card, or wallet and card -> payment_unavailable', () => {
    const guest = { ...booking, customer_email: null }
    for (const actor of ['admin', 'rider'] as const) {
      const facts = factsFor(guest, actor, { cardAvailable: true })
      expect(refused(facts, choose({ payment_mode: 'card' }))).toBe('payment_unavailable')
      expect(refused(facts, choose({ payment_mode: 'wallet_card' }))).toBe('payment_unavailable')
      expect(refused(facts, choose({ payment_mode: 'cash' }))).toBeUndefined()
    }
  })

  it('delivery under way, in cash -> a sender cannot choose a payment that may fail; an admin can', () => {
    const settings = { ...deliverySettings, deliveryCash: true }
    const by = (actor: 'admin' | 'rider', trip = booking) =>
      factsFor(trip, actor, { delivery, settings, cardAvailable: true })
    for (const payment_mode of ['card', 'wallet', 'wallet_card']) {
      expect(refused(by('rider'), choose({ payment_mode })), payment_mode).toBe('wrong_status')
      const unpaid = bookingIn('PAYMENT_PENDING')
      expect(refused(by('rider', unpaid), choose({ payment_mode })), payment_mode).not.toBe('wrong_status')
    }
    expect(refused(by('admin'), choose({ payment_mode: 'card' }))).toBeUndefined()
  })

  it('promo -> added, changed and dropped', () => {
    const taken = decided(rider, choose({ payment_mode: 'cash', promo }))
    expect(taken.changes).toMatchObject({ discount_amount: u(20), promo_id: 'p', payableAmount: u(90) })
    expect(taken.effects).toEqual([{ kind: 'reserve_promo', promo: 'p' }])
    const has = factsFor({ ...booking, ...withPromo }, 'rider')
    expect(decided(has, choose({ payment_mode: 'cash' })).changes.discount_amount).toBe(u(20))
    const used = { ...promo, user_avail: 1 }
    expect(decided(has, choose({ payment_mode: 'cash', promo: used })).effects).toEqual([])
    expect(refused(rider, choose({ payment_mode: 'cash', promo: used }))).toBe('promo_not_valid')
    const dropped = decided(has, choose({ payment_mode: 'cash', promo: null }))
    expect(dropped.changes).toMatchObject({ discount_amount: 0, promo_id: null, payableAmount: u(110) })
    expect(dropped.effects).toEqual([{ kind: 'release_promo', promo: 'p' }])
  })

  it('closed trip -> the method changes, and the wallet part is held', () => {
    const closed = bookingIn('PENDING', { ...withPromo })
    const facts = factsFor(closed, 'rider', { rider: riderWith(u(30)) })
    const both = decided(facts, choose({ payment_mode: 'wallet_card' }))
    expect(moved(both)).toEqual({ 'user:r': -30, 'trip:b': 30 })
    expect(both.changes).toMatchObject({
      payment_mode: 'wallet_card',
      usedWalletMoney: u(30),
      payableAmount: u(60),
      discount_amount: u(20),
    })
    expect(both.effects).toEqual([])
    const held = factsFor({ ...closed, ...both.changes }, 'rider', { rider: riderWith(0) })
    const cash = decided(held, choose({ payment_mode: 'cash' }))
    expect(moved(cash)).toEqual({ 'user:r': 30, 'trip:b': -30 })
    expect(cash.changes).toMatchObject({ usedWalletMoney: 0, payableAmount: u(90) })
    expect(refused(facts, choose({ payment_mode: 'card', promo: null }))).toBe('promo_not_valid')
    expect(refused(facts, choose({ payment_mode: 'card', promo: { ...promo, id: 'q' } }))).toBe(
      'promo_not_valid',
    )
    expect(decided(facts, choose({ payment_mode: 'card', promo })).changes.discount_amount).toBe(u(20))
    expect(refused(facts, choose({ payment_mode: 'wallet' }))).toBe('low_wallet')
  })

  it.each([
    ['owes more than the limit', { walletBalance: u(-20) }, {}, 'cash_unavailable'],
    ['owes the limit', { walletBalance: u(-10) }, {}, null],
    [
      'owes anything with negativeBalance off',
      { walletBalance: -1 },
      { negativeBalance: false },
      'cash_unavailable',
    ],
  ] as const)('cash after acceptance, driver who %s -> $3', (_who, change, set, key) => {
    const accepted = bookingIn('ACCEPTED', { payment_mode: 'card' })
    const settings = { ...rider.settings, negativeBalance: true, driverDebtLimit: u(10), ...set }
    const facts = { ...factsFor(accepted, 'rider', { driver: { ...driver, ...change } }), settings }
    const outcome = decide(facts, choose({ payment_mode: 'cash' }), start)
    expect(outcome instanceof Refusal ? outcome.key : null).toBe(key)
    expect(decide(facts, choose({ payment_mode: 'card' }), start)).not.toBeInstanceOf(Refusal)
    const inCash = { ...facts, booking: { ...accepted, payment_mode: 'cash' as const } }
    expect(decide(inCash, choose({ payment_mode: 'cash' }), start)).not.toBeInstanceOf(Refusal)
  })

  it('closed trip, wallet with enough -> paid from the wallet alone', () => {
    const rich = factsFor(bookingIn('PENDING'), 'rider', { rider: riderWith(u(110)) })
    const decision = decided(rich, choose({ payment_mode: 'wallet_card' }))
    expect(decision.changes).toMatchObject({
      payment_mode: 'wallet',
      usedWalletMoney: 0,
      payableAmount: u(110),
    })
    expect(moved(decision)).toEqual({})
  })

  it('card part not captured -> the wallet part returns', () => {
    for (const status of ['PENDING', 'PAYMENT_PENDING'] as const) {
      const both = { payment_mode: 'wallet_card' as const, usedWalletMoney: u(30), payableAmount: u(80) }
      const waiting = status === 'PENDING' ? bookingIn(status, both) : { ...booking, status, ...both }
      const decision = decided(factsFor(waiting, 'system'), inputFor('release_hold'))
      expect(moved(decision)).toEqual({ 'trip:b': -30, 'user:r': 30 })
      expect(decision.changes).toEqual({ payment_mode: 'card', usedWalletMoney: 0, payableAmount: u(110) })
      const after = factsFor({ ...waiting, ...decision.changes }, 'system')
      expect(refused(after, inputFor('release_hold'))).toBe('wrong_status')
    }
  })

  it('too little in the wallet, no provider, or paid trip -> refused', () => {
    const poor = { ...rider, rider: riderWith(u(109)) }
    expect(refused(poor, choose({ payment_mode: 'wallet' }))).toBe('low_wallet')
    expect(refused({ ...rider, cardAvailable: false }, choose({ payment_mode: 'card' }))).toBe(
      'payment_unavailable',
    )
    const paid = factsFor({ ...booking, prepaid: true }, 'rider')
    expect(refused(paid, choose({ payment_mode: 'cash' }))).toBe('already_paid')
  })

  it('advance payment pending -> the wallet part is held or returned', () => {
    const waiting = { ...booking, status: 'PAYMENT_PENDING' as const, payment_mode: 'card' as const }
    const facts = factsFor(waiting, 'rider', { rider: riderWith(u(30)) })
    const both = decided(facts, choose({ payment_mode: 'wallet_card' }))
    expect(moved(both)).toEqual({ 'user:r': -30, 'trip:b': 30 })
    expect(both.changes).toMatchObject({ usedWalletMoney: u(30), payableAmount: u(80) })
    const held = factsFor({ ...waiting, ...both.changes }, 'rider', { rider: riderWith(0) })
    const cash = decided(held, choose({ payment_mode: 'cash' }))
    expect(moved(cash)).toEqual({ 'user:r': 30, 'trip:b': -30 })
    expect(cash.effects).toEqual([{ kind: 'schedule', job: 'capture_payment', at: now }])
  })
})
