import { describe, expect, it } from 'vitest'
import { Refusal } from '../error-keys.ts'
import { unit } from '../money/amount.ts'
import { sumOf } from '../wallet/ledger.ts'
import { booking, fareRule, minute, settings, start } from './booking.fixture.ts'
import { type Created, createBooking } from './create.ts'
import { bookingCode, type CreateFacts, tripOtp } from './new-booking.ts'

const u = (amount: number) => amount * unit
const rider = {
  id: 'r',
  usertype: 'rider' as const,
  approved: true,
  name: 'Rita',
  contact: null,
  email: 'rita@example.test',
  image: null,
  walletBalance: u(30),
}
const facts: CreateFacts = {
  by: { role: 'rider', id: 'r' },
  identity: { id: 'b', booking_id: 'ABC234', otp: '12345' },
  settings,
  customer: rider,
  carType: {
    id: 'ct',
    name: 'Economy',
    image: null,
    fare_rule: fareRule,
    cancel_slab: [],
    parcel_types: [],
    options: [],
    seats: 4,
  },
  pickup: booking.pickup,
  drop: booking.drop,
  route: { distanceKm: 6, durationS: 1200, polyline: 'abc' },
  driverNear: true,
  open: { now: 0, later: 0, searching: 0 },
  bookLater: false,
  tripdate: null,
  passengers: null,
  group: null,
  payment_mode: 'cash',
  inAdvance: false,
  cardAvailable: true,
  promo: null,
  delivery: null,
  agreed: null,
}
function made(difference: Partial<CreateFacts> = {}): Created {
  const answer = createBooking({ ...facts, ...difference }, start)
  if (answer instanceof Refusal) throw answer
  return answer
}
function refused(difference: Partial<CreateFacts>): string | undefined {
  const answer = createBooking({ ...facts, ...difference }, start)
  return answer instanceof Refusal ? answer.key : undefined
}

