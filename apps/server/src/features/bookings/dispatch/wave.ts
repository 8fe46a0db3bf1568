import type { Booking } from '@hansom/domain/bookings/booking'
import { maySearch } from '@hansom/domain/bookings/new-booking'
import { dispatchAt, isDispatchDue } from '@hansom/domain/dispatch/timing'
import { planWave, searchRadiusKm } from '@hansom/domain/dispatch/waves'
import { Refusal } from '@hansom/domain/error-keys'
import type { DriverIndex } from '../../../adapters/driver-index/port.ts'
import type { Maps } from '../../../adapters/maps/port.ts'
import type { CurrentSettings } from '../../settings/service.ts'
import { type CommandDeps, runCommand } from '../run-command.ts'
import { activeRequests, type LoadedFacts, type RequestRow } from '../store/read-bookings.ts'
import type { SharedDrivers } from '../tracking/shared-drivers.ts'
import { arrivalOf, findCandidates } from './find-candidates.ts'

export interface WaveDeps extends CommandDeps {
  maps: Maps
  driverIndex: DriverIndex
  drivers: Pick<SharedDrivers, 'readAround' | 'isCurrent'>
  /** When this server started to receive positions: epoch ms, and on the scale of `Clock.elapsed`. */
  startedAt: number
  startedElapsed: number
}

/** The outcome of a wave: drivers asked, no driver found, stale job, or retry at `at`. */
export type WaveOutcome = { kind: 'asked' | 'no_driver' | 'stale' } | { kind: 'early'; at: number }

const system = { role: 'system', id: null } as const
/** Time that drivers have after a server start to report their location, and the retry interval until then, real ms. */
const startupGraceMs = 15_000
const startupRetryMs = 2_000
/** Retry interval while other trips of the same rider are being dispatched, real ms. */
const turnRetryMs = 5_000
/**
 * The nearest by great-circle distance, of whom the soonest are asked: as many times a wave's size, because the soonest
 * are rarely farther down the list, and because some map services charge for every driving time.
 */
const candidatesPerAsked = 3

/**
 * Asks the wave of drivers after `wave`, or cancels the booking when all drivers have been asked. Does nothing when the
 * booking has moved on, so a job that runs twice asks once.
 */
export async function askNextWave(deps: WaveDeps, bookingId: string, wave: number): Promise<WaveOutcome> {
  const settings = await deps.settings.current()
  const facts = await deps.store.facts(bookingId, null, null)
  const now = deps.clock.now()
  if (!facts || facts.booking.status !== 'NEW' || facts.booking.wave !== wave || !settings.autoDispatch) {
    return { kind: 'stale' }
  }
  const { booking, requests } = facts
  if (!isDispatchDue(booking, settings, now)) return { kind: 'early', at: dispatchAt(booking, settings, now) }
  if (wave === 0 && !maySearch(await othersSearching(deps, booking), booking, settings.category)) {
    return { kind: 'early', at: now + turnRetryMs * deps.clock.speed }
  }
  const active = activeRequests(requests, now)
  if (active.length > 0) {
    const until = Math.max(...active.map((request) => request.expires_at ?? 0))
    return until > 0 ? { kind: 'early', at: until } : { kind: 'stale' }
  }

  const asked = requests.map((request) => request.driver_id)
  const readAround = () => deps.drivers.readAround(booking.pickup, searchRadiusKm(settings))
  if (!deps.drivers.isCurrent()) await readAround()
  let { plan, arrivals } = await planNext(deps, booking, asked, settings)
  // No booking ends because of what another server has not told yet.
  if (plan.kind === 'none' && (await readAround()))
    ({ plan, arrivals } = await planNext(deps, booking, asked, settings))
  if (plan.kind === 'wait') return { kind: 'early', at: plan.until }
  if (plan.kind === 'none') {
    const haveReported = haveDriversReported(deps, booking.bookingDate)
    if (!haveReported) return { kind: 'early', at: now + startupRetryMs * deps.clock.speed }
    await unlessMovedOn(
      runCommand(deps, {
        booking: bookingId,
        by: system,
        command: 'find_no_driver',
        input: (read) => refuseIfAsked(deps, read, wave, { command: 'find_no_driver' }),
      }),
    )
    return { kind: 'no_driver' }
  }

  const rows = plan.drivers.map(
    (driver): RequestRow => ({
      booking_id: bookingId,
      driver_id: driver,
      wave: plan.wave,
      requested_at: now,
      expires_at: plan.next_at,
      ...(arrivals.get(driver) as ReturnType<typeof arrivalOf>),
    }),
  )
  await unlessMovedOn(
    runCommand(deps, {
      booking: bookingId,
      by: system,
      command: 'request_drivers',
      input: (read) =>
        refuseIfAsked(deps, read, wave, {
          command: 'request_drivers',
          drivers: plan.drivers,
          wave: plan.wave,
          next_at: plan.next_at,
        }),
      requests: (_read, { effects }) => {
        const asking = effects.flatMap((effect) => (effect.kind === 'ask_drivers' ? effect.drivers : []))
        return rows.filter((row) => asking.includes(row.driver_id))
      },
    }),
  )
  return { kind: 'asked' }
}

