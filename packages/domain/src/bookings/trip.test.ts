import { describe, expect, it } from 'vitest'
import { Refusal } from '../error-keys.ts'
import { unit } from '../money/amount.ts'
import { sumOf } from '../wallet/ledger.ts'
import {
  booking,
  bookingIn,
  driver,
  factsFor,
  inputFor,
  minute,
  settings,
  start,
  waitedFrom,
} from './booking.fixture.ts'
import { type Booking, riderNoShow } from './booking.ts'
import { decide } from './decide.ts'
import type { Decision } from './decision.ts'
import type { CommandInput, Facts } from './facts.ts'
import { ratingTimeMs } from './settle.ts'

const u = (amount: number) => amount * unit
const later = (minutes: number) => start + minutes * minute

function decided(facts: Facts, input: CommandInput, now = later(30)): Decision {
  const answer = decide(facts, input, now)
  if (answer instanceof Refusal) throw answer
  return answer
}
function refused(facts: Facts, input: CommandInput, now = later(30)): string | undefined {
  const answer = decide(facts, input, now)
  return answer instanceof Refusal ? answer.key : answer.refused?.key
}
const notified = ({ effects }: Decision) =>
  effects.flatMap((effect) =>
    effect.kind === 'notify' ? [`${effect.user} ${effect.title} ${effect.screen}`] : [],
  )

describe('accept', () => {
  const facts = factsFor(booking, 'driver')
  const by = (difference: object) => ({ ...facts, driver: { ...driver, ...difference } })

  it('requested driver -> copied, arrival promised, driver claimed, other requests withdrawn', () => {
    const decision = decided(facts, inputFor('accept'), later(1))
    expect(decision.changes).toMatchObject({
      status: 'ACCEPTED',
      driver: 'd',
      driver_name: 'Dora',
      vehicle_number: 'SBA 1234',
      driverRating: 4.8,
      fleetadmin: 'f',
      accepted_at: later(1),
      promised_arrival: later(4),
    })
    expect(decision.effects.slice(0, 2)).toEqual([
      { kind: 'claim_driver', driver: 'd' },
      { kind: 'remove_requests' },
    ])
    expect(notified(decision)).toEqual(['r notify.accepted.title BookedCab'])
  })

  it('driver who cannot take it -> refused with the reason', () => {
    const accept = inputFor('accept')
    expect(refused({ ...facts, requested: ['other'] }, accept)).toBe('not_found')
    expect(refused({ ...facts, requested: ['other'], wasAsked: true }, accept)).toBe('not_requested')
    expect(refused(by({ queue: true }), accept)).toBe('already_busy')
    expect(refused(by({ driverActiveStatus: false }), accept)).toBe('not_online')
    expect(refused(by({ approved: false }), accept)).toBe('require_approval')
    const strict = { settings: { ...settings, negativeBalance: false } }
    expect(refused({ ...by({ walletBalance: -1 }), ...strict }, accept)).toBe('low_wallet')
    const limited = { settings: { ...settings, driverDebtLimit: u(50) } }
    expect(refused({ ...by({ walletBalance: -u(50) - 1 }), ...limited }, accept)).toBe('low_wallet')
    expect(refused({ ...by({ walletBalance: -u(50) }), ...limited }, accept)).toBeUndefined()
    const early = { ...booking, bookLater: true, tripdate: later(60) }
    expect(refused({ ...facts, booking: early }, accept, later(44))).toBe('not_requested')
    expect(refused({ ...facts, booking: early }, accept, later(45))).toBeUndefined()
  })
})

it('cancel: punctual driver of a later trip -> not late', () => {
  const trip = { ...booking, bookLater: true, tripdate: later(30) }
  const { changes } = decided(factsFor(trip, 'driver'), inputFor('accept'), later(15))
  expect(changes.promised_arrival).toBe(later(30))
  const arrived = bookingIn('ARRIVED', {
    ...trip,
    ...changes,
    driver_arrive_time: later(30),
    status: 'ARRIVED',
  })
  const decision = decided(factsFor(arrived, 'rider'), inputFor('cancel'), later(31))
  expect(decision.changes.cancellation_fee).toBe(u(5))
})

