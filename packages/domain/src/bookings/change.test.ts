import { describe, expect, it } from 'vitest'
import { delivery } from '../deliveries/delivery.fixture.ts'
import type { Delivery } from '../deliveries/delivery.ts'
import { Refusal } from '../error-keys.ts'
import { unit } from '../money/amount.ts'
import {
  booking,
  bookingIn,
  driver,
  factsFor,
  fareRule,
  inputFor,
  minute,
  riderWith,
  settings,
  start,
} from './booking.fixture.ts'
import type { Booking } from './booking.ts'
import { decide } from './decide.ts'
import type { Decision } from './decision.ts'
import type { Facts } from './facts.ts'

const now = start + 30 * minute
const u = (amount: number) => amount * unit
const elsewhere = { lat: -34.86, lng: -56.1, add: 'Elsewhere' }
/** 9 km in 25 minutes cost 149: 20 + 90 + 25, and 10 % of that. */
const route = { distanceKm: 9, durationS: 1500, polyline: 'way' }
const comfort = {
  id: 'ct2',
  name: 'Comfort',
  image: null,
  fare_rule: { ...fareRule, base_fare: u(40) },
  cancel_slab: [],
  seats: 4,
}

const answer = (facts: Facts, input: object) => decide(facts, inputFor('change', input), now)
function decided(facts: Facts, input: object = {}): Decision {
  const decision = answer(facts, input)
  if (decision instanceof Refusal) throw decision
  return decision
}
const refused = (facts: Facts, input: object) => {
  const decision = answer(facts, input)
  return decision instanceof Refusal ? decision.key : undefined
}
const byAdmin = (trip: Booking, difference: Partial<Facts> = {}) => factsFor(trip, 'admin', difference)
const notified = ({ effects }: Decision) =>
  effects.flatMap((effect) => (effect.kind === 'notify' ? [`${effect.user} ${effect.title}`] : []))
const same = { drop: undefined, route: undefined }

