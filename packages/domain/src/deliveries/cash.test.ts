import { describe, expect, test } from 'vitest'
import { viewBooking } from '../access/visible-booking.ts'
import { bookingIn, factsFor, inputFor, minute, start } from '../bookings/booking.fixture.ts'
import { decide } from '../bookings/decide.ts'
import type { Decision } from '../bookings/decision.ts'
import type { Facts } from '../bookings/facts.ts'
import { Refusal } from '../error-keys.ts'
import { unit } from '../money/amount.ts'
import type { Entry } from '../wallet/ledger.ts'
import { delivery, deliverySettings } from './delivery.fixture.ts'
import type { Delivery } from './delivery.ts'

const now = start + 30 * minute
const fare = 110 * unit
const returnLeg = delivery.return_leg.cost

/** A cash delivery whose courier gives steps, with the entries that they have made. */
class CashDelivery {
  readonly entries: Entry[] = []
  facts: Facts

  constructor(
    cash_at: Delivery['cash_at'],
    status: 'ARRIVED' | 'STARTED',
    more: Partial<Facts['booking']> = {},
  ) {
    const booking = { ...bookingIn(status), payment_mode: 'cash' as const, prepaid: false, ...more }
    const stops = delivery.stops.map((stop) =>
      status === 'STARTED' && stop.n === 0 ? { ...stop, outcome: 'collected' as const } : stop,
    )
    this.facts = factsFor(booking, 'driver', {
      delivery: { ...delivery, cash_at, stops },
      settings: { ...deliverySettings, deliveryCash: true },
    })
  }

  refused(...input: Parameters<typeof inputFor>): Refusal | null {
    const decision = decide(this.facts, inputFor(...input), now)
    return decision instanceof Refusal ? decision : decision.refused
  }

  step(...input: Parameters<typeof inputFor>): Decision {
    const decision = decide(this.facts, inputFor(...input), now)
    if (decision instanceof Refusal) throw decision
    this.entries.push(...decision.entries)
    const { booking, delivery: before } = this.facts
    const merged = new Map([...(before?.stops ?? []), ...decision.stops].map((stop) => [stop.n, stop]))
    this.facts = {
      ...this.facts,
      booking: { ...booking, ...decision.changes },
      delivery: before && { ...before, stops: [...merged.values()] },
    }
    return decision
  }

  /** The money that the entries have moved into an account. */
  balance(account: string): number {
    const legs = this.entries.flatMap((entry) => entry.legs)
    return legs.reduce((sum, leg) => sum + (leg.account === account ? leg.amount : 0), 0)
  }
}

const trip = 'trip:b'
const driver = 'user:d'
const sender = 'user:r'

describe('cash at the pickup', () => {
  test('start -> needs the amount, recorded once; the end collects nothing', () => {
    const one = new CashDelivery('pickup', 'ARRIVED')
    expect(one.refused('start')).toMatchObject({ key: 'proof_needed', data: { missing: ['cash'] } })
    expect(one.refused('start', { cash: fare - 1 })).toMatchObject({
      key: 'amount_changed',
      data: { collect: { total: fare } },
    })
    one.step('start', { cash: fare })
    expect(one.facts.booking).toMatchObject({ prepaid: true, cashPaymentAmount: fare, payableAmount: 0 })
    expect([one.balance(trip), one.balance(driver)]).toEqual([fare, -fare])
    for (const stop of [1, 2, 3]) one.step('deliver', { stop })
    one.step('reach', { track: null })
    one.step('close')
    expect(one.facts.booking).toMatchObject({ status: 'PAID', customer_paid: fare, payment_mode: 'cash' })
    expect([one.balance(trip), one.balance(sender)]).toEqual([0, 0])
    expect(one.balance(driver)).toBe(one.facts.booking.driver_share - fare)
  })

  test('promo -> collects the rest; the platform adds the discount to the escrow', () => {
    const one = new CashDelivery('pickup', 'ARRIVED', { discount_amount: 10 * unit })
    one.step('start', { cash: fare - 10 * unit })
    expect([one.balance(trip), one.balance('promo')]).toEqual([fare, -10 * unit])
  })

  test('return leg after it -> due from the sender, not from a recipient', () => {
    const one = new CashDelivery('pickup', 'ARRIVED')
    one.step('start', { cash: fare })
    one.step('fail_drop', { stop: 1, reason: 'refused' })
    for (const stop of [2, 3, 4]) one.step('deliver', { stop })
    one.step('reach', { track: null })
    one.step('close')
    expect(one.facts.booking).toMatchObject({
      status: 'PAID',
      usedWalletMoney: returnLeg,
      cashPaymentAmount: fare,
    })
    expect([one.balance(trip), one.balance(sender)]).toEqual([0, -returnLeg])
  })
})

