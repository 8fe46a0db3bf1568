import { type FareRule, fareFor } from '../fare/fare.ts'
import { unit } from '../money/amount.ts'
import { defaultSettings } from '../settings/settings.ts'
import type { ActorRole } from '../users/roles.ts'
import type { Booking } from './booking.ts'
import type { BookingSettings, CommandInput, DriverFacts, Facts, RiderFacts } from './facts.ts'
import { initialFields, storedTexts } from './fields.ts'
import type { BookingStatus } from './status.ts'
import type { BookingCommand } from './transitions.ts'

/** Test facts: a trip of 110 with a fee of 10, created at `start`. */
export const start = 1_800_000_000_000
export const minute = 60_000

export const settings: BookingSettings = { ...defaultSettings, code: 'UYU', decimal: 0, category: 'taxi' }

/** 6 km in 20 minutes cost 110: 20 + 60 + 20, and 10 % of that. */
export const fareRule: FareRule = {
  base_fare: 20 * unit,
  rate_per_unit_distance: 10 * unit,
  rate_per_hour: 60 * unit,
  min_fare: 50 * unit,
  convenience_fees: 10 * unit,
  convenience_fee_type: 'percentage',
}
const fare = fareFor(fareRule, 6, 1200, 0, settings)

export const booking: Booking = {
  ...initialFields,
  ...storedTexts({}),
  id: 'b',
  booking_id: 'ABC234',
  status: 'NEW',
  car_type_id: 'ct',
  carType: 'Economy',
  carImage: null,
  fare_rule: fareRule,
  cancel_slab: [
    { minsDelayed: 0, amount: 0 },
    { minsDelayed: 2, amount: 5 * unit },
  ],
  decimal: 0,
  convert_to_mile: false,
  currency: 'UYU',
  customer: 'r',
  customer_name: 'Rita',
  customer_contact: '+59890000001',
  customer_email: 'rita@example.test',
  customer_image: null,
  pickup: { lat: -34.9, lng: -56.2, add: 'Pickup' },
  drop: { lat: -34.88, lng: -56.15, add: 'Drop' },
  route: '',
  estimate: fare.trip_cost,
  estimateDistance: 6,
  estimateTime: 1200,
  tripdate: start,
  bookingDate: start,
  bookLater: false,
  otp: null,
  passengers: null,
  group_id: null,
  booking_type_admin: false,
  trip_cost: fare.trip_cost,
  convenience_fees: fare.convenience_fees,
  driver_share: fare.driver_share,
  fare_parts: fare,
  discount_amount: 0,
  customer_paid: 0,
  payment_mode: 'cash',
  gateway: null,
  prepaid: false,
  cardPaymentAmount: 0,
  usedWalletMoney: 0,
  payableAmount: fare.trip_cost,
  promo_applied: false,
  promo_id: null,
  promo_details: null,
  rebooked_from: null,
  excluded_drivers: [],
}

export const driver: DriverFacts = {
  id: 'd',
  usertype: 'driver',
  approved: true,
  queue: false,
  driverActiveStatus: true,
  location: { lat: -34.9, lng: -56.21 },
  located_at: start,
  carType: 'ct',
  walletBalance: 0,
  name: 'Dora',
  image: null,
  contact: '+59890000002',
  vehicle_number: 'SBA 1234',
  vehicle_make: 'Toyota',
  vehicle_model: 'Corolla',
  rating: 4.8,
  fleetadmin: 'f',
  trip: null,
}

const order: readonly BookingStatus[] = [
  'NEW',
  'ACCEPTED',
  'ARRIVED',
  'STARTED',
  'REACHED',
  'PENDING',
  'PAID',
  'COMPLETE',
]

