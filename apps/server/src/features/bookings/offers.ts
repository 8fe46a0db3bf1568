import type { FareOffer } from '@hansom/contract/bookings'
import type { DeliveryEstimate, DeliveryQuote } from '@hansom/contract/deliveries'
import { fareForRiders } from '@hansom/domain/access/visible-booking'
import { discountFields } from '@hansom/domain/bookings/amounts'
import type { PaymentMode } from '@hansom/domain/bookings/status'
import { dropsRefusal, unreachableStop } from '@hansom/domain/deliveries/delivery-request'
import { parcelChoices, parcelExtras } from '@hansom/domain/deliveries/new-delivery'
import { returnCost } from '@hansom/domain/deliveries/return-leg'
import { shareFare } from '@hansom/domain/deliveries/shares'
import { laterTimeRefusal } from '@hansom/domain/dispatch/timing'
import { Refusal } from '@hansom/domain/error-keys'
import { type FareRule, fareFor } from '@hansom/domain/fare/fare'
import { promoDetails, promoRefusal, unknownPromo } from '@hansom/domain/fare/promo'
import { isSamePlace, type LatLng } from '@hansom/domain/geo/point'
import type { DriveTime } from '../../adapters/maps/port.ts'
import type { CarTypeRow, CarTypesService } from '../car-types/service.ts'
import { carTypeView } from '../car-types/service.ts'
import type { PromosService } from '../promos/service.ts'
import type { CurrentSettings } from '../settings/service.ts'
import type { CreateDeps } from './create-booking.ts'
import { findCandidates } from './dispatch/find-candidates.ts'
import { ownDriveTimes } from './own-drive-times.ts'
import { leavesAt, type PlannedDelivery, planDelivery } from './plan-delivery.ts'
import { type PlannedRoute, planRoute } from './plan-route.ts'

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
  { payment_mode = 'cash', delivery }: { payment_mode?: PaymentMode | undefined } & EstimatedDelivery,
) {
  const settings = await deps.settings.current()
  const { route } = await routeOrRefusal(deps, { pickup, drop, delivery }, settings)
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
    const extras = firstExtras(carType, settings)
    const fare = fareFor(carType, route.distanceKm, route.durationS, extras, settings)
    return { carType: carTypeView(carType), fare: fareForRiders(fare), pickupS, nearby }
  })
  return { route, offers }
}

/** What the first parcel type and option add, which a sender gets who chooses none. */
function firstExtras({ parcelTypes, options }: CarTypeRow, { category }: CurrentSettings): number {
  return category === 'delivery' ? (parcelTypes[0]?.amount ?? 0) + (options[0]?.amount ?? 0) : 0
}

/** The price of one car type for a route, as a booking made now would have it. */
export async function estimateFare(
  deps: OfferDeps,
  request: Trip & { car_type_id: string; promo?: string | undefined },
) {
  const carType = await deps.carTypes.find(request.car_type_id)
  if (!carType) throw new Refusal('select_proper')
  const settings = await deps.settings.current()
  const { route, planned } = await routeOrRefusal(deps, request, settings)
  const choices =
    planned && parcelChoices({ ...carType, parcel_types: carType.parcelTypes }, request.delivery ?? {})
  if (choices instanceof Refusal) throw choices
  const extras = choices ? parcelExtras(choices) : 0
  const fare = fareFor(carType, route.distanceKm, route.durationS, extras, settings)
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
    delivery: planned && deliveryQuote(planned, fare.trip_cost, carType, settings),
    route,
  }
}

interface EstimatedDelivery {
  /** In the delivery category only. */
  delivery?: DeliveryEstimate | undefined
}

type Trip = EstimatedDelivery & { pickup: LatLng; drop: LatLng }

/** The route of a trip; in the delivery category with the plan of its stops. */
async function routeOrRefusal(
  { maps, clock }: OfferDeps,
  { pickup, drop, delivery = {} }: Trip,
  { category, deliveryStopMinutes }: CurrentSettings,
): Promise<{ route: PlannedRoute; planned: PlannedDelivery | null }> {
  const places = [drop, ...(category === 'delivery' ? (delivery.moreDrops ?? []) : [])]
  if (places.some((place) => isSamePlace(pickup, place))) throw new Refusal('same_place')
  const outside = [pickup, ...places].findIndex((place) => !maps.covers(place))
  if (outside >= 0) throw unreachableStop('outside_region', outside - 1, places.length)
  if (category === 'taxi') {
    const route = await planRoute(maps, pickup, drop)
    if (!route) throw new Refusal('No Route Found')
    return { route, planned: null }
  }
  const now = clock.now()
  const leaveAt = leavesAt(delivery.tripdate ?? null, now)
  const wrongTime = delivery.tripdate === undefined ? null : laterTimeRefusal(delivery.tripdate, now)
  if (wrongTime) throw new Refusal(wrongTime)
  const drops = places.map((place, index) => ({ place, window: delivery.windows?.[index] }))
  const wrongDrop = dropsRefusal(drops, pickup, leaveAt, now)
  if (wrongDrop) throw wrongDrop
  const planned = await planDelivery(maps, {
    pickup,
    drops,
    order: delivery.order ?? 'given',
    leaveAt,
    serviceS: deliveryStopMinutes * 60,
  })
  if ('unreachable' in planned) throw unreachableStop('No Route Found', planned.unreachable, places.length)
  return { route: planned.route, planned }
}

function deliveryQuote(
  { plan, lateS }: PlannedDelivery,
  trip_cost: number,
  rule: FareRule,
  settings: CurrentSettings,
): DeliveryQuote {
  const shares = shareFare(
    trip_cost,
    plan.legs.map(({ distanceKm }) => distanceKm),
    settings.decimal,
  )
  const { distanceKm, durationS } = plan.back
  const { cost } = returnCost(rule, distanceKm, durationS, settings)
  return {
    stops: plan.order.map((position, index) => ({
      position,
      planned_at: Math.round(plan.arrivals[index] ?? 0),
      lateS: lateS[index] ?? 0,
      share: shares[index] ?? 0,
    })),
    return_leg: { distanceKm, durationS, cost },
  }
}

/** Uses the search of dispatch: a car shown here can be asked. */
async function nearestCars(
  deps: OfferDeps,
  wanted: { pickup: LatLng; car_type_id: CarTypeRow['id']; payment_mode: PaymentMode },
  settings: CurrentSettings,
): Promise<LatLng[]> {
  const near = await findCandidates(deps, { ...wanted, count: nearbyLimit }, settings)
  return near.map(({ location }) => location)
}

/** In seconds. The nearest in a straight line is not always the quickest. */
function soonest(times: (DriveTime | null)[]): number | null {
  const seconds = times.flatMap((time) => (time ? [time.durationS] : []))
  return seconds.length > 0 ? Math.min(...seconds) : null
}
