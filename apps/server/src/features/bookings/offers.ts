import type { FareOffer } from '@hansom/contract/bookings'
import { fareForRiders } from '@hansom/domain/access/visible-booking'
import { discountFields } from '@hansom/domain/bookings/amounts'
import type { PaymentMode } from '@hansom/domain/bookings/status'
import { Refusal } from '@hansom/domain/error-keys'
import { fareFor } from '@hansom/domain/fare/fare'
import { promoDetails, promoRefusal, unknownPromo } from '@hansom/domain/fare/promo'
import { isSamePlace, type LatLng } from '@hansom/domain/geo/point'
import type { DriveTime } from '../../adapters/maps/port.ts'
import type { CarTypeRow, CarTypesService } from '../car-types/service.ts'
import { carTypeView } from '../car-types/service.ts'
import type { PromosService } from '../promos/service.ts'
import type { CurrentSettings } from '../settings/service.ts'
import { type CreateDeps, type PlannedRoute, planRoute } from './create-booking.ts'
import { findCandidates } from './dispatch/find-candidates.ts'
import { ownDriveTimes } from './own-drive-times.ts'

export interface OfferDeps extends CreateDeps {
  carTypes: CarTypesService
  promos: PromosService
}

/** Maximum number of cars counted for an offer. */
const nearbyLimit = 10

/** The price and pickup time of every car type for a route. Throws Refusal outside_region, No Route Found. */
export async function makeOffers(
  deps: OfferDeps,
  pickup: LatLng,
  drop: LatLng,
  payment_mode: PaymentMode = 'cash',
) {
  const route = await routeOrRefusal(deps, pickup, drop)
  const settings = await deps.settings.current()
  const carTypes = await deps.carTypes.list()
  if (carTypes.length === 0) throw new Refusal('no_cars')
  const cars = await Promise.all(
    carTypes.map(({ id }) => nearestCars(deps, { pickup, car_type_id: id, payment_mode }, settings)),
  )
  const times = await ownDriveTimes(deps.maps, cars.flat(), pickup)
  let first = 0
  const offers = carTypes.map((carType, index): FareOffer => {
    const nearby = cars[index]?.length ?? 0
    const pickupS = soonest(times.slice(first, first + nearby))
    first += nearby
    const fare = fareFor(carType, route.distanceKm, route.durationS, 0, settings)
    return { carType: carTypeView(carType), fare: fareForRiders(fare), pickupS, nearby }
  })
  return { route, offers }
}

/** The price of one car type for a route, as a booking made now would have it. */
export async function estimateFare(
  deps: OfferDeps,
  request: { pickup: LatLng; drop: LatLng; car_type_id: string; promo?: string | undefined },
) {
  const carType = await deps.carTypes.find(request.car_type_id)
  if (!carType) throw new Refusal('select_proper')
  const route = await routeOrRefusal(deps, request.pickup, request.drop)
  const settings = await deps.settings.current()
  const fare = fareFor(carType, route.distanceKm, route.durationS, 0, settings)
  const promo = request.promo === undefined ? null : await deps.promos.findByCode(request.promo)
  if (request.promo !== undefined && !promo) throw unknownPromo()
  const noPromo = promo && promoRefusal(promo, fare.trip_cost, deps.clock.now())
  if (noPromo) throw noPromo
  const { discount_amount } = discountFields(
    fare.trip_cost,
    promo && { id: promo.id, details: promoDetails(promo) },
    settings.decimal,
  )
  return {
    estimateFare: fare.trip_cost,
    fare: fareForRiders(fare),
    discount_amount,
    payableAmount: fare.trip_cost - discount_amount,
    promo_name: promo?.promo_name ?? null,
    route,
  }
}

async function routeOrRefusal({ maps }: OfferDeps, pickup: LatLng, drop: LatLng): Promise<PlannedRoute> {
  if (isSamePlace(pickup, drop)) throw new Refusal('same_place')
  if (!maps.covers(pickup) || !maps.covers(drop)) throw new Refusal('outside_region')
  const route = await planRoute(maps, pickup, drop)
  if (!route) throw new Refusal('No Route Found')
  return route
}

/** Uses the search of dispatch: a car shown here can be asked. */
async function nearestCars(
  { driverIndex, clock, database: { pool } }: OfferDeps,
  wanted: { pickup: LatLng; car_type_id: CarTypeRow['id']; payment_mode: PaymentMode },
  settings: CurrentSettings,
): Promise<LatLng[]> {
  const near = await findCandidates({ pool, driverIndex, clock }, { ...wanted, count: nearbyLimit }, settings)
  return near.map(({ location }) => location)
}

/** In seconds. The nearest in a straight line is not always the quickest. */
function soonest(times: (DriveTime | null)[]): number | null {
  const seconds = times.flatMap((time) => (time ? [time.durationS] : []))
  return seconds.length > 0 ? Math.min(...seconds) : null
}
