import { describe, expect, test } from 'vitest'
import { viewBooking } from '../access/visible-booking.ts'
import { bookingIn, factsFor, inputFor, minute, start } from '../bookings/booking.fixture.ts'
import { decide } from '../bookings/decide.ts'
import type { Decision } from '../bookings/decision.ts'
import type { BookingSettings, Facts } from '../bookings/facts.ts'
import type { BookingStatus } from '../bookings/status.ts'
import { Refusal } from '../error-keys.ts'
import type { LatLng } from '../geo/point.ts'
import { unit } from '../money/amount.ts'
import { proofsFor } from './courier-steps.ts'
import { delivery, deliverySettings } from './delivery.fixture.ts'
import { type Delivery, labelText, type StopWithProofs } from './delivery.ts'

const now = start + 30 * minute
const withStops = (change: (stop: StopWithProofs) => Partial<StopWithProofs>): Delivery => ({
  ...delivery,
  stops: delivery.stops.map((stop) => ({ ...stop, ...change(stop) })),
})
const factsIn = (status: BookingStatus, more: Partial<Facts> = {}): Facts =>
  factsFor({ ...bookingIn(status), payment_mode: 'card' }, 'driver', {
    delivery,
    settings: deliverySettings,
    ...more,
  })
const on = (settings: Partial<BookingSettings>) => ({ ...deliverySettings, ...settings })

function decided(facts: Facts, ...input: Parameters<typeof inputFor>): Decision {
  const decision = decide(facts, inputFor(...input), now)
  if (decision instanceof Refusal) throw decision
  return decision
}
function refused(facts: Facts, ...input: Parameters<typeof inputFor>): Refusal | null {
  const decision = decide(facts, inputFor(...input), now)
  return decision instanceof Refusal ? decision : decision.refused
}
/** The facts after a decision. */
function after(facts: Facts, { changes, stops }: Decision): Facts {
  const merged = new Map([...(facts.delivery?.stops ?? []), ...stops].map((stop) => [stop.n, stop]))
  return {
    ...facts,
    booking: { ...facts.booking, ...changes },
    delivery: facts.delivery && { ...facts.delivery, stops: [...merged.values()] },
  }
}

describe('pickup', () => {
  test('start without the photo that is required -> proof_needed; with it -> collected', () => {
    const settings = on({ AllowDeliveryPickupImageCapture: true })
    const facts = factsIn('ARRIVED', { settings })
    expect(refused(facts, 'start')).toMatchObject({ key: 'proof_needed', data: { missing: ['photo'] } })
    const withPhoto = withStops(({ n }) => (n === 0 ? { photo: now } : {}))
    expect(decided({ ...facts, delivery: withPhoto }, 'start').stops).toMatchObject([
      { n: 0, outcome: 'collected', done_at: now },
    ])
  })

  test('photo of a courier who had the delivery before -> does not count', () => {
    const settings = on({ AllowDeliveryPickupImageCapture: true })
    const earlier = withStops(() => ({ photo: start - 1 }))
    expect(refused(factsIn('ARRIVED', { settings, delivery: earlier }), 'start')?.key).toBe('proof_needed')
  })
})

describe('plan', () => {
  test('courier found late -> the arrivals move with the promised pickup; found soon -> they stay', () => {
    const accepted = (pickupAt: number) =>
      decided(factsIn('NEW', { delivery: withStops(() => ({ planned_at: pickupAt })) }), 'accept').stops
    expect(accepted(now + 10 * minute)).toEqual([])
    const promised = now + 3 * minute
    expect(accepted(start).map(({ planned_at }) => planned_at)).toEqual([
      promised,
      promised,
      promised,
      promised,
    ])
  })
})

