import type { Booking } from '@hansom/domain/bookings/booking'
import { maySearch } from '@hansom/domain/bookings/new-booking'
import { waitingSince } from '@hansom/domain/dispatch/board'
import type { Candidate, Exclusion } from '@hansom/domain/dispatch/strategies'
import { dispatchAt, isDispatchDue } from '@hansom/domain/dispatch/timing'
import { planWave, searchRadiusKm, waveLimit } from '@hansom/domain/dispatch/waves'
import type { LatLng } from '@hansom/domain/geo/point'
import { mayCollect } from '@hansom/domain/users/eligibility'
import type { CurrentSettings } from '../../settings/service.ts'
import { activeRequests } from '../store/read-bookings.ts'
import {
  askDrivers,
  findNoDriver,
  haveDriversReported,
  startupRetryMs,
  strategyAt,
  type WaveDeps,
} from './ask-drivers.ts'
import { arrivalOf, findCandidates, formerDrivers } from './find-candidates.ts'

export type { WaveDeps } from './ask-drivers.ts'

/** The outcome of a wave: drivers asked, no driver found, stale job, retry at `at`, or left to the batch at `at`. */
export type WaveOutcome =
  | { kind: 'asked' | 'no_driver' | 'stale' }
  | { kind: 'early'; at: number }
  | { kind: 'batch'; at: number }

/** Retry interval while other trips of the same rider are being dispatched, real ms. */
const turnRetryMs = 5_000
/** A driver whom a booking awaits stays its own for this time after its next look, which may come late, real ms. */
const keptMs = 5_000
/** Plans in a row while other bookings are first to await a driver. */
const mostPlans = 4
/**
 * The nearest by great-circle distance, of whom the soonest are asked: as many times a wave's size, because the soonest
 * are rarely farther down the list, and because some map services charge for every driving time.
 */
const candidatesPerAsked = 3
const leastCandidates = 10
const mostCandidates = 100

/** When the next batch runs: the same moment for all bookings with this interval, so that they are matched together. */
export const nextBatchAt = (now: number, batchSeconds: number): number =>
  Math.ceil(now / (batchSeconds * 1000)) * batchSeconds * 1000

/**
 * Asks the wave of drivers after `wave`, or cancels the booking when all drivers have been asked. Does nothing when the
 * booking has moved on, so a job that runs twice asks once.
 */
export async function askNextWave(deps: WaveDeps, bookingId: string, wave: number): Promise<WaveOutcome> {
  const general = await deps.settings.current()
  const facts = await deps.store.facts(bookingId, null, null)
  const now = deps.clock.now()
  if (!facts || facts.booking.status !== 'NEW' || facts.booking.wave !== wave || !general.autoDispatch) {
    return { kind: 'stale' }
  }
  const { booking, requests } = facts
  if (!isDispatchDue(booking, general, now)) return { kind: 'early', at: dispatchAt(booking, general, now) }
  if (wave === 0 && !maySearch(await othersSearching(deps, booking), booking, general.category)) {
    return { kind: 'early', at: now + turnRetryMs * deps.clock.speed }
  }
  const active = activeRequests(requests, now)
  if (active.length > 0) {
    const until = Math.max(...active.map((request) => request.expires_at ?? 0))
    return until > 0 ? { kind: 'early', at: until } : { kind: 'stale' }
  }
  const { rule, figures, settings } = await strategyAt(deps, booking.pickup, general, now)
  if (figures.strategy === 'batch') return { kind: 'batch', at: nextBatchAt(now, figures.batchSeconds) }

  const asked = requests.map((request) => request.driver_id)
  const readAround = () => deps.drivers.readAround([booking.pickup], searchRadiusKm(settings))
  if (!deps.drivers.isCurrent()) await readAround()
  let { plan, arrivals } = await planAlone(deps, booking, asked, settings)
  // No booking ends because of what another server has not told yet.
  if (plan.kind === 'none' && (await readAround()))
    ({ plan, arrivals } = await planAlone(deps, booking, asked, settings))
  // Without the reasons, drivers are asked all the same, or the booking waits or ends.
  const record = (kind: 'ask' | 'wait' | 'none', next = wave + 1, radius = searchRadiusKm(settings)) =>
    deps.dispatchFacts
      .record([
        {
          booking_id: bookingId,
          wave: next,
          at: now,
          kind,
          strategy: figures.strategy,
          rule,
          radius,
          ...plan.considered(),
        },
      ])
      .catch((err: unknown) => deps.log.error({ err, booking: bookingId }, 'failed to record a decision'))
  if (plan.kind === 'wait') {
    await record('wait')
    return { kind: 'early', at: plan.until }
  }
  if (plan.kind === 'none') {
    const haveReported = haveDriversReported(deps, booking.bookingDate)
    if (!haveReported) return { kind: 'early', at: now + startupRetryMs * deps.clock.speed }
    if (await findNoDriver(deps, bookingId, wave)) await record('none')
    return { kind: 'no_driver' }
  }
  const ask = { ...plan, booking: bookingId, before: wave, arrivals }
  if (await askDrivers(deps, ask)) await record('ask', plan.wave, plan.radiusKm)
  return { kind: 'asked' }
}

