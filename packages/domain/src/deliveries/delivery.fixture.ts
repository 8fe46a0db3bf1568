import { booking, fareRule, settings, start } from '../bookings/booking.fixture.ts'
import type { BookingSettings } from '../bookings/facts.ts'
import type { Delivery } from './delivery.ts'
import type { DeliveryRequest } from './delivery-request.ts'
import { type DeliveryPlan, newDelivery } from './new-delivery.ts'

export const deliverySettings: BookingSettings = { ...settings, category: 'delivery' }

/** Three drops, asked for in the order in which they are visited. */
export const deliveryRequest: DeliveryRequest = {
  drops: ['Ada', 'Ben', 'Cleo'].map((deliveryPerson, index) => ({
    place: { ...booking.drop, lat: booking.drop.lat + index / 100 },
    deliveryPerson,
    deliveryPersonPhone: '099 123 456',
  })),
  order: 'given',
  cash_at: null,
}

export const deliveryPlan: DeliveryPlan = {
  departure: start,
  order: [0, 1, 2],
  legs: [2, 1, 3].map((distanceKm) => ({ distanceKm, durationS: distanceKm * 200 })),
  arrivals: [10, 20, 30].map((minutes) => start + minutes * 60_000),
  back: { distanceKm: 5, durationS: 1000 },
}

/** The delivery of the booking of the tests: 110 for three drops; the return leg costs 74, of which 7 are the fee. */
export const delivery: Delivery = newDelivery({
  request: deliveryRequest,
  plan: deliveryPlan,
  choices: { parcel_type: null, option: null },
  pickup: booking.pickup,
  sender: { name: booking.customer_name, contact: booking.customer_contact, email: booking.customer_email },
  trip_cost: booking.trip_cost,
  fare_rule: fareRule,
  units: settings,
  inCash: false,
  codes: null,
})
