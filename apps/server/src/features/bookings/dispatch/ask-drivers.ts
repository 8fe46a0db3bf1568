import { figuresAt, type RuleFields } from '@hansom/domain/dispatch/rules'
import type { StrategyFigures } from '@hansom/domain/dispatch/strategies'
import { Refusal } from '@hansom/domain/error-keys'
import type { LatLng } from '@hansom/domain/geo/point'
import type { DriverIndex } from '../../../adapters/driver-index/port.ts'
import type { Maps } from '../../../adapters/maps/port.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { CurrentSettings } from '../../settings/service.ts'
import { type CommandDeps, runCommand } from '../run-command.ts'
import { activeRequests, type LoadedFacts, type RequestRow } from '../store/read-bookings.ts'
import type { SharedDrivers } from '../tracking/shared-drivers.ts'
import type { DispatchFacts } from './dispatch-facts.ts'
import type { arrivalOf } from './find-candidates.ts'

export interface WaveDeps extends CommandDeps {
  log: Pick<Log, 'error'>
  maps: Maps
  driverIndex: DriverIndex
  drivers: Pick<SharedDrivers, 'readAround' | 'isCurrent'>
  dispatchFacts: DispatchFacts
  /** The rules of dispatch by hour and area. */
  dispatchRules: { current(): Promise<readonly RuleFields[]> }
  /** When this server started to receive positions: epoch ms, and on the scale of `Clock.elapsed`. */
  startedAt: number
  startedElapsed: number
}

const system = { role: 'system', id: null } as const
/** Time that drivers have after a server start to report their location, and the retry interval until then, real ms. */
const startupGraceMs = 15_000
export const startupRetryMs = 2_000

/** How drivers are chosen for a pickup now: the settings with the figures that hold there, and the rule they are from. */
export async function strategyAt(
  deps: Pick<WaveDeps, 'dispatchRules'>,
  pickup: LatLng,
  settings: CurrentSettings,
  now: number,
): Promise<{ rule: string | null; figures: StrategyFigures; settings: CurrentSettings }> {
  const { rule, figures } = figuresAt(await deps.dispatchRules.current(), pickup, now, settings)
  return {
    rule: rule?.name ?? null,
    figures,
    settings: { ...settings, dispatch: { ...settings.dispatch, ...figures } },
  }
}

interface Ask {
  booking: string
  /** The waves so far. */
  before: number
  wave: number
  drivers: readonly string[]
  next_at: number
  arrivals: ReadonlyMap<string, ReturnType<typeof arrivalOf>>
}

/** Asks drivers for a booking; false if it has moved on, so that a job that runs twice asks once. */
export function askDrivers(
  deps: WaveDeps,
  { booking, before, wave, drivers, next_at, arrivals }: Ask,
): Promise<boolean> {
  const now = deps.clock.now()
  const rows = drivers.map(
    (driver): RequestRow => ({
      booking_id: booking,
      driver_id: driver,
      wave,
      requested_at: now,
      expires_at: next_at,
      ...(arrivals.get(driver) as ReturnType<typeof arrivalOf>),
    }),
  )
  return unlessMovedOn(
    runCommand(deps, {
      booking,
      by: system,
      command: 'request_drivers',
      input: (read) =>
        refuseIfAsked(deps, read, before, {
          command: 'request_drivers',
          drivers: [...drivers],
          wave,
          next_at,
        }),
      requests: (_read, { effects }) => {
        const asking = effects.flatMap((effect) => (effect.kind === 'ask_drivers' ? effect.drivers : []))
        return rows.filter((row) => asking.includes(row.driver_id))
      },
    }),
  )
}

/** Cancels a booking that no driver can serve; false if it has moved on. */
export function findNoDriver(deps: WaveDeps, booking: string, before: number): Promise<boolean> {
  return unlessMovedOn(
    runCommand(deps, {
      booking,
      by: system,
      command: 'find_no_driver',
      input: (read) => refuseIfAsked(deps, read, before, { command: 'find_no_driver' }),
    }),
  )
}

/**
 * The locations of free drivers are kept in memory. Right after a server start, an older booking must not be cancelled
 * before the drivers have had time to report.
 */
export function haveDriversReported(
  { startedAt, startedElapsed, clock }: WaveDeps,
  bookedAt: number,
): boolean {
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

/** False for wrong_status: a driver accepted or the rider cancelled in the meantime. */
async function unlessMovedOn(command: Promise<unknown>): Promise<boolean> {
  try {
    await command
    return true
  } catch (error) {
    if (!(error instanceof Refusal) || error.key !== 'wrong_status') throw error
    return false
  }
}
