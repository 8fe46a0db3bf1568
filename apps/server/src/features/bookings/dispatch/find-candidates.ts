import type { PaymentMode } from '@hansom/domain/bookings/status'
import { batchDrivers } from '@hansom/domain/dispatch/batch'
import { straightKmh } from '@hansom/domain/dispatch/board'
import type { Exclusion } from '@hansom/domain/dispatch/strategies'
import { searchRadiusKm } from '@hansom/domain/dispatch/waves'
import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import { locationFreshMs, mayCollect } from '@hansom/domain/users/eligibility'
import type { DriverIndex } from '../../../adapters/driver-index/port.ts'
import type { DriveTime, Maps } from '../../../adapters/maps/port.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { CurrentSettings } from '../../settings/service.ts'
import type { BookingStore } from '../store/booking-store.ts'

/** A driver who can be asked now, with the car's location. */
interface FoundCandidate {
  id: string
  location: LatLng
  km: number
}

interface CandidateSearch {
  pickup: LatLng
  car_type_id: string
  payment_mode: PaymentMode
  /** Maximum number of results. */
  count: number
  exclude?: ReadonlySet<string>
  /** Reads who of some drivers is asked for another trip; they are passed over. */
  askedElsewhere?: (drivers: readonly string[]) => Promise<ReadonlySet<string>>
  /** Called with each near driver who cannot serve the booking, and why. */
  refused?: (driver: FoundCandidate, why: 'debt' | 'unavailable' | 'other_request') => void
}

interface CandidateDeps {
  store: BookingStore
  driverIndex: DriverIndex
  clock: Pick<Clock, 'elapsed'>
}

/** Drivers checked per query: nearly always enough. Each further query checks more. */
const leastBatch = 50
const growth = 4
const largestBatch = 800

/**
 * Finds the nearest drivers who can serve a booking: heard from recently, within driverRadius, of its car type, free,
 * and allowed to collect cash if it is paid in cash. The index has their locations; the database rows have their
 * permissions.
 */
export async function findCandidates(
  { store, driverIndex, clock }: CandidateDeps,
  search: CandidateSearch,
  settings: CurrentSettings,
): Promise<FoundCandidate[]> {
  const passedOver = new Set(search.exclude)
  const found: FoundCandidate[] = []
  for (let batch = Math.max(search.count, leastBatch); ; batch = Math.min(largestBatch, batch * growth)) {
    const near = await driverIndex.nearest(search.pickup, {
      count: batch,
      radiusKm: searchRadiusKm(settings),
      carTypeId: search.car_type_id,
      exclude: passedOver,
      heardSince: clock.elapsed() - locationFreshMs,
    })
    const able = await ableDrivers(
      store,
      near.map((driver) => driver.id),
      search,
      settings,
    )
    const elsewhere = await search.askedElsewhere?.([...able.keys()])
    for (const { id, km } of near) {
      passedOver.add(id)
      const mayServe = able.get(id)
      const at = mayServe || search.refused ? await driverIndex.get(id) : null
      if (!at) continue
      const driver = { id, km, location: { lat: at.lat, lng: at.lng } }
      if (mayServe && !elsewhere?.has(id)) found.push(driver)
      else
        search.refused?.(driver, mayServe ? 'other_request' : mayServe === undefined ? 'unavailable' : 'debt')
    }
    if (found.length >= search.count || near.length < batch) return found.slice(0, search.count)
  }
}

/** Near drivers looked at for each booking of a batch, of whom some turn out to be busy. */
const lookedAt = 2 * batchDrivers

interface NearDeps extends CandidateDeps {
  dispatchFacts: {
    free(ids: readonly string[]): Promise<Map<string, { car_type_id: string; wallet_balance: number }>>
    askedForOthers(
      drivers: readonly string[],
      booking: string | null,
      now: number,
    ): Promise<ReadonlySet<string>>
  }
}

