import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import type { Api } from '../link/api.ts'

const sameCarKm = 0.25

/** Where the simulated drivers are now, to tell a car that a person drives from ours. */
export class FleetPositions {
  private readonly cars = new Map<string, LatLng>()

  set(uid: string, point: LatLng): void {
    this.cars.set(uid, point)
  }

  /** True when a free car near `point` is none of ours: then a person should have the first chance. */
  async personIsNear(api: Api, point: LatLng): Promise<boolean> {
    const free = await api.tracking.nearby({ lat: point.lat, lng: point.lng })
    return free.some((car) => ![...this.cars.values()].some((ours) => greatCircleKm(ours, car) < sameCarKm))
  }
}
