import type { Candidate } from '@hansom/contract/dispatch'
import { isOneOf } from '@hansom/domain/bookings/status'
import {
  assignableStatuses,
  type CandidateBlock,
  endingStatuses,
  rankCandidates,
  straightKmh,
} from '@hansom/domain/dispatch/board'
import { endTripS, soonFreeS } from '@hansom/domain/dispatch/timing'
import { Refusal } from '@hansom/domain/error-keys'
import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import { locationFreshMs, mayCollect } from '@hansom/domain/users/eligibility'
import type { Pool } from 'pg'
import type { DriverIndex } from '../../../adapters/driver-index/port.ts'
import type { Maps } from '../../../adapters/maps/port.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { CurrentSettings } from '../../settings/service.ts'
import { nameOf, ratingOf, readBooking, type UserFacts } from '../store/read-bookings.ts'
import { arrivalOf } from './find-candidates.ts'

export interface CandidateDeps {
  pool: Pool
  maps: Pick<Maps, 'driveTimes'>
  driverIndex: DriverIndex
  clock: Pick<Clock, 'now' | 'elapsed'>
  settings: { current(): Promise<CurrentSettings> }
}

/** Drivers whose travel time is computed: the nearest in a straight line. */
const freeCount = 30
const soonCount = 10
const listedCount = 20
/** An admin may send a driver from farther away than automatic dispatch would, km. */
const farthestKm = 50

interface SoonFree {
  id: string
  location: LatLng
  drop: LatLng
}

/**
 * The drivers who could take a booking, by travel time to its pickup: free ones of its car type, and those whose trip
 * ends within `soonFreeS`.
 */
export async function findBookingCandidates(deps: CandidateDeps, id: string): Promise<Candidate[]> {
  const { pool, maps, driverIndex, clock } = deps
  const now = clock.now()
  const record = await readBooking(pool, id, now)
  if (!record) throw new Refusal('not_found')
  const { booking } = record
  if (!isOneOf(assignableStatuses, booking.status)) throw new Refusal('wrong_status')
  const pickup = { lat: booking.pickup.lat, lng: booking.pickup.lng }

  const near = await driverIndex.nearest(pickup, {
    count: freeCount,
    radiusKm: farthestKm,
    carTypeId: booking.car_type_id,
    exclude: new Set(booking.driver === null ? [] : [booking.driver]),
    heardSince: clock.elapsed() - locationFreshMs,
  })
  const positions = await Promise.all(near.map((driver) => driverIndex.get(driver.id)))
  const free = positions.flatMap((at) => (at ? [{ id: at.id, location: { lat: at.lat, lng: at.lng } }] : []))
  const soon = await soonFree(deps, booking.car_type_id, pickup)

  const [freeTimes, dropTimes, restTimes, people, settings] = await Promise.all([
    maps.driveTimes(
      free.map(({ location }) => location),
      pickup,
    ),
    maps.driveTimes(
      soon.map(({ drop }) => drop),
      pickup,
    ),
    Promise.all(soon.map(({ location, drop }) => maps.driveTimes([location], drop))),
    readDrivers(
      pool,
      [...free, ...soon].map((driver) => driver.id),
      id,
      now,
    ),
    deps.settings.current(),
  ])

  const listed = (
    driver: { id: string; location: LatLng },
    times: Pick<Candidate, 'km' | 'freeS' | 'arrivalS'>,
  ) => {
    const person = people.get(driver.id)
    const isFree = times.freeS === 0
    if (!person?.approved || !person.driver_active_status || person.queue === isFree) return []
    if (person.car_type_id !== booking.car_type_id) return []
    const need = { ...settings, payment_mode: booking.payment_mode }
    const declined = booking.excluded_drivers.includes(driver.id)
    const blocked: CandidateBlock | null = declined
      ? 'declined'
      : mayCollect(person.wallet_balance, need)
        ? null
        : 'debt'
    const { vehicle_number, asked } = person
    return [
      {
        id: driver.id,
        name: nameOf(person),
        vehicle_number,
        rating: ratingOf(person),
        ...driver.location,
        ...times,
        asked,
        blocked,
      },
    ]
  }

  const candidates = [
    ...free.flatMap((driver, index) => {
      const { pickupKm, pickupS } = arrivalOf(freeTimes[index] ?? null, driver.location, pickup)
      return listed(driver, { km: pickupKm, freeS: 0, arrivalS: pickupS })
    }),
    ...soon.flatMap((driver, index) => {
      const rest = arrivalOf(restTimes[index]?.[0] ?? null, driver.location, driver.drop)
      if (rest.pickupS > soonFreeS) return []
      const freeS = rest.pickupS + endTripS
      const { pickupKm, pickupS } = arrivalOf(dropTimes[index] ?? null, driver.drop, pickup)
      return listed(driver, { km: pickupKm, freeS, arrivalS: freeS + pickupS })
    }),
  ]
  return rankCandidates(candidates).slice(0, listedCount)
}

/** Drivers near the end of their trip, by the straight line over its drop to the pickup. */
async function soonFree({ pool }: CandidateDeps, carType: string, pickup: LatLng): Promise<SoonFree[]> {
  const reply = await pool.query<{ id: string; lat: number; lng: number; drop: LatLng }>({
    name: 'soon-free-drivers',
    text: `select u.id, u.lat, u.lng, b.drop from bookings b join user_facts u on u.id = b.driver
      where b.status = any($2) and b.status not in ('COMPLETE', 'CANCELLED') and u.car_type_id = $1 and u.is_on_map`,
    values: [carType, endingStatuses],
  })
  const farthestRestKm = (soonFreeS / 3600) * straightKmh * 2
  return reply.rows
    .map(({ id, lat, lng, drop }) => {
      const location = { lat, lng }
      const restKm = greatCircleKm(location, drop)
      return {
        id,
        location,
        drop: { lat: drop.lat, lng: drop.lng },
        restKm,
        km: restKm + greatCircleKm(drop, pickup),
      }
    })
    .filter(({ restKm, km }) => restKm <= farthestRestKm && km <= farthestKm)
    .sort((a, b) => a.km - b.km || (a.id < b.id ? -1 : 1))
    .slice(0, soonCount)
}

type Person = UserFacts & Pick<Candidate, 'asked'>

/** Drivers by id, each with the kind of booking that waits for their answer. */
async function readDrivers(
  pool: Pool,
  ids: readonly string[],
  booking: string,
  now: number,
): Promise<Map<string, Person>> {
  if (ids.length === 0) return new Map()
  const reply = await pool.query<Person>({
    name: 'candidate-drivers',
    text: `select u.*, (select case when bool_or(r.booking_id = $2) then 'this' when count(*) > 0 then 'other' end
        from booking_requests r join bookings b on b.id = r.booking_id and b.status = 'NEW'
        where r.driver_id = u.id and (r.expires_at is null or r.expires_at > $3)) as asked
      from user_facts u where u.id = any($1::uuid[])`,
    values: [ids, booking, now],
  })
  return new Map(reply.rows.map((row) => [row.id, row]))
}