describe('cash that was not recorded', () => {
  test('admin ends the delivery -> unpaid, the courier owes nothing', () => {
    const one = new CashDelivery('drop', 'STARTED')
    one.step('deliver', { stop: 1 })
    one.facts = { ...one.facts, by: { role: 'admin', id: 'a' } }
    one.step('reach', { track: null, reason: 'Courier ill' })
    one.step('close', { reason: 'Courier ill' })
    expect(one.facts.booking).toMatchObject({
      status: 'PENDING',
      cash_answer: 'nothing',
      cashPaymentAmount: 0,
    })
    expect(one.balance(driver)).toBe(0)
  })

  test('payment chosen again after a failed drop -> the promo does not reduce the return leg', () => {
    const promo = { promo_id: 'p', discount_amount: 55 * unit }
    const one = new CashDelivery('drop', 'STARTED', promo)
    one.step('fail_drop', { stop: 1, reason: 'refused' })
    one.facts = { ...one.facts, by: { role: 'rider', id: 'r' } }
    one.step('choose_payment', { payment_mode: 'cash' })
    expect(one.facts.booking.discount_amount).toBe(55 * unit)
    expect(one.refused('choose_payment', { payment_mode: 'cash', promo: null })?.key).toBe('promo_not_valid')
  })

  test('admin chose another payment meanwhile -> the courier hears that nothing is to be collected', () => {
    const one = new CashDelivery('pickup', 'ARRIVED', { payment_mode: 'wallet' })
    expect(one.refused('start', { cash: fare })?.data).toMatchObject({ collect: { total: 0 } })
    one.step('start')
    expect(one.facts.booking).toMatchObject({ prepaid: false, cashPaymentAmount: 0 })
  })
})

describe('cash at the drop', () => {
  test('last recipient -> asked for the fare alone, though a drop failed and the sender has debts', () => {
    const one = new CashDelivery('drop', 'STARTED')
    one.facts = { ...one.facts, rider: { ...one.facts.rider, walletBalance: -50 * unit } }
    one.step('fail_drop', { stop: 1, reason: 'refused' })
    one.step('deliver', { stop: 2 })
    expect(one.refused('deliver', { stop: 3 })?.data).toEqual({ missing: ['cash'] })
    one.step('deliver', { stop: 3, cash: fare })
    expect(one.facts.booking.payableAmount).toBe(returnLeg)
    one.step('deliver', { stop: 4 })
    one.step('reach', { track: null })
    one.step('close')
    expect(one.facts.booking).toMatchObject({
      status: 'PAID',
      cashPaymentAmount: fare,
      outstanding_amount: null,
    })
    expect([one.balance(trip), one.balance(sender)]).toEqual([0, -returnLeg])
  })

  test('last drop failed -> the sender pays fare and return leg at the end', () => {
    const one = new CashDelivery('drop', 'STARTED')
    for (const stop of [1, 2]) one.step('deliver', { stop })
    one.step('fail_drop', { stop: 3, reason: 'refused' })
    one.step('deliver', { stop: 4 })
    one.step('reach', { track: null })
    one.step('close', { collected: 'all', amount: fare + returnLeg })
    expect(one.facts.booking).toMatchObject({ status: 'PAID', cashPaymentAmount: fare + returnLeg })
    expect([one.balance(trip), one.balance(sender)]).toEqual([0, 0])
  })
})

test('view: cash to collect -> at its stop, for courier and sender, without the sender’s debts', () => {
  const { booking, delivery: stops } = new CashDelivery('drop', 'STARTED').facts
  const record = { booking, delivery: stops, requests: [], riderRating: null, outstanding: 50 * unit }
  for (const [role, id] of [
    ['driver', 'd'],
    ['rider', 'r'],
  ] as const) {
    const view = viewBooking(record, { id, role, approved: true }, deliverySettings)
    expect(view?.delivery?.stops.map(({ collect }) => collect)).toEqual([null, null, null, fare])
    expect(view?.collect?.total).toBe(fare)
  }
  const seen = viewBooking(record, { id: 'f', role: 'fleetadmin', approved: true }, deliverySettings)
  expect(seen?.delivery?.stops.map(({ collect }) => collect) ?? []).not.toContain(fare)
})
