import type { BookingChangeInput } from '@hansom/contract/bookings'
import type { Actor } from '@hansom/domain/access/relation'
import type { CarTypeTerms, InputOf } from '@hansom/domain/bookings/facts'
import type { CarTypesService } from '../car-types/service.ts'
import type { CreateDeps } from './create-booking.ts'
import { arrivalAtPickup } from './dispatch/find-candidates.ts'
import { planRoute } from './plan-route.ts'
import { type GivenCommand, runCommand } from './run-command.ts'
import type { BookingWithRequests, LoadedFacts } from './store/read-bookings.ts'

export interface ChangeDeps extends CreateDeps {
  carTypes: Pick<CarTypesService, 'find'>
}

type ChangeBody = Omit<BookingChangeInput, 'id'> & { estimate?: number | undefined }

/**
 * Completes a change with the new route, the new car type's terms and the driver's way to a new pickup. Refused while the
 * rider is paying: the amount would no longer fit.
 */
export function completeChange(
  deps: ChangeDeps,
  body: ChangeBody,
): Pick<GivenCommand, 'input' | 'unlessPaying'> {
  return {
    unlessPaying: true,
    input: async (facts): Promise<InputOf<'change'>> => {
      const { car_type_id: _id, ...given } = body
      return { command: 'change', ...given, ...(await lookUp(deps, body, facts)) }
    },
  }
}

async function lookUp(
  { maps, driverIndex, carTypes }: ChangeDeps,
  { pickup, drop, car_type_id, passengers }: ChangeBody,
  { booking, driver }: LoadedFacts,
): Promise<Pick<InputOf<'change'>, 'route' | 'driveSeconds' | 'carType' | 'seats'>> {
  const car = booking.driver === null ? null : ((await driverIndex.get(booking.driver)) ?? driver?.location)
  const from = pickup ?? booking.pickup
  // A started trip is priced for the route past the car's position.
  const via = booking.status === 'STARTED' && car ? [car] : []
  const [route, arrival, carType, current] = await Promise.all([
    pickup || drop ? planRoute(maps, from, drop ?? booking.drop, via) : undefined,
    pickup && car ? arrivalAtPickup(maps, car, pickup) : undefined,
    car_type_id === undefined ? undefined : termsOf(carTypes, car_type_id),
    passengers ? carTypes.find(booking.car_type_id) : undefined,
  ])
  return { route, driveSeconds: arrival?.pickupS, carType, seats: current?.seats }
}

/** Null for an unknown or archived car type. */
async function termsOf(carTypes: ChangeDeps['carTypes'], id: string): Promise<CarTypeTerms | null> {
  const row = await carTypes.find(id)
  if (!row) return null
  const { name, image, cancelSlab, seats, parcelTypes, options } = row
  const {
    base_fare,
    rate_per_unit_distance,
    rate_per_hour,
    min_fare,
    convenience_fees,
    convenience_fee_type,
  } = row
  const fare_rule = {
    base_fare,
    rate_per_unit_distance,
    rate_per_hour,
    min_fare,
    convenience_fees,
    convenience_fee_type,
  }
  return { id, name, image, fare_rule, cancel_slab: cancelSlab, seats, parcel_types: parcelTypes, options }
}

/** The booking as the change would leave it; nothing is written. Throws the change's Refusal. */
export function quoteChange(
  deps: ChangeDeps,
  { id: by, role }: Actor,
  { id, ...body }: BookingChangeInput,
): Promise<BookingWithRequests> {
  return runCommand(deps, {
    booking: id,
    by: { role, id: by },
    command: 'change',
    isQuote: true,
    ...completeChange(deps, body),
  })
}