describe('a new booking', () => {
  it('taxi city -> NEW, with its price, dispatched immediately', () => {
    const { booking, effects, entries, event } = made()
    expect(booking).toMatchObject({
      status: 'NEW',
      version: 1,
      trip_cost: u(110),
      payableAmount: u(110),
      tripdate: start,
      otp: '12345',
    })
    expect(effects).toEqual([{ kind: 'dispatch', booking: 'b', at: start }])
    expect(entries).toEqual([])
    expect(event).toMatchObject({ command: 'create', from: null, to: 'NEW' })
  })

  it('trip code -> only where codes are on', () => {
    expect(made({ settings: { ...settings, otp_secure: false } }).booking.otp).toBeNull()
  })

  it('delivery or card in advance -> waits for payment; made by an admin -> does not', () => {
    const delivery = { ...settings, category: 'delivery' as const }
    expect(made({ settings: delivery, payment_mode: 'card' }).booking.status).toBe('PAYMENT_PENDING')
    expect(made({ settings: delivery, by: { role: 'admin', id: 'a' } }).booking.status).toBe('NEW')
    expect(made({ payment_mode: 'card' }).booking.status).toBe('NEW')
    const { booking, effects } = made({ payment_mode: 'card', inAdvance: true })
    expect(booking.status).toBe('PAYMENT_PENDING')
    expect(effects).toEqual([{ kind: 'schedule', job: 'expire_payment', at: start + 15 * minute }])
  })

  it('wallet and card in advance -> the wallet part is held', () => {
    const { booking, entries } = made({ payment_mode: 'wallet_card', inAdvance: true })
    expect(booking).toMatchObject({ usedWalletMoney: u(30), payableAmount: u(80) })
    expect([sumOf(entries, 'user:r'), sumOf(entries, 'trip:b')]).toEqual([u(-30), u(30)])
  })

  it('Book Later -> dispatched later, manual dispatch -> not dispatched', () => {
    const { effects } = made({ bookLater: true, tripdate: start + 60 * minute, driverNear: false })
    expect(effects).toEqual([{ kind: 'dispatch', booking: 'b', at: start + 45 * minute }])
    expect(made({ settings: { ...settings, autoDispatch: false } }).effects).toEqual([])
  })

  it('made by an admin -> no limit of open bookings', () => {
    const open = { now: 50, later: 50, searching: 50 }
    expect(made({ open, by: { role: 'admin', id: 'a' } }).booking.status).toBe('NEW')
  })

  it('promo -> reserved', () => {
    const promo = {
      id: 'p',
      promo_name: 'TEN',
      promo_discount_type: 'flat' as const,
      promo_discount_value: u(10),
      max_promo_discount_value: 0,
      min_order: 0,
      promo_validity: start,
      promo_usage_limit: 1,
      user_avail: 0,
    }
    const { booking, effects } = made({ promo })
    expect(booking).toMatchObject({ promo_applied: true, discount_amount: u(10), payableAmount: u(100) })
    expect(effects[0]).toEqual({ kind: 'reserve_promo', promo: 'p' })
    expect(refused({ promo: { ...promo, user_avail: 1 } })).toBe('promo_not_valid')
    const plenty = { ...promo, promo_usage_limit: 100 }
    expect(refused({ promo: { ...plenty, used_by_rider: 5 } })).toBe('promo_not_valid')
    expect(made({ promo: { ...plenty, used_by_rider: 4 } }).booking.promo_id).toBe('p')
  })

  it.each<[string, Partial<CreateFacts>]>([
    ['must_login', { by: { role: 'rider', id: null } }],
    ['user_issue_contact_admin', { by: { role: 'driver', id: 'd' } }],
    ['user_issue_contact_admin', { by: { role: 'rider', id: 'stranger' } }],
    ['user_issue_contact_admin', { customer: { ...rider, usertype: 'driver' } }],
    ['rider_not_approved', { customer: { ...rider, approved: false }, by: { role: 'admin', id: 'a' } }],
    ['select_proper', { customer: null }],
    ['select_proper', { carType: null }],
    ['select_proper', { pickup: null }],
    ['select_proper', { drop: null }],
    ['select_proper', { bookLater: true }],
    ['same_place', { drop: { ...booking.pickup, lat: booking.pickup.lat + 0.00005, add: 'Across' } }],
    ['past_booking_error', { bookLater: true, tripdate: start + 15 * minute - 1 }],
    ['too_far_ahead', { bookLater: true, tripdate: start + 90 * 24 * 60 * minute + 1 }],
    ['too_many_bookings', { open: { now: 5, later: 0, searching: 0 } }],
    ['too_many_searches', { open: { now: 2, later: 0, searching: 2 } }],
    ['place_to_coords_error', { route: null }],
    ['no_driver_found_alert_messege', { driverNear: false }],
    ['low_wallet', { payment_mode: 'wallet' }],
    ['payment_unavailable', { payment_mode: 'card', cardAvailable: false }],
    ['fare_changed', { agreed: u(109) }],
  ])('refused -> %s (%o)', (key, difference) => {
    expect(refused(difference)).toBe(key)
  })
})

it('cash booking of a rider with a negative balance -> created', () => {
  expect(createBooking({ ...facts, customer: { ...rider, walletBalance: -u(500) } }, start)).toMatchObject({
    booking: { status: 'NEW' },
  })
})

it('note -> stored without spaces around it, empty -> null', () => {
  expect(made({ texts: { note: ' Blue door. ' } }).booking.note).toBe('Blue door.')
  for (const texts of [{}, { note: '  ' }]) expect(made({ texts }).booking.note).toBeNull()
})

it('codes -> easy to read aloud', () => {
  expect(bookingCode([0, 0.5, 0.99999, 0.1, 0.2, 0.3])).toMatch(/^[2-9A-HJKMNP-Z]{6}$/)
  expect(() => bookingCode([0])).toThrow(RangeError)
  expect([tripOtp(0), tripOtp(0.9999999)]).toEqual(['10000', '99999'])
})