describe('drop', () => {
  test('deliver -> delivered once, the sender is notified', () => {
    const facts = factsIn('STARTED')
    const decision = decided(facts, 'deliver', { stop: 2, name: ' Ben ' })
    expect(decision.stops).toMatchObject([{ n: 2, outcome: 'delivered', received_by: 'Ben', done_at: now }])
    expect(decision.effects).toMatchObject([
      { kind: 'notify', user: 'r', title: 'notify.parcel_delivered.title' },
    ])
    expect(decision.event.changes).toEqual([{ field: 'delivered', from: null, to: 2 }])
    expect(refused(after(facts, decision), 'deliver', { stop: 2 })?.key).toBe('wrong_status')
    expect(refused(facts, 'deliver', { stop: 0 })?.key).toBe('not_found')
    expect(refused(facts, 'deliver', { stop: 9 })?.key).toBe('not_found')
  })

  test('five wrong codes -> a minute of waiting, then the right one delivers', () => {
    let facts = factsIn('STARTED', { delivery: withStops(({ n }) => (n === 1 ? { code: '4321' } : {})) })
    expect(refused(facts, 'deliver', { stop: 1 })?.data).toEqual({ missing: ['code'] })
    for (const left of [4, 3, 2, 1]) {
      const decision = decided(facts, 'deliver', { stop: 1, code: '0000' })
      expect(decision.refused).toMatchObject({ key: 'wrong_otp', data: { left } })
      expect(decision.event.changes).toEqual([{ field: 'wrong_code', from: null, to: 1 }])
      facts = after(facts, decision)
    }
    facts = after(facts, decided(facts, 'deliver', { stop: 1, code: '0000' }))
    expect(facts.delivery?.stops[1]?.code_blocked_until).toBe(now + minute)
    expect(refused(facts, 'deliver', { stop: 1, code: '4321' })?.key).toBe('otp_wait')
    const waited = decide(facts, inputFor('deliver', { stop: 1, code: '4321' }), now + minute)
    expect(waited).toMatchObject({ stops: [{ outcome: 'delivered' }], refused: null })
  })

  test('label of another parcel -> wrong_label', () => {
    const facts = factsIn('STARTED', { settings: on({ deliveryScan: true }) })
    const label = (n: number) => labelText(facts.booking.booking_id, n)
    expect(refused(facts, 'deliver', { stop: 1 })?.data).toEqual({ missing: ['scan'] })
    expect(refused(facts, 'deliver', { stop: 1, scan: label(2) })?.key).toBe('wrong_label')
    expect(decided(facts, 'deliver', { stop: 1, scan: label(1).toLowerCase() }).stops[0]?.outcome).toBe(
      'delivered',
    )
  })

  test('label of a booking that this one replaces -> accepted at its stop and at the pickup', () => {
    const settings = on({ deliveryScan: true })
    const replaced = ['OLDEST', 'OLDER1']
    const label = (id: string, n: number) => ({ scan: labelText(id, n) })
    const atPickup = factsIn('ARRIVED', { settings, replaced })
    expect(decided(atPickup, 'start', label('OLDEST', 1)).stops[0]?.outcome).toBe('collected')
    const onRoad = factsIn('STARTED', { settings, replaced })
    const given = (id: string, n: number) => ({ stop: 1, ...label(id, n) })
    expect(decided(onRoad, 'deliver', given('OLDER1', 1)).stops[0]?.outcome).toBe('delivered')
    for (const other of [given('OLDER1', 2), given('STRANGE', 1)]) {
      expect(refused(onRoad, 'deliver', other)?.key).toBe('wrong_label')
    }
  })

  test('recipient cannot sign -> the name is needed instead, and recorded as unsigned', () => {
    const facts = factsIn('STARTED', { settings: on({ deliverySignature: true }) })
    const missing = { missing: ['signature'] }
    expect(refused(facts, 'deliver', { stop: 1, name: 'Ada' })?.data).toEqual(missing)
    expect(refused(facts, 'deliver', { stop: 1, unsigned: true, name: ' ' })?.data).toEqual(missing)
    const { stops, effects } = decided(facts, 'deliver', { stop: 1, unsigned: true, name: 'Ada' })
    expect(stops[0]).toMatchObject({ outcome: 'delivered', received_by: 'Ada', unsigned: true })
    expect(effects).toContainEqual(expect.objectContaining({ title: 'notify.stop_unsigned.title' }))
    const signed = withStops(() => ({ signature: now }))
    const step = { stop: 1, unsigned: true, name: 'Ada' }
    expect(decided({ ...facts, delivery: signed }, 'deliver', step).stops[0]?.unsigned).toBe(false)
    expect(decided(factsIn('STARTED'), 'deliver', step).stops[0]?.unsigned).toBe(false)
  })

  test('required proofs -> by kind of stop', () => {
    const settings = on({
      AllowDeliveryPickupImageCapture: true,
      AllowFinalDeliveryImageCapture: true,
      deliveryName: true,
      deliverySignature: true,
      deliveryScan: true,
    })
    expect(proofsFor({ kind: 'pickup', code: null }, settings)).toEqual(['photo', 'scan'])
    expect(proofsFor({ kind: 'drop', code: '1' }, settings)).toEqual([
      'photo',
      'signature',
      'name',
      'code',
      'scan',
    ])
    expect(proofsFor({ kind: 'return', code: '1' }, settings)).toEqual(['photo', 'signature', 'name'])
    expect(proofsFor({ kind: 'drop', code: null }, deliverySettings)).toEqual([])
  })
})