describe('ask drivers', () => {
  it('wave -> each driver is notified, the next wave is scheduled', () => {
    const facts = factsFor({ ...booking, excluded_drivers: ['other'] }, 'system')
    const decision = decided(facts, inputFor('request_drivers'))
    expect(decision.changes).toEqual({ wave: 1 })
    expect(decision.effects.map((effect) => effect.kind)).toEqual(['ask_drivers', 'notify', 'dispatch'])
    expect(decision.effects[0]).toMatchObject({ drivers: ['d'], expires_at: start + 30_000 })
    expect(notified(decision)).toEqual(['d notify.new_booking.title DriverTrips'])
  })

  it('declined -> not asked again; last one declined -> the next wave starts early', () => {
    const facts = factsFor(booking, 'driver')
    const first = decided(facts, inputFor('decline'))
    expect(first.changes).toEqual({ excluded_drivers: ['d'] })
    expect(first.effects).toEqual([{ kind: 'remove_request', driver: 'd' }])
    const last = decided({ ...facts, requested: ['d'] }, inputFor('decline'))
    expect(last.effects[1]).toEqual({ kind: 'dispatch', booking: 'b', at: later(30) })
    const lapsed = { ...facts, requested: ['other'], wasAsked: true }
    expect(refused(lapsed, inputFor('decline'))).toBe('not_requested')
  })

  it('no driver found -> the rider can search again', () => {
    const decision = decided(factsFor(booking, 'system'), inputFor('find_no_driver'))
    expect(decision.changes).toMatchObject({ status: 'CANCELLED', cancelledBy: 'system' })
    expect(notified(decision)).toEqual(['r notify.search_again.title BookingCab'])
  })
})

describe('trip code', () => {
  const arrived = (difference: Partial<Booking> = {}) =>
    factsFor(bookingIn('ARRIVED', { otp: '12345', ...difference }), 'driver')
  const enter = (otp?: string) => inputFor('start', { otp })

  it('correct or not required -> the trip starts', () => {
    const decision = decided(arrived(), enter('12345'))
    expect(decision.changes).toMatchObject({ status: 'STARTED', trip_start_time: later(30), otp_tries: 0 })
    expect(decision.effects[0]).toMatchObject({
      kind: 'track_point',
      status: 'STARTED',
      point: booking.pickup,
    })
    expect(decided(arrived({ otp: null }), enter()).changes.status).toBe('STARTED')
  })

  it('wrong -> counted; after the fifth, 60 s wait and the rider is notified', () => {
    let facts = arrived()
    for (let tries = 1; tries <= 4; tries++) {
      const wrong = decided(facts, enter('00000'))
      expect(wrong.refused).toMatchObject({ key: 'wrong_otp', data: { left: 5 - tries } })
      expect(wrong.changes).toEqual({ otp_tries: tries })
      facts = { ...facts, booking: { ...facts.booking, ...wrong.changes } }
    }
    const fifth = decided(facts, enter())
    expect(fifth.refused).toMatchObject({ key: 'otp_wait', data: { until: later(31) } })
    expect(notified(fifth)).toEqual(['r notify.otp_wrong.title BookedCab'])
    const waiting = { ...facts, booking: { ...facts.booking, ...fifth.changes } }
    expect(refused(waiting, enter('12345'), later(31) - 1)).toBe('otp_wait')
    expect(refused(waiting, enter('12345'), later(31))).toBeUndefined()
    expect(refused(waiting, enter('00000'), later(31))).toBe('wrong_otp')
  })
})