/** The nearest drivers of each booking of a batch; where none of them can serve it now, farther ones, too. */
export async function nearDrivers(
  deps: NearDeps,
  searches: readonly Omit<CandidateSearch, 'count' | 'refused' | 'askedElsewhere'>[],
  settings: CurrentSettings,
  now: number,
): Promise<string[][]> {
  const nearest = await Promise.all(
    searches.map(async ({ pickup, car_type_id: carTypeId, exclude = new Set() }) => {
      const radiusKm = searchRadiusKm(settings)
      const heardSince = deps.clock.elapsed() - locationFreshMs
      const given = { count: lookedAt, radiusKm, carTypeId, exclude, heardSince }
      return (await deps.driverIndex.nearest(pickup, given)).map(({ id }) => id)
    }),
  )
  const ids = [...new Set(nearest.flat())]
  const askedElsewhere = (drivers: readonly string[]) => deps.dispatchFacts.askedForOthers(drivers, null, now)
  const [able, elsewhere] = await Promise.all([deps.dispatchFacts.free(ids), askedElsewhere(ids)])
  return Promise.all(
    searches.map(async (search, index) => {
      const ids = nearest[index] as string[]
      const { car_type_id, payment_mode } = search
      const isServed = ids.some((id) => {
        const driver = able.get(id)
        return (
          driver?.car_type_id === car_type_id &&
          !elsewhere.has(id) &&
          mayCollect(driver.wallet_balance, { ...settings, payment_mode })
        )
      })
      if (isServed || ids.length < lookedAt) return ids
      const exclude = new Set([...(search.exclude ?? []), ...ids])
      const farther = await findCandidates(
        deps,
        { ...search, count: batchDrivers, exclude, askedElsewhere },
        settings,
      )
      return [...ids, ...farther.map(({ id }) => id)]
    }),
  )
}

/** The drivers who are free and of the car type, each with whether they may collect the payment. */
async function ableDrivers(
  store: BookingStore,
  ids: string[],
  { payment_mode, car_type_id }: CandidateSearch,
  settings: CurrentSettings,
): Promise<Map<string, boolean>> {
  const free = await store.freeDrivers(ids, car_type_id)
  return new Map(
    free.map(({ id, wallet_balance }) => [id, mayCollect(wallet_balance, { ...settings, payment_mode })]),
  )
}

/** The drivers who declined a booking or were asked for it before, those whom the index knows, with the reason. */
export async function formerDrivers(
  driverIndex: Pick<DriverIndex, 'get'>,
  asked: readonly string[],
  declined: readonly string[],
): Promise<{ id: string; location: LatLng; excluded: Exclusion }[]> {
  const found: { id: string; location: LatLng; excluded: Exclusion }[] = []
  for (const id of new Set([...asked, ...declined])) {
    const at = await driverIndex.get(id)
    const excluded = declined.includes(id) ? 'declined' : 'asked_before'
    if (at) found.push({ id, location: { lat: at.lat, lng: at.lng }, excluded })
  }
  return found
}

/** Distance and duration of a driver's route to a pickup, km and s. Zero if the driver's location is unknown. */
export async function arrivalAtPickup(
  maps: Maps,
  from: LatLng | null | undefined,
  pickup: LatLng,
): Promise<{ pickupKm: number; pickupS: number }> {
  if (!from) return { pickupKm: 0, pickupS: 0 }
  const [time] = await maps.driveTimes([{ lat: from.lat, lng: from.lng }], pickup)
  return arrivalOf(time ?? null, from, pickup)
}

/** From the driving time, or from the straight line if it is null. */
export function arrivalOf(
  time: DriveTime | null,
  from: LatLng,
  pickup: LatLng,
): { pickupKm: number; pickupS: number } {
  if (time) return { pickupKm: time.distanceKm, pickupS: time.durationS }
  const km = greatCircleKm(from, pickup)
  return { pickupKm: km, pickupS: (km / straightKmh) * 3600 }
}