describe('failed drop', () => {
  test('first failure -> return leg at the price shown; second -> no further cost', () => {
    const facts = factsIn('STARTED')
    const first = decided(facts, 'fail_drop', { stop: 1, reason: 'refused' })
    expect(first.stops).toMatchObject([
      { n: 1, outcome: 'failed', failure: 'refused' },
      { n: 4, kind: 'return', outcome: null },
    ])
    const { cost, driver_share, convenience_fees } = delivery.return_leg
    expect(first.changes).toMatchObject({
      trip_cost: facts.booking.trip_cost + cost,
      driver_share: facts.booking.driver_share + driver_share,
      convenience_fees: facts.booking.convenience_fees + convenience_fees,
      payableAmount: facts.booking.trip_cost + cost,
      // The receipt's line is the price shown, with its fee.
      fare_parts: { return_leg: cost, convenience_fees: facts.booking.fare_parts.convenience_fees },
    })
    const second = decided(after(facts, first), 'fail_drop', { stop: 2 })
    expect(second.stops).toMatchObject([{ n: 2, outcome: 'failed' }])
    expect(second.changes).toEqual({})
  })

  test('way back -> stops_open until all drops are reported, then returned and reached', () => {
    let facts = after(factsIn('ARRIVED'), decided(factsIn('ARRIVED'), 'start'))
    facts = after(facts, decided(facts, 'fail_drop', { stop: 1 }))
    expect(refused(facts, 'deliver', { stop: 4 })?.key).toBe('stops_open')
    for (const stop of [2, 3]) facts = after(facts, decided(facts, 'deliver', { stop }))
    expect(refused(facts, 'reach')?.key).toBe('stops_open')
    const returned = decided(facts, 'deliver', { stop: 4 })
    expect(returned.stops).toMatchObject([{ n: 4, outcome: 'returned' }])
    facts = after(facts, returned)
    expect(decided(facts, 'reach').changes.status).toBe('REACHED')
  })

  test('promo -> does not apply to the return leg: all of it is due', () => {
    const promo = { discount_amount: 55 * unit, promo_applied: true, promo_id: 'p' }
    const booking = { ...bookingIn('STARTED', promo), payment_mode: 'wallet' as const }
    const { changes } = decided({ ...factsIn('STARTED'), booking }, 'fail_drop', { stop: 1 })
    expect(changes).not.toHaveProperty('discount_amount')
    expect(changes.payableAmount).toBe(booking.trip_cost - 55 * unit + delivery.return_leg.cost)
  })

  test('failed without a known position -> the sender is notified of that', () => {
    const { effects, stops } = decided(factsIn('STARTED'), 'fail_drop', { stop: 1 })
    const titles = effects.map((effect) => (effect.kind === 'notify' ? effect.title : effect.kind))
    expect(titles).toEqual(['notify.drop_failed.title', 'notify.stop_unseen.title'])
    expect(stops[0]?.unseen).toBe(true)
  })

  test.each([
    [0, false],
    [0.01, true],
  ])('failed %s degrees from the stop -> unseen: %s', (away, unseen) => {
    const place = delivery.stops[1]?.place ?? { lat: 0, lng: 0 }
    const location = { lat: place.lat + away, lng: place.lng }
    expect(decided(factsIn('STARTED'), 'fail_drop', { stop: 1, location }).stops[0]?.unseen).toBe(unseen)
  })

  test('photo proof on -> proof_needed until the courier has one of the place', () => {
    const settings = on({ AllowFinalDeliveryImageCapture: true, deliverySignature: true })
    const facts = factsIn('STARTED', { settings })
    expect(refused(facts, 'fail_drop', { stop: 1 })).toMatchObject({
      key: 'proof_needed',
      data: { missing: ['photo'] },
    })
    const delivery = withStops(({ n }) => (n === 1 ? { photo: now } : {}))
    expect(decided({ ...facts, delivery }, 'fail_drop', { stop: 1 }).stops[0]?.outcome).toBe('failed')
  })

  describe('no one there', () => {
    const facts = factsIn('STARTED')
    const place = facts.delivery?.stops[1]?.place ?? { lat: 0, lng: 0, add: '' }
    const seenAt = (minutes: readonly number[], at: LatLng = place) =>
      minutes.map((ago) => ({ lat: at.lat, lng: at.lng, at: now - ago * minute }))
    const near = { lat: place.lat + 0.002, lng: place.lng }
    const away = { lat: place.lat + 0.004, lng: place.lng }
    test.each([
      ['no stored position', [], 3],
      ['there for two minutes', seenAt([2, 1, 0]), 1],
      ['positions after the step', seenAt([2, 1, 0, -1, -2]), 1],
      ['too far away', seenAt([5, 4, 3, 2, 1, 0], away), 3],
      ['passed by, and came back now', seenAt([20, 0]), 1],
    ])('%s -> wait_at_stop with the minutes left', (_case, seen, minutes) => {
      expect(refused(facts, 'fail_drop', { stop: 1, reason: 'no_one_there', seen })).toMatchObject({
        key: 'wait_at_stop',
        data: { minutes },
      })
    })
    test('near the stop for three minutes, or another reason -> failed', () => {
      const waited = { stop: 1, reason: 'no_one_there' as const, seen: seenAt([3, 2, 1, 0], near) }
      expect(decided(facts, 'fail_drop', waited).stops[0]?.failure).toBe('no_one_there')
      expect(decided(facts, 'fail_drop', { stop: 1, reason: 'refused' }).stops[0]?.failure).toBe('refused')
    })
    test('near another stop, or before one was settled -> does not count', () => {
      const other = { ...place, lat: place.lat + 0.002 }
      const close = withStops(({ n }) => (n === 2 ? { place: other } : {}))
      const step = (seen: ReturnType<typeof seenAt>) => ({ stop: 1, reason: 'no_one_there' as const, seen })
      const waited = seenAt([5, 4, 3, 2, 1, 0], other)
      expect(refused({ ...facts, delivery: close }, 'fail_drop', step(waited))?.data).toEqual({ minutes: 3 })
      const same = withStops(({ n }) =>
        n === 2 ? { place, outcome: 'delivered', done_at: now - 2 * minute } : {},
      )
      const both = seenAt([5, 4, 3, 1, 0])
      expect(refused({ ...facts, delivery: same }, 'fail_drop', step(both))?.data).toEqual({ minutes: 2 })
    })
    test('no wait set -> failed', () => {
      const settings = on({ deliveryWaitMinutes: 0 })
      const step = { stop: 1, reason: 'no_one_there' as const }
      expect(decided({ ...facts, settings }, 'fail_drop', step).stops[0]?.outcome).toBe('failed')
    })
  })
})