/** The booking in a status, reached in realistic steps of minutes. */
export function bookingIn(status: BookingStatus, difference: Partial<Booking> = {}): Booking {
  if (status === 'CANCELLED') {
    return { ...booking, status, cancelledBy: 'rider', reason: 'changed my mind', ...difference }
  }
  const has = (reached: BookingStatus) => order.indexOf(status) >= order.indexOf(reached)
  return {
    ...booking,
    status,
    ...(has('ACCEPTED') && {
      driver: 'd',
      driver_name: 'Dora',
      driver_contact: driver.contact,
      vehicle_number: driver.vehicle_number,
      fleetadmin: 'f',
      accepted_at: start + minute,
      promised_arrival: start + 4 * minute,
    }),
    ...(has('ARRIVED') && {
      driver_arrive_time: start + 4 * minute,
      arrival_received_at: start + 4 * minute,
    }),
    ...(has('STARTED') && { trip_start_time: start + 5 * minute }),
    ...(has('REACHED') && {
      trip_end_time: start + 25 * minute,
      total_trip_time: 1200,
      distance: 6,
      distance_filled: 0,
      distance_source: 'track' as const,
      distance_unmatched: 0,
    }),
    ...(has('PENDING') && { closed_at: start + 26 * minute }),
    ...(status === 'PENDING' && { payment_mode: 'card' as const }),
    ...(has('PAID') && {
      customer_paid: fare.trip_cost,
      payableAmount: 0,
      cashPaymentAmount: fare.trip_cost,
    }),
    ...difference,
  }
}

/** Positions of a driver who waited at the pickup for five minutes. */
export const waitedFrom = (since: number) =>
  Array.from({ length: 5 }, (_, index) => ({ ...booking.pickup, at: since + index * minute }))

/** The booking's person of each role. */
export const personOf: Record<ActorRole, string | null> = {
  rider: 'r',
  driver: 'd',
  fleetadmin: 'f',
  admin: 'a',
  system: null,
}

/** A rider with nothing unpaid. */
export function riderWith(walletBalance: number, difference: Partial<RiderFacts> = {}): RiderFacts {
  return { walletBalance, trips: [], ...difference }
}

/** Facts that allow every command to the right person. */
export function factsFor(booking: Booking, actor: ActorRole, difference: Partial<Facts> = {}): Facts {
  return {
    booking,
    delivery: null,
    by: { role: actor, id: personOf[actor] },
    settings,
    requested: booking.status === 'NEW' ? ['d', 'other'] : [],
    wasAsked: false,
    rider: riderWith(1000 * unit),
    silence: null,
    driver,
    cardAvailable: true,
    ...difference,
  }
}

/** A valid input for every command on the booking of this file. */
export function inputFor(command: BookingCommand, difference: object = {}): CommandInput {
  const inputs: { [C in BookingCommand]: object } = {
    capture_payment: { provider: 'stripe', amount: 0, payment: null },
    expire_payment: {},
    request_drivers: { drivers: ['d', 'other'], wave: 1, next_at: start + 30_000 },
    assign_driver: { driver: 'd2', reason: 'car broke down' },
    withdraw_driver: { reason: 'car broke down' },
    decline: {},
    find_no_driver: {},
    accept: { driveSeconds: 180 },
    arrive: {},
    start: { location: booking.pickup },
    deliver: { stop: 1, location: null },
    fail_drop: { stop: 1, reason: 'wrong_address', location: null },
    reach: {
      location: { lat: -34.87, lng: -56.14 },
      address: 'There',
      track: { distance: 6, distance_filled: 0, distance_source: 'track', distance_unmatched: 0 },
      reason: 'driver gone',
    },
    close: { reason: 'driver gone' },
    change: {
      drop: { lat: -34.86, lng: -56.1, add: 'Elsewhere' },
      route: { distanceKm: 9, durationS: 1500, polyline: '' },
    },
    choose_payment: { payment_mode: 'wallet' },
    release_hold: {},
    pay_by_wallet: {},
    settle_capture: { provider: 'stripe', amount: 110 * unit, payment: 'pay' },
    confirm_cash: {},
    write_off: { reason: 'goodwill' },
    object: { reason: 'I paid' },
    decide_objection: { outcome: 'not_paid', reason: 'no proof', returned: 0, waived: 0 },
    rate: { rating: 5 },
    skip_rating: {},
    rate_rider: { rating: 4 },
    cancel: { reason: 'changed my mind', next: { id: 'b2', booking_id: 'DEF567', otp: '54321' } },
  }
  return { command, ...inputs[command], ...difference } as CommandInput
}