/** Plans the next wave, with the arrival of each candidate by id. */
async function planNext(
  deps: WaveDeps,
  booking: Booking,
  asked: readonly string[],
  settings: CurrentSettings,
) {
  const candidates = await findCandidates(
    deps,
    {
      pickup: booking.pickup,
      car_type_id: booking.car_type_id,
      payment_mode: booking.payment_mode,
      count: candidatesPerAsked * settings.dispatch.waveSize,
      exclude: new Set([...asked, ...booking.excluded_drivers]),
    },
    settings,
  )
  const times = await deps.maps.driveTimes(
    candidates.map(({ location }) => location),
    { lat: booking.pickup.lat, lng: booking.pickup.lng },
  )
  const arrivals = new Map(
    candidates.map(({ id, location }, index) => [
      id,
      arrivalOf(times[index] ?? null, location, booking.pickup),
    ]),
  )
  const plan = planWave(
    {
      pickup: booking.pickup,
      wave: booking.wave,
      asked,
      excluded: booking.excluded_drivers,
      now: deps.clock.now(),
    },
    candidates.map((driver) => ({ ...driver, arrivalS: arrivals.get(driver.id)?.pickupS as number })),
    settings,
  )
  return { plan, arrivals }
}

/** The number of the rider's other trips in dispatch: immediate ones, and later ones due before this one. */
async function othersSearching({ store }: WaveDeps, booking: Booking): Promise<number> {
  return !booking.bookLater || booking.booking_type_admin ? 0 : store.othersSearching(booking)
}

/**
 * The locations of free drivers are kept in memory. Right after a server start, an older booking must not be cancelled
 * before the drivers have had time to report.
 */
function haveDriversReported({ startedAt, startedElapsed, clock }: WaveDeps, bookedAt: number): boolean {
  return bookedAt >= startedAt || clock.elapsed() - startedElapsed >= startupGraceMs * clock.speed
}

/** Refuses if another process has already asked this wave, or an admin has assigned a driver meanwhile. */
function refuseIfAsked<T>(
  { clock }: WaveDeps,
  { booking, requests }: LoadedFacts,
  wave: number,
  input: T,
): T {
  const isAsked = booking.wave !== wave || activeRequests(requests, clock.now()).length > 0
  if (isAsked) throw new Refusal('wrong_status')
  return input
}

/** Ignores wrong_status: a driver accepted or the rider cancelled in the meantime. */
async function unlessMovedOn(command: Promise<unknown>): Promise<void> {
  try {
    await command
  } catch (error) {
    if (!(error instanceof Refusal) || error.key !== 'wrong_status') throw error
  }
}
