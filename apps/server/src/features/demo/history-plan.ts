import type { PaymentMode } from '@hansom/domain/bookings/status'
import { cityDay, cityDayStart } from '@hansom/domain/time/city-time'

/** How a past trip ends. Riders cancel before or after a driver accepts; sometimes no driver is found. */
export type Ending = 'driven' | 'cancelled_waiting' | 'cancelled_accepted' | 'no_driver'

/** The plan of one past trip. Riders, drivers and routes are indices into their lists. */
export interface PastTrip {
  /** When it is booked, epoch ms. */
  at: number
  /** Pickup time of a trip that was booked for later. */
  tripdate: number | null
  rider: number
  driver: number
  route: number
  /** The payment method the rider prefers. */
  payment_mode: PaymentMode
  promo: string | null
  ending: Ending
  /** Null: the rider does not rate. */
  rating: number | null
  feedback: string | null
  riderRating: number | null
  /** Whether an admin refunds part of it a day later. */
  refunded: boolean
}

export interface PlanOptions {
  now: number
  timezone: string
  /** When each rider signed up, epoch ms, the demo account first. */
  riders: readonly number[]
  drivers: number
  routes: number
  byCard: boolean
}

export const historyDays = 90
const dayMs = 24 * 3600 * 1000
const minuteMs = 60_000
const tripsADay = 40
/** Relative demand by weekday, from Sunday. */
const ofWeekday = [0.8, 0.85, 0.9, 0.95, 1.05, 1.3, 1.15]
/** Relative demand by hour of the city's day. */
const ofHour = [2, 1, 1, 1, 1, 2, 3, 6, 8, 6, 5, 5, 6, 6, 5, 5, 6, 8, 9, 8, 7, 6, 5, 3]
const ofWeekendHour = [6, 5, 4, 3, 2, 2, 2, 2, 3, 4, 5, 6, 6, 6, 5, 5, 5, 6, 6, 7, 8, 8, 8, 7]
/** A trip booked for now has ended after this time. */
const longestTripMs = 80 * minuteMs
const feedbacks = [
  'Drove calmly and knew the way.',
  'Very kind, thank you.',
  'The car was clean and quiet.',
  'Came sooner than promised.',
  'Helped with the luggage.',
  'Took a longer route than the map shows.',
]

/**
 * Plans the demo's last 90 days until `now`, by the city's weekday and hour, and a few trips booked for the coming
 * days. Always returns the same trips, oldest first. Rider and driver 0 are the demo accounts, who travel more than
 * others.
 */
export function planHistory(options: PlanOptions): PastTrip[] {
  const { now, timezone } = options
  const chance = seededRandom(2026)
  const today = cityDayStart(cityDay(now, timezone), timezone) ?? now
  const trips: PastTrip[] = []
  for (let day = historyDays - 1; day >= 0; day -= 1) {
    const start = today - day * dayMs
    const weekday = new Date(`${cityDay(start + dayMs / 2, timezone)}T12:00:00Z`).getUTCDay()
    const growth = 0.75 + 0.5 * (1 - day / historyDays)
    const count = Math.round(tripsADay * (ofWeekday[weekday] ?? 1) * growth * (0.9 + 0.2 * chance()))
    const hours = weekday === 0 || weekday === 6 ? ofWeekendHour : ofHour
    for (let number = 0; number < count; number += 1) {
      const at = start + (pickHour(hours, chance()) + chance()) * 60 * minuteMs
      // Draws the random numbers for every trip, also those left out, so that the past does not depend on `now`.
      const trip = planTrip(options, Math.round(at), chance)
      if (at < now - longestTripMs) trips.push(trip)
    }
  }
  for (let number = 0; number < 6; number += 1) {
    const trip = planTrip(options, now - Math.round((1 + chance() * 6) * 60) * minuteMs, chance)
    const tripdate = now + Math.round(14 + chance() * 60) * 60 * minuteMs
    trips.push({ ...trip, tripdate, ending: 'driven', rider: Math.max(1, trip.rider) })
  }
  return trips.sort((one, other) => one.at - other.at)
}

function pickHour(weights: readonly number[], luck: number): number {
  let left = luck * weights.reduce((sum, weight) => sum + weight, 0)
  return Math.max(
    0,
    weights.findIndex((weight) => {
      left -= weight
      return left < 0
    }),
  )
}

function planTrip(options: PlanOptions, at: number, chance: () => number): PastTrip {
  const [who, where, ending, opinion, extra] = Array.from({ length: 5 }, () => chance()) as [
    number,
    number,
    number,
    number,
    number,
  ]
  const isLater = chance() < 0.05
  const lead = Math.round((2 + chance() * 30) * 60) * minuteMs
  return {
    at: isLater ? at - lead : at,
    tripdate: isLater ? at : null,
    rider: pickRider(options.riders, isLater ? at - lead : at, who, chance()),
    driver: chance() < 0.08 ? 0 : Math.floor(chance() * options.drivers),
    route: Math.floor(where * options.routes),
    payment_mode: pickPayment(chance(), options.byCard),
    promo: extra < 0.05 ? 'WELCOME20' : extra < 0.08 ? 'RAMBLA50' : null,
    ending:
      ending < 0.05
        ? 'cancelled_waiting'
        : ending < 0.11
          ? 'cancelled_accepted'
          : ending < 0.125
            ? 'no_driver'
            : 'driven',
    rating: opinion < 0.3 ? null : opinion < 0.33 ? 3 : opinion < 0.5 ? 4 : 5,
    feedback: chance() < 0.15 ? (feedbacks[Math.floor(chance() * feedbacks.length)] ?? null) : null,
    riderRating: chance() < 0.75 ? 4 + Math.round(chance()) : null,
    refunded: chance() < 0.01,
  }
}

/** Picks a rider who had signed up by then; earlier riders travel more. */
function pickRider(riders: readonly number[], at: number, luck: number, own: number): number {
  if (own < 0.03) return 0
  const there = riders.filter((came) => came < at).length
  return Math.floor(luck ** 1.4 * there)
}

function pickPayment(luck: number, byCard: boolean): PaymentMode {
  if (luck < 0.46) return 'cash'
  if (luck < 0.64) return 'wallet'
  if (!byCard) return 'cash'
  return luck < 0.94 ? 'card' : 'wallet_card'
}

/** A seeded random number generator (a linear congruential generator with the constants of Numerical Recipes). */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