describe('cancel', () => {
  const cancel = (reason: string) => inputFor('cancel', { reason })

  it('without a reason -> refused, unless it was never paid for', () => {
    expect(refused(factsFor(booking, 'rider'), cancel(' '))).toBe('reason_needed')
    const waiting = factsFor({ ...booking, status: 'PAYMENT_PENDING' }, 'rider')
    expect(decided(waiting, cancel('')).changes.reason).toBe('cancelled incomplete booking')
  })

  it('before acceptance -> free, requests are withdrawn', () => {
    const decision = decided(factsFor(booking, 'rider'), cancel('late'))
    expect(decision.changes).toMatchObject({ status: 'CANCELLED', cancelledBy: 'rider', cancellation_fee: 0 })
    expect([decision.entries, decision.effects]).toEqual([[], [{ kind: 'remove_requests' }]])
  })

  it('rider after acceptance -> pays the slab, due to the driver', () => {
    const facts = factsFor(bookingIn('ACCEPTED'), 'rider')
    const decision = decided(facts, cancel('late'), later(3))
    expect(decision.changes.cancellation_fee).toBe(u(5))
    expect([sumOf(decision.entries, 'user:r'), sumOf(decision.entries, 'due:b')]).toEqual([u(-5), u(5)])
    expect(decision.effects[0]).toEqual({ kind: 'free_driver', driver: 'd' })
    expect(notified(decision)).toEqual([
      'r notify.booking_cancelled.title BookedCab',
      'd notify.booking_cancelled.title DriverTrips',
    ])
    expect(decided(facts, cancel('late'), later(2.9)).changes.cancellation_fee).toBe(0)
    expect(decided(facts, cancel('late'), later(9.1)).changes.cancellation_fee).toBe(0)
  })

  it("prepaid -> refunded minus the fee, the promo's part returns", () => {
    const prepaid = { prepaid: true, cardPaymentAmount: u(90), discount_amount: u(20), promo_id: 'p' }
    const decision = decided(factsFor(bookingIn('ACCEPTED', prepaid), 'rider'), cancel('late'), later(3))
    const sums = (['trip:b', 'user:d', 'promo', 'user:r'] as const).map(
      (one) => sumOf(decision.entries, one) / unit,
    )
    expect(sums).toEqual([-110, 5, 20, 85])
    expect(decision.effects).toContainEqual({ kind: 'release_promo', promo: 'p' })
  })

  it('admin -> free', () => {
    const decision = decided(factsFor(bookingIn('ACCEPTED'), 'admin'), cancel('storm'), later(3))
    expect(decision).toMatchObject({ entries: [], changes: { cancelledBy: 'admin', cancellation_fee: 0 } })
  })

  it('driver -> a replacement booking with everything that was paid', () => {
    const accepted = bookingIn('ARRIVED', {
      prepaid: true,
      cardPaymentAmount: u(90),
      discount_amount: u(20),
      promo_id: 'p',
      excluded_drivers: ['before'],
      otp: '12345',
    })
    const facts = factsFor(accepted, 'driver', { settings: { ...settings, otp_secure: true } })
    const decision = decided(facts, inputFor('cancel', { reason: 'flat tyre' }))
    expect(decision.changes).toMatchObject({ status: 'CANCELLED', cancelledBy: 'driver', rebooked_as: 'b2' })
    const made = decision.effects.find((effect) => effect.kind === 'rebook')
    expect(made?.booking).toMatchObject({
      id: 'b2',
      booking_id: 'DEF567',
      version: 1,
      status: 'NEW',
      otp: '54321',
      driver: null,
      accepted_at: null,
      prepaid: true,
      cardPaymentAmount: u(90),
      discount_amount: u(20),
      promo_id: 'p',
      rebooked_from: 'b',
      excluded_drivers: ['before', 'd'],
    })
    expect([sumOf(decision.entries, 'trip:b'), sumOf(decision.entries, 'trip:b2')]).toEqual([u(-110), u(110)])
    const kinds = decision.effects.map((effect) => effect.kind)
    expect(kinds).toEqual(['free_driver', 'rebook', 'dispatch', 'notify', 'notify'])
  })

  it('driver, with manual dispatch -> the rider is asked to search again', () => {
    const facts = factsFor(bookingIn('ACCEPTED'), 'driver', {
      settings: { ...settings, autoDispatch: false },
    })
    const decision = decided(facts, cancel('flat tyre'))
    expect(decision.effects.map((effect) => effect.kind)).toEqual(['free_driver', 'notify'])
    expect(notified(decision)).toEqual(['r notify.search_again.title BookingCab'])
  })

  it('no-show -> only five minutes after arrival, with the fee', () => {
    const noShow = inputFor('cancel', { reason: riderNoShow, waited: waitedFrom(later(4)) })
    expect(refused(factsFor(bookingIn('ACCEPTED'), 'driver'), noShow)).toBe('too_early')
    const facts = factsFor(bookingIn('ARRIVED'), 'driver')
    expect(refused(facts, noShow, later(9) - 1)).toBe('too_early')
    const decision = decided(facts, noShow, later(9))
    expect(decision.changes).toMatchObject({ cancelledBy: 'driver', cancellation_fee: u(5) })
    expect(decision.changes.rebooked_as).toBeUndefined()
    expect(sumOf(decision.entries, 'user:r')).toBe(u(-5))
  })

  it.each([
    [
      'the server received the arrival later than it is dated',
      { arrival_received_at: later(6) },
      waitedFrom(later(6)),
      'too_early',
    ],
    ['no stored position', {}, [], 'not_at_pickup'],
    ['a minute without a position', {}, waitedFrom(later(4)).slice(1), 'not_at_pickup'],
    [
      'the car waits 400 m away',
      {},
      waitedFrom(later(4)).map((at) => ({ ...at, lat: at.lat + 0.0036 })),
      'not_at_pickup',
    ],
    [
      'the car waits 250 m away',
      {},
      waitedFrom(later(4)).map((at) => ({ ...at, lat: at.lat + 0.0022 })),
      undefined,
    ],
    ['positions from before the arrival', {}, waitedFrom(later(-1)), 'not_at_pickup'],
  ])('no-show: %s -> $3', (_name, difference, waited, key) => {
    const facts = factsFor(bookingIn('ARRIVED', difference), 'driver')
    expect(refused(facts, inputFor('cancel', { reason: riderNoShow, waited }), later(9))).toBe(key)
  })

  it('no-show of a later trip -> five minutes after the booked time', () => {
    const noShow = inputFor('cancel', {
      reason: riderNoShow,
      waited: [...waitedFrom(later(4)), ...waitedFrom(later(20))],
    })
    const facts = factsFor(bookingIn('ARRIVED', { bookLater: true, tripdate: later(20) }), 'driver')
    const early = decide(facts, noShow, later(25) - 1)
    expect(early).toMatchObject({ key: 'too_early', data: { from: later(25) } })
    expect(decided(facts, noShow, later(25)).changes).toMatchObject({ cancelledBy: 'driver' })
    const came = factsFor(bookingIn('ARRIVED', { bookLater: true, tripdate: later(2) }), 'driver')
    expect(refused(came, noShow, later(9) - 1)).toBe('too_early')
    expect(refused(came, noShow, later(9))).toBeUndefined()
  })
})

