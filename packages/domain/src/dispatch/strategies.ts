import { greatCircleKm, type LatLng } from '../geo/point.ts'

/**
 * How drivers are chosen for a booking: all within the radius at once, the soonest in widening waves, one after the
 * other, or by matching all waiting riders with all free drivers every few seconds.
 */
export const strategies = ['broadcast', 'waves', 'nearest', 'batch'] as const
export type Strategy = (typeof strategies)[number]

/** A strategy with its figures. */
export interface StrategyFigures {
  strategy: Strategy
  /** Most drivers of a wave. */
  waveSize: number
  /** How long a driver may answer, s. */
  waveSeconds: number
  /** Radius of the first wave in the city's unit; each further wave widens by half up to driverRadius. */
  firstRadius: number
  /** Time between two matchings, s. */
  batchSeconds: number
  /** Driving time that a minute of a rider's waiting is worth where riders compete for drivers, s. */
  ageing: number
  /** Driving time that an hour without a trip is worth to a driver, s; 0 ignores it. */
  fairness: number
  /** Drivers whose trip ends within this time count, too, min; 0 counts free drivers only. */
  soonFreeMinutes: number
}

type FigureName = Exclude<keyof StrategyFigures, 'strategy'>

/** The figures that decide with each strategy; with others in place, it chooses the same drivers. */
export const figuresOf: Readonly<Record<Strategy, readonly FigureName[]>> = {
  broadcast: ['waveSeconds', 'soonFreeMinutes'],
  waves: ['waveSeconds', 'waveSize', 'firstRadius', 'fairness', 'soonFreeMinutes'],
  nearest: ['waveSeconds', 'fairness', 'soonFreeMinutes'],
  batch: ['waveSeconds', 'batchSeconds', 'ageing', 'fairness', 'soonFreeMinutes'],
}

/** Why a driver cannot be asked at all. */
export const exclusions = ['asked_before', 'declined', 'debt', 'other_request', 'unavailable'] as const
export type Exclusion = (typeof exclusions)[number]

/** Why a driver who could be asked was not. */
const passes = ['sooner_first', 'beyond_radius', 'other_rider', 'not_free_yet'] as const

/** What a decision did with a driver: `offered`, passed over, or excluded. */
export const decisionReasons = ['offered', ...passes, ...exclusions] as const
export type DecisionReason = (typeof decisionReasons)[number]
export type DecisionOutcome = 'offered' | 'passed_over' | 'excluded'

/** The outcome that a reason explains. */
export function outcomeOf(reason: DecisionReason): DecisionOutcome {
  if (reason === 'offered') return 'offered'
  return (passes as readonly string[]).includes(reason) ? 'passed_over' : 'excluded'
}

/** A driver near a pickup. */
export interface Candidate {
  id: string
  location: LatLng
  /** Driving time to the pickup, s, including `freeS`. */
  arrivalS: number
  /** Until the driver is free, s; 0 for a free one. */
  freeS?: number
  /** Since the driver's last trip, s. */
  idleS?: number
  /** Set when the driver cannot be asked. */
  excluded?: Exclusion
}

/** A driver whom a decision considered. */
export interface ConsideredDriver {
  id: string
  reason: DecisionReason
  /** Great-circle distance to the pickup. */
  km: number
  arrivalS: number
  freeS: number
  idleS: number
}

/** Drivers that a decision records by name: those it asks, then the nearest. */
export const mostConsidered = 30

/** The drivers whom a decision considered: some by name, and the number with each reason. */
export interface Considered {
  drivers: ConsideredDriver[]
  counts: Partial<Record<DecisionReason, number>>
}
/** Idle time counts up to this, so that a driver parked all day does not outrank everyone, s. */
export const mostIdleS = 4 * 3600

/** What a driver costs a rider, s: the time until the driver is there, less what idle time is worth. */
export function costS(
  { arrivalS, idleS = 0 }: Pick<Candidate, 'arrivalS' | 'idleS'>,
  { fairness }: Pick<StrategyFigures, 'fairness'>,
): number {
  return arrivalS - (fairness * Math.min(mostIdleS, Math.max(0, idleS))) / 3600
}

/** True while a rider may wait for a driver who ends a trip: not forever, because a trip may last longer than expected. */
export function mayAwaitDriver(waitedS: number, { soonFreeMinutes }: StrategyFigures): boolean {
  return waitedS < soonFreeMinutes * 60
}

/** The candidates as a decision records them, each with its reason. */
export function considered(
  pickup: LatLng,
  candidates: readonly Candidate[],
  reasonOf: (candidate: Candidate, km: number) => DecisionReason,
): Considered {
  const counts: Considered['counts'] = {}
  const drivers = candidates
    .map((candidate) => {
      const { id, location, arrivalS, freeS = 0, idleS = 0 } = candidate
      const km = greatCircleKm(pickup, location)
      return { id, reason: reasonOf(candidate, km), km, arrivalS, freeS, idleS }
    })
    .sort(
      (a, b) =>
        Number(b.reason === 'offered') - Number(a.reason === 'offered') ||
        a.km - b.km ||
        (a.id < b.id ? -1 : 1),
    )
  for (const { reason } of drivers) counts[reason] = (counts[reason] ?? 0) + 1
  return { drivers: drivers.slice(0, mostConsidered), counts }
}
