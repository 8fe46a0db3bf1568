import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import type { Api } from '../link/api.ts'

/** What a car has told is what the platform shows of it, to the last digits. */
const samePlaceKm = 0.005
/** The platform may not have taken up the last places yet. */
const keptPlaces = 4

type Car = LatLng & { car_type_id: string }

/** What the simulated cars have told of where they are, to tell a car that a person drives from ours. */
export class FleetPositions {
  private readonly told = new Map<string, LatLng[]>()

  tell(uid: string, { lat, lng }: LatLng): void {
    this.told.set(uid, [...(this.told.get(uid) ?? []), { lat, lng }].slice(-keptPlaces))
  }

  /** True when a free car of a type near `point` is none of ours: then a person should have the first chance. */
  async isPersonNear(api: Api, point: LatLng, carType: string): Promise<boolean> {
    const free = await api.tracking.nearby({ lat: point.lat, lng: point.lng })
    return this.hasStranger(free.filter((car) => car.car_type_id === carType))
  }

  /** True when not every car is where one of ours is, each of ours standing for one: a person may park beside it. */
  hasStranger(cars: readonly Car[]): boolean {
    const ours = new Map(this.told)
    return cars.some((car) => {
      for (const [uid, places] of ours) {
        if (!places.some((place) => greatCircleKm(place, car) < samePlaceKm)) continue
        ours.delete(uid)
        return false
      }
      return true
    })
  }
}
