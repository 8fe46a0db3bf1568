import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bookingIn, factsFor, inputFor, minute, start } from '../bookings/booking.fixture.ts'
import { decide } from '../bookings/decide.ts'
import type { Decision } from '../bookings/decision.ts'
import type { Facts } from '../bookings/facts.ts'
import { Refusal } from '../error-keys.ts'
import { moneyText, unit } from '../money/amount.ts'
import { receiptLines } from '../receipts/receipt-lines.ts'
import type { Entry } from '../wallet/ledger.ts'
import { delivery, deliverySettings } from './delivery.fixture.ts'
import type { StopOutcome } from './delivery.ts'

const now = start + 30 * minute
const fare = 110 * unit
const shares = delivery.stops.filter(({ kind }) => kind === 'drop').map(({ share }) => share)
const back = delivery.return_leg.cost

type DropStep = 'delivered' | 'failed' | 'open'

/** A prepaid delivery with these steps at its drops, ended and closed by an admin. */
function ended(steps: readonly DropStep[], more: Partial<Facts['booking']> = {}) {
  const entries: Entry[] = []
  const stops = delivery.stops.map((stop) =>
    stop.n === 0 ? { ...stop, outcome: 'collected' as const } : stop,
  )
  const booking = { ...bookingIn('STARTED'), payment_mode: 'wallet' as const, prepaid: true, ...more }
  let facts = factsFor(
    { ...booking, usedWalletMoney: booking.prepaid ? booking.trip_cost - booking.discount_amount : 0 },
    'driver',
    {
      delivery: { ...delivery, stops },
      settings: deliverySettings,
    },
  )
  const step = (...input: Parameters<typeof inputFor>): Decision => {
    const decision = decide(facts, inputFor(...input), now)
    if (decision instanceof Refusal) throw decision
    entries.push(...decision.entries)
    const merged = new Map([...(facts.delivery?.stops ?? []), ...decision.stops].map((one) => [one.n, one]))
    facts = {
      ...facts,
      booking: { ...facts.booking, ...decision.changes },
      delivery: facts.delivery && { ...facts.delivery, stops: [...merged.values()] },
    }
    return decision
  }
  for (const [index, outcome] of steps.entries()) {
    if (outcome === 'delivered') step('deliver', { stop: index + 1 })
    if (outcome === 'failed') step('fail_drop', { stop: index + 1, reason: 'refused' })
  }
  facts = { ...facts, by: { role: 'admin', id: 'a' } }
  const reached = step('reach', { track: null, reason: 'Courier disappeared' })
  const closed = step('close', { reason: 'Courier disappeared' })
  const balance = (account: string) =>
    entries
      .flatMap(({ legs }) => legs)
      .reduce((sum, leg) => sum + (leg.account === account ? leg.amount : 0), 0)
  const outcomes = facts.delivery?.stops.map(({ outcome }): StopOutcome | null => outcome)
  const notices = [...reached.effects, ...closed.effects].flatMap((effect) =>
    effect.kind === 'notify' && effect.user === 'r' ? [{ title: effect.title, ...effect.params }] : [],
  )
  return { booking: facts.booking, outcomes, reached, balance, notices }
}

describe('admin ends a delivery', () => {
  test('two drops open -> not_done, their shares return to the wallet', () => {
    const { booking, outcomes, balance } = ended(['delivered', 'open', 'open'])
    expect(outcomes).toEqual(['collected', 'delivered', 'not_done', 'not_done'])
    expect(booking).toMatchObject({ status: 'PAID', trip_cost: shares[0], customer_paid: shares[0] })
    expect(balance('user:r')).toBe(fare - (shares[0] ?? 0))
    expect(balance('user:d')).toBe(booking.driver_share)
  })

  test('a failed drop, its return leg open -> the leg is not charged', () => {
    const { booking, outcomes } = ended(['delivered', 'failed', 'delivered'])
    expect(outcomes?.at(-1)).toBe('not_done')
    expect(booking).toMatchObject({ trip_cost: fare, customer_paid: fare })
    expect(booking.fare_parts.return_leg).toBe(0)
  })

  test('nothing reported -> nothing is charged, the promo is released', () => {
    const promo = { discount_amount: 10 * unit, promo_applied: true, promo_id: 'p' }
    const { booking, balance, reached } = ended(['open', 'open', 'open'], promo)
    expect(booking).toMatchObject({ trip_cost: 0, customer_paid: 0, discount_amount: 0, promo_id: null })
    expect([balance('user:r'), balance('user:d'), balance('promo')]).toEqual([100 * unit, 0, 10 * unit])
    expect(reached.effects).toContainEqual({ kind: 'release_promo', promo: 'p' })
  })

  test('all reported -> the full fare with the return leg', () => {
    const { booking, outcomes } = ended(['delivered', 'delivered', 'delivered'])
    expect([booking.trip_cost, outcomes?.includes('not_done')]).toEqual([fare, false])
  })

  test('stops open -> the sender is notified once: how many, and what is charged', () => {
    const notice = { title: 'notify.delivery_ended.title', booking_id: bookingIn('STARTED').booking_id }
    const { notices, booking } = ended(['delivered', 'open', 'open'])
    const amount = moneyText(booking.customer_paid, booking.decimal, deliverySettings)
    expect(notices).toEqual([{ ...notice, stops: '2', amount }])
    expect(ended(['open', 'open', 'open']).notices).toEqual([
      { ...notice, stops: '3', amount: moneyText(0, booking.decimal, deliverySettings) },
    ])
    const titles = (steps: DropStep[], more = {}) => ended(steps, more).notices.map(({ title }) => title)
    expect(titles(['delivered', 'delivered', 'delivered'])).toEqual(['notify.rider_paid.title'])
    // What the sender still owes is another message.
    const unpaid = { payment_mode: 'card' as const, prepaid: false }
    expect(titles(['delivered', 'open', 'open'], unpaid)).toEqual([
      'notify.delivery_ended.title',
      'notify.payment_due.title',
    ])
  })

  test('any steps and discount -> lines add up, and all money leaves the escrow', () => {
    const steps = fc.array(fc.constantFrom<DropStep>('delivered', 'failed', 'open'), {
      minLength: 3,
      maxLength: 3,
    })
    fc.assert(
      fc.property(steps, fc.integer({ min: 0, max: 110 }), (given, percent) => {
        const discount_amount = percent * unit
        const { booking, balance } = ended(given, {
          discount_amount,
          promo_applied: discount_amount > 0,
          promo_id: discount_amount > 0 ? 'p' : null,
        })
        const lines = receiptLines({ ...booking, viewer: 'rider' }).filter(({ kind }) => kind === 'part')
        expect(lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(booking.trip_cost)
        expect(booking.driver_share + booking.convenience_fees).toBe(booking.trip_cost)
        expect(booking.trip_cost).toBeLessThanOrEqual(fare)
        expect(booking.discount_amount).toBeLessThanOrEqual(booking.trip_cost)
        // The escrow had the fare of the booking before these steps: the rider's part and the promo's.
        expect(balance('trip:b')).toBe(-fare)
        expect(balance('user:d')).toBe(booking.driver_share)
      }),
    )
    expect(back).toBeGreaterThan(0)
  })
})
