import type { PaymentMode, PlacePoint } from '@hansom/domain/booking/booking'

/** Where the demo's people go; the addresses are as people there write them. */
const places: readonly PlacePoint[] = [
  { lat: -34.9065, lng: -56.1996, add: 'Plaza Independencia, Ciudad Vieja' },
  { lat: -34.9063, lng: -56.2113, add: 'Mercado del Puerto, Ciudad Vieja' },
  { lat: -34.8938, lng: -56.1663, add: 'Terminal Tres Cruces' },
  { lat: -34.9137, lng: -56.1675, add: 'Parque Rodó' },
  { lat: -34.9236, lng: -56.1586, add: 'Punta Carretas Shopping' },
  { lat: -34.9093, lng: -56.1503, add: 'Avenida Brasil, Pocitos' },
  { lat: -34.9036, lng: -56.1364, add: 'Montevideo Shopping, Buceo' },
  { lat: -34.8945, lng: -56.1527, add: 'Estadio Centenario' },
  { lat: -34.8913, lng: -56.1873, add: 'Palacio Legislativo' },
  { lat: -34.8607, lng: -56.2036, add: 'Prado' },
  { lat: -34.8835, lng: -56.0587, add: 'Arocena, Carrasco' },
  { lat: -34.8935, lng: -56.1055, add: 'Malvín' },
  { lat: -34.8851, lng: -56.1478, add: 'La Blanqueada' },
  { lat: -34.8735, lng: -56.1472, add: 'Hospital Español, La Unión' },
]

/** One trip of the past, as it is to be lived through. Numbers of people are places in the lists they come from. */
export interface PastTrip {
  at: number
  rider: number
  driver: number
  pickup: PlacePoint
  drop: PlacePoint
  payment_mode: PaymentMode
  promo: string | undefined
  /** How it ends: driven, or cancelled by the rider before or after a driver has accepted. */
  ending: 'driven' | 'cancelled_waiting' | 'cancelled_accepted'
  /** Minutes until the driver is at the pickup. */
  approachMinutes: number
  rating: number
  riderRating: number
}

const tripCount = 32
const dayMs = 24 * 3600 * 1000

/**
 * The demo's last three weeks before `now`: always the same trips, oldest first, none at the same time as another. Rider
 * and driver 0 are the demo accounts; they have every third trip.
 */
export function planHistory(now: number, people: { riders: number; drivers: number }): PastTrip[] {
  const chance = repeatableChance(2026)
  const pick = (count: number) => Math.floor(chance() * count)
  return Array.from({ length: tripCount }, (_, number) => {
    // A promo asks for a long trip.
    const withPromo = number % 9 === 3
    const pickup = withPromo ? 0 : pick(places.length)
    const drop = withPromo ? 10 : (pickup + 1 + pick(places.length - 1)) % places.length
    const ending =
      number % 11 === 5 ? 'cancelled_waiting' : number % 11 === 8 ? 'cancelled_accepted' : 'driven'
    return {
      at: now - dayMs * (21 - (number * 20.5) / tripCount) + pick(60) * 60_000,
      rider: number % 3 === 0 ? 0 : 1 + pick(people.riders - 1),
      driver: number % 3 === 1 ? 0 : 1 + pick(people.drivers - 1),
      pickup: places[pickup] as PlacePoint,
      drop: places[drop] as PlacePoint,
      payment_mode: number % 4 === 2 ? 'wallet' : 'cash',
      promo: withPromo ? 'RAMBLA50' : undefined,
      ending,
      approachMinutes: 3 + pick(5),
      rating: 4 + pick(2),
      riderRating: 4 + pick(2),
    }
  })
}

/** Chance that is the same every time (a linear congruential generator, constants of Numerical Recipes). */
function repeatableChance(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