describe('view', () => {
  const record = {
    booking: bookingIn('STARTED'),
    delivery: withStops(({ n }) => (n === 1 ? { code: '4321', photo: now, instructions: 'Ring twice' } : {})),
    requests: [{ driver_id: 'x', requested_at: now, expires_at: null, pickupKm: 1, pickupS: 60 }],
    outstanding: 0,
    riderRating: null,
  }
  const seenBy = (role: 'rider' | 'driver', id: string, status: BookingStatus = 'STARTED') =>
    viewBooking(
      { ...record, booking: bookingIn(status) },
      { id, role, approved: true },
      { ...deliverySettings },
    )?.delivery?.stops[1]

  test('code -> for the sender only; people -> for the parties, until the trip is over', () => {
    expect(seenBy('rider', 'r')).toMatchObject({ code: '4321', person: 'Ada', instructions: 'Ring twice' })
    expect(seenBy('driver', 'd')).toMatchObject({ code: null, code_needed: true, person: 'Ada', share: 0 })
    expect(seenBy('driver', 'd', 'COMPLETE')).toMatchObject({ person: null, phone: null })
    expect(seenBy('driver', 'x', 'NEW')).toMatchObject({
      person: null,
      phone: null,
      instructions: null,
      photo: null,
    })
  })

  test('closed demo -> admins see no phone, code or proof; a driver loses proofs with the trip', () => {
    const settings = { ...deliverySettings, AllowCriticalEditsAdmin: false }
    const admin = viewBooking(record, { id: 'a', role: 'admin', approved: true }, settings)
    expect(admin?.delivery?.stops[1]).toMatchObject({ phone: 'Hidden for Demo', code: null, photo: null })
    expect(seenBy('driver', 'd')?.photo).not.toBeNull()
    expect(seenBy('driver', 'd', 'COMPLETE')?.photo).toBeNull()
  })

  test('image of a courier who had the delivery before -> not shown', () => {
    const earlier = { ...record, delivery: withStops(() => ({ photo: start - 1 })) }
    const view = viewBooking(earlier, { id: 'r', role: 'rider', approved: true }, deliverySettings)
    expect(view?.delivery?.stops.map(({ photo }) => photo)).toEqual([null, null, null, null])
  })

  test('photo -> the specification’s path for the last drop, a path by number for others', () => {
    const view = viewBooking(
      { ...record, delivery: withStops(() => ({ photo: now })) },
      { id: 'r', role: 'rider', approved: true },
      deliverySettings,
    )
    const id = record.booking.id
    expect(view?.pickup_image).toBe(`/api/v1/bookings/${id}/pickup_image?at=${now}`)
    expect(view?.deliver_image).toBe(`/api/v1/bookings/${id}/deliver_image?at=${now}`)
    expect(view?.delivery?.stops[2]?.photo).toBe(`/api/v1/bookings/${id}/stops/2/deliver_image?at=${now}`)
    expect(view).toMatchObject({ deliveryPerson: 'Cleo', deliveryPersonPhone: '099 123 456' })
  })
})