/** Plans the next wave; a driver about to finish is kept for the booking, or passed over if another was first. */
async function planAlone(...given: Parameters<typeof planNext>): ReturnType<typeof planNext> {
  const [{ dispatchFacts, clock }, { id }] = given
  for (let plans = 1; ; plans++) {
    const planned = await planNext(...given)
    const { plan } = planned
    if (plan.kind !== 'wait' || plan.awaited === null) return planned
    const isKept = await dispatchFacts.keep(plan.awaited, id, plan.until + keptMs * clock.speed, clock.now())
    // Each loss takes one driver from the next plan. The booking looks again soon, whether or not it has one.
    if (isKept || plans === mostPlans) return planned
  }
}

/** Plans the next wave, with the arrival of each candidate by id. */
async function planNext(
  deps: WaveDeps,
  booking: Booking,
  asked: readonly string[],
  settings: CurrentSettings,
) {
  const { driverIndex, clock, maps, dispatchFacts, store } = deps
  const { dispatch } = settings
  const now = clock.now()
  const pickup = { lat: booking.pickup.lat, lng: booking.pickup.lng }
  const out: { id: string; location: LatLng; excluded: Exclusion }[] = []
  const limit = waveLimit(dispatch)
  const free = await findCandidates(
    { store, driverIndex, clock },
    {
      pickup,
      car_type_id: booking.car_type_id,
      payment_mode: booking.payment_mode,
      count: Math.min(mostCandidates, Math.max(leastCandidates, candidatesPerAsked * limit)),
      exclude: new Set([...asked, ...booking.excluded_drivers]),
      ...(dispatch.strategy === 'nearest' && {
        askedElsewhere: (ids) => dispatchFacts.askedForOthers(ids, booking.id, now),
      }),
      refused: ({ id, location }, excluded) => out.push({ id, location, excluded }),
    },
    settings,
  )
  out.push(...(await formerDrivers(driverIndex, asked, booking.excluded_drivers)))
  const soon = await dispatchFacts.soonFree({
    carTypes: [booking.car_type_id],
    minutes: dispatch.soonFreeMinutes,
    pickups: [pickup],
    radiusKm: searchRadiusKm(settings),
    booking: booking.id,
    now,
  })
  const ending = soon.filter(({ wallet_balance }) =>
    mayCollect(wallet_balance, { ...settings, payment_mode: booking.payment_mode }),
  )
  const ids = free.map(({ id }) => id)
  const [times, idleS] = await Promise.all([
    maps.driveTimes([...free.map(({ location }) => location), ...ending.map(({ drop }) => drop)], pickup),
    dispatchFacts.idleTimes(ids, dispatch.fairness, now),
  ])
  const arrivals = new Map(
    free.map(({ id, location }, index) => [id, arrivalOf(times[index] ?? null, location, pickup)]),
  )
  const candidates: Candidate[] = [
    ...free.map(({ id, location }) => ({
      id,
      location,
      arrivalS: arrivals.get(id)?.pickupS as number,
      idleS: idleS(id),
    })),
    ...ending.map(({ id, drop, freeS }, index) => {
      const { pickupS } = arrivalOf(times[free.length + index] ?? null, drop, pickup)
      return { id, location: drop, freeS, arrivalS: freeS + pickupS }
    }),
    // The index may not know yet that a driver is on a trip.
    ...out.flatMap((driver) => (ending.some(({ id }) => id === driver.id) ? [] : { ...driver, arrivalS: 0 })),
  ]
  const { bookingDate } = booking
  const waitedS = (now - Math.max(bookingDate, waitingSince(booking, dispatch))) / 1000
  const { wave, excluded_drivers: excluded } = booking
  const plan = planWave({ pickup, wave, asked, excluded, now, waitedS }, candidates, settings)
  return { plan, arrivals }
}

/** The number of the rider's other trips in dispatch: immediate ones, and later ones due before this one. */
export async function othersSearching(
  { store }: Pick<WaveDeps, 'store'>,
  booking: Parameters<WaveDeps['store']['othersSearching']>[0],
): Promise<number> {
  return !booking.bookLater || booking.booking_type_admin ? 0 : store.othersSearching(booking)
}