describe('cancel while critical edits are off', () => {
  const off = { settings: { ...settings, AllowCriticalEditsAdmin: false } }
  it('rider and admin -> demo_mode, driver -> allowed', () => {
    for (const actor of ['rider', 'admin'] as const) {
      expect(refused(factsFor(bookingIn('ACCEPTED'), actor, off), inputFor('cancel'))).toBe('demo_mode')
    }
    expect(refused(factsFor(bookingIn('ACCEPTED'), 'driver', off), inputFor('cancel'))).toBeUndefined()
  })

  it('stranger or wrong status -> their own refusal, not demo_mode', () => {
    const stranger = { ...off, by: { role: 'rider' as const, id: 'stranger' } }
    expect(refused(factsFor(bookingIn('ACCEPTED'), 'rider', stranger), inputFor('cancel'))).toBe('not_found')
    expect(refused(factsFor(bookingIn('STARTED'), 'rider', off), inputFor('cancel'))).toBe('wrong_status')
  })
})

describe('rate', () => {
  it('by the rider -> completes the trip, rates the driver, triggers referral bonuses', () => {
    const facts = factsFor(bookingIn('PAID'), 'rider')
    const decision = decided(facts, inputFor('rate', { rating: 4, feedback: ' kind ' }))
    expect(decision.changes).toEqual({ status: 'COMPLETE', rating: 4, feedback: 'kind' })
    expect(decision.effects[0]).toEqual({ kind: 'rate_driver', driver: 'd', by: 'r', rate: 4 })
    expect(notified(decision)).toEqual(['d notify.rated.title DriverTrips'])
    expect(decision.effects).toContainEqual({ kind: 'referral_bonus', newcomer: 'r', booking: 'b' })
    expect(refused(facts, inputFor('rate', { rating: 6 }))).toBe('invalid_input')
  })

  it('skipped -> completes the trip', () => {
    const decision = decided(factsFor(bookingIn('PAID'), 'rider'), inputFor('skip_rating'))
    expect(decision.changes).toEqual({ status: 'COMPLETE' })
    expect(notified(decision)).toEqual([])
    const due = later(26) + ratingTimeMs
    const facts = factsFor(bookingIn('PAID'), 'system')
    const early = decide(facts, inputFor('skip_rating'), due - 1)
    expect(early).toMatchObject({ key: 'too_early', data: { from: due } })
    expect(decided(facts, inputFor('skip_rating'), due).changes).toEqual({ status: 'COMPLETE' })
  })

  it('by the driver -> once', () => {
    const facts = factsFor(bookingIn('COMPLETE'), 'driver')
    const decision = decided(facts, inputFor('rate_rider'))
    expect(decision.effects).toEqual([{ kind: 'rate_rider', rider: 'r', by: 'd', rate: 4 }])
    const again = factsFor(bookingIn('COMPLETE', decision.changes), 'driver')
    expect(refused(again, inputFor('rate_rider'))).toBe('conflict')
  })
})