describe('change', () => {
  it('time of a delivery -> its stops move along; refused once recipients have agreed to windows', () => {
    const later = bookingIn('NEW', { bookLater: true, tripdate: now + 120 * minute })
    const input = { ...same, bookLater: true, tripdate: later.tripdate + 30 * minute }
    const planned = (stops: Delivery['stops']) => stops.map(({ planned_at }) => planned_at)
    const { stops } = decided(byAdmin(later, { delivery }), input)
    expect(planned(stops ?? [])).toEqual(planned(delivery.stops).map((at) => at + 30 * minute))
    const agreed = delivery.stops.map((stop) => ({ ...stop, window_from: now, window_to: now + minute }))
    expect(refused(byAdmin(later, { delivery: { ...delivery, stops: agreed } }), input)).toBe('wrong_status')
  })

  it('new drop -> new route, fare by the booking’s own prices, who changed what', () => {
    const decision = decided(byAdmin(bookingIn('ACCEPTED')), { route })
    expect(decision.changes).toMatchObject({
      drop: elsewhere,
      route: 'way',
      estimate: u(149),
      estimateDistance: 9,
      trip_cost: u(149),
      convenience_fees: u(14),
      driver_share: u(135),
      payableAmount: u(149),
    })
    expect(decision.changes).not.toHaveProperty('pickup')
    expect(decision.event).toMatchObject({ from: 'ACCEPTED', to: 'ACCEPTED' })
    expect(decision.event.changes).toEqual([
      { field: 'drop', from: 'Drop', to: 'Elsewhere' },
      { field: 'trip_cost', from: u(110), to: u(149) },
    ])
    expect(notified(decision)).toEqual(['r notify.booking_changed.title', 'd notify.trip_changed.title'])
    const byRider = decided(factsFor(bookingIn('STARTED'), 'rider'))
    expect(notified(byRider)).toEqual(['d notify.trip_changed.title'])
  })

  it('new car type -> its prices; with a driver only of that type', () => {
    const decision = decided(byAdmin(booking), { ...same, carType: comfort })
    expect(decision.changes).toMatchObject({
      car_type_id: 'ct2',
      carType: 'Comfort',
      cancel_slab: [],
      trip_cost: u(132),
    })
    expect(decision.changes).not.toHaveProperty('route')
    const accepted = bookingIn('ACCEPTED')
    expect(refused(byAdmin(accepted), { ...same, carType: comfort })).toBe('driver_other_car_type')
    const fits = byAdmin(accepted, { driver: { ...driver, carType: 'ct2' } })
    expect(refused(fits, { ...same, carType: comfort })).toBeUndefined()
    expect(refused(byAdmin(booking), { ...same, carType: null })).toBe('select_proper')
    const five = byAdmin({ ...booking, passengers: 5 })
    expect(refused(five, { ...same, carType: comfort })).toBe('too_many_passengers')
  })

  it('passengers and note -> corrected without a new fare, until the trip starts; only by an admin', () => {
    const arrived = byAdmin(bookingIn('ARRIVED', { passengers: 2, note: 'Blue door' }))
    const decision = decided(arrived, { ...same, passengers: 4, seats: 4, note: ' Wheelchair ' })
    expect(decision.changes).toMatchObject({ passengers: 4, note: 'Wheelchair' })
    expect(decision.changes).not.toHaveProperty('trip_cost')
    expect(decision.event.changes).toEqual([
      { field: 'passengers', from: 2, to: 4 },
      // Not the text: it is personal.
      { field: 'note', from: true, to: true },
    ])
    expect(decided(arrived, { ...same, passengers: null, note: '' }).changes).toMatchObject({
      passengers: null,
      note: null,
    })
    expect(refused(arrived, { ...same, passengers: 5, seats: 4 })).toBe('too_many_passengers')
    expect(refused(arrived, { ...same, passengers: 2, note: 'Blue door' })).toBe('select_proper')
    expect(refused(byAdmin(bookingIn('STARTED')), { ...same, note: 'x' })).toBe('wrong_status')
    expect(refused(factsFor(booking, 'rider'), { ...same, passengers: 3 })).toBe('wrong_status')
  })

  it('note only -> the driver is notified, the rider is not, the search goes on', () => {
    const accepted = decided(byAdmin(bookingIn('ACCEPTED')), { ...same, note: 'Second door' })
    expect(notified(accepted)).toEqual(['d notify.trip_changed.title'])
    expect(decided(byAdmin(booking), { ...same, note: 'Second door' }).effects).toEqual([])
  })

  it('new pickup -> the promise is renewed; a driver who waits drives again', () => {
    const pickup = { pickup: elsewhere, drop: undefined, driveSeconds: 300 }
    const accepted = decided(byAdmin(bookingIn('ACCEPTED')), pickup)
    expect(accepted.changes.promised_arrival).toBe(now + 5 * minute)
    const arrived = decided(byAdmin(bookingIn('ARRIVED', { otp_tries: 2 })), pickup)
    expect(arrived.changes).toMatchObject({
      status: 'ACCEPTED',
      driver_arrive_time: null,
      arrival_received_at: null,
      otp_tries: 0,
    })
  })

  it('field and status -> refused unless the table allows it', () => {
    const pickup = { pickup: elsewhere, drop: undefined }
    expect(refused(byAdmin(bookingIn('STARTED')), pickup)).toBe('wrong_status')
    expect(refused(factsFor(booking, 'rider'), pickup)).toBe('wrong_status')
    const time = { ...same, bookLater: true, tripdate: now + 60 * minute }
    expect(refused(byAdmin(bookingIn('ACCEPTED')), time)).toBe('wrong_status')
    expect(refused(factsFor(booking, 'rider'), time)).toBe('wrong_status')
    const tomorrow = { ...booking, bookLater: true, tripdate: now + 600 * minute }
    expect(refused(factsFor(tomorrow, 'rider'), time)).toBeUndefined()
    // An immediate trip would get around the limit of open searches.
    expect(refused(factsFor(tomorrow, 'rider'), { ...same, bookLater: false })).toBe('wrong_status')
    expect(refused(byAdmin(tomorrow), { ...same, bookLater: false })).toBeUndefined()
    expect(refused(byAdmin(booking), { ...time, tripdate: now + 14 * minute })).toBe('past_booking_error')
    expect(refused(byAdmin(booking), same)).toBe('select_proper')
    expect(refused(byAdmin(booking), { drop: { ...booking.pickup, add: 'x' } })).toBe('same_place')
    expect(refused(byAdmin(booking), { route: null })).toBe('place_to_coords_error')
  })

  it('agreed fare -> must be the new one; on the road it may be a little higher', () => {
    expect(refused(byAdmin(booking), { estimate: u(149) })).toBeUndefined()
    expect(refused(byAdmin(booking), { estimate: u(148) })).toBe('fare_changed')
    const started = byAdmin(bookingIn('STARTED'))
    expect(refused(started, { estimate: u(148) })).toBeUndefined()
    expect(refused(started, { estimate: u(110) })).toBe('fare_changed')
  })

  it('search -> starts again for the new trip; an assigned driver keeps the request unless the car differs', () => {
    const { changes, effects } = decided(byAdmin({ ...booking, wave: 2 }))
    expect(changes.wave).toBe(0)
    expect(effects.slice(0, 2)).toEqual([
      { kind: 'remove_requests' },
      { kind: 'dispatch', booking: 'b', at: now },
    ])
    const later = decided(byAdmin(booking), { ...same, bookLater: true, tripdate: now + 60 * minute })
    expect(later.effects[1]).toMatchObject({ at: now + 45 * minute })
    const manual = { settings: { ...settings, autoDispatch: false }, requested: ['d'] }
    expect(notified(decided(byAdmin(booking, manual)))[0]).toBe('d notify.trip_changed.title')
    const kinds = decided(byAdmin(booking, manual), { ...same, carType: comfort }).effects
    expect(kinds[0]).toEqual({ kind: 'remove_requests' })
  })

  it('paid from the wallet -> refused when the balance is too low, but not on the road', () => {
    const trip = { payment_mode: 'wallet' as const }
    const poor = { rider: riderWith(u(120)) }
    expect(refused(byAdmin(bookingIn('ACCEPTED', trip), poor), {})).toBe('low_wallet')
    expect(refused(byAdmin(bookingIn('STARTED', trip), poor), {})).toBeUndefined()
  })

  it('paid in advance -> the difference stays for the end, the promo’s part follows the discount', () => {
    const promo_details = {
      promo_name: 'HALF',
      promo_discount_type: 'percentage' as const,
      promo_discount_value: u(10),
      max_promo_discount_value: 0,
      min_order: u(60),
    }
    const prepaid = bookingIn('ACCEPTED', {
      prepaid: true,
      payment_mode: 'card',
      cardPaymentAmount: u(99),
      discount_amount: u(11),
      promo_applied: true,
      promo_id: 'p',
      promo_details,
      payableAmount: 0,
    })
    const decision = decided(byAdmin(prepaid))
    expect(decision.changes).toMatchObject({ discount_amount: u(15), payableAmount: u(149 - 15 - 99) })
    expect(decision.entries).toMatchObject([
      { kind: 'promo_payment', legs: [{ account: 'promo', amount: u(-4) }, { amount: u(4) }] },
    ])
    const cheap = decided(byAdmin(prepaid), { route: { distanceKm: 1, durationS: 60, polyline: '' } })
    expect(cheap.effects[0]).toEqual({ kind: 'release_promo', promo: 'p' })
  })

  it('waits for its advance payment -> the held wallet part follows the price', () => {
    const waiting: Booking = {
      ...booking,
      status: 'PAYMENT_PENDING',
      payment_mode: 'wallet_card',
      usedWalletMoney: u(100),
      payableAmount: u(10),
    }
    const more = decided(byAdmin(waiting, { rider: riderWith(u(20)) }))
    expect(more.changes).toMatchObject({ usedWalletMoney: u(120), payableAmount: u(29) })
    const enough = decided(byAdmin(waiting, { rider: riderWith(u(200)) }))
    expect(enough.changes).toMatchObject({ usedWalletMoney: u(149), payableAmount: 0 })
    expect(enough.effects[0]).toMatchObject({ kind: 'schedule', job: 'capture_payment' })
  })
})
