import type { Extra } from '../fare/fare.ts'
import type { LatLng } from '../geo/point.ts'
import type { Amount } from '../money/amount.ts'
import type { place, TypeOf } from '../shape.ts'

/** A point and its street address. */
type Place = TypeOf<typeof place>

export const stopKinds = ['pickup', 'drop', 'return'] as const
export type StopKind = (typeof stopKinds)[number]

/** Why a recipient was not informed: too many messages that day, or no message reaches them. */
export const informProblems = ['limit', 'failed'] as const
export type InformProblem = (typeof informProblems)[number]

/** How a stop ended. `not_done`: an admin ended the delivery before the courier reported it. */
export const stopOutcomes = ['collected', 'delivered', 'failed', 'returned', 'not_done'] as const
export type StopOutcome = (typeof stopOutcomes)[number]

/** Why a parcel could not be handed over. */
export const dropFailures = ['no_one_there', 'refused', 'wrong_address'] as const
export type DropFailure = (typeof dropFailures)[number]

export const stopOrders = ['given', 'best'] as const
export type StopOrder = (typeof stopOrders)[number]

/** Where the fee of a cash delivery is collected: from the sender at the pickup, or from the recipient at the last drop. */
export const cashPlaces = ['pickup', 'drop'] as const
export type CashPlace = (typeof cashPlaces)[number]

/** Kinds of stored proof; each is an image. */
export const proofKinds = ['photo', 'signature'] as const
export type ProofKind = (typeof proofKinds)[number]

/**
 * A stop of a delivery, a row of the table: 0 is the pickup, then the drops in visiting order, then the return stop if a
 * drop failed. Times are epoch ms.
 */
export interface DeliveryStop {
  n: number
  kind: StopKind
  place: Place
  /** The recipient, for drops; the sender otherwise. */
  person: string
  phone: string
  email: string | null
  instructions: string | null
  /** What the sender wrote before the recipient changed it: '' for nothing, null while the recipient has not changed it. */
  sender_instructions: string | null
  /** Why a message did not reach the recipient. */
  not_informed: InformProblem | null
  window_from: number | null
  window_to: number | null
  planned_at: number
  /** The stop's part of the fare. */
  share: Amount
  /** Four digits that the recipient tells at the door; null if none is needed. */
  code: string | null
  code_tries: number
  code_blocked_until: number | null
  /** Null until the courier reports it. */
  outcome: StopOutcome | null
  failure: DropFailure | null
  done_at: number | null
  /** Where the courier was then. */
  done_location: LatLng | null
  received_by: string | null
  /** The recipient could not sign where signatures are required: the name stands for the signature. */
  unsigned: boolean
  /** Reported as failed without a position, or from afar. */
  unseen: boolean
  /** The label's text as scanned. */
  scanned: string | null
}

/** A stop with the times at which its proofs were uploaded; null for those that were not. */
export interface StopWithProofs extends DeliveryStop {
  photo: number | null
  signature: number | null
}

/** The price of driving back from the last drop to the pickup; see `returnCost`. */
export interface ReturnLeg {
  distanceKm: number
  durationS: number
  cost: Amount
  convenience_fees: Amount
  driver_share: Amount
}

/** What a booking of the delivery category has in addition: a row of the table. */
export interface DeliveryRecord {
  parcel_type: Extra | null
  option: Extra | null
  stop_order: StopOrder
  cash_at: CashPlace | null
  /** Due from the sender once a drop has failed. */
  return_leg: ReturnLeg
}

export interface Delivery extends DeliveryRecord {
  stops: readonly StopWithProofs[]
}

/** Most drops of one booking. */
export const maxDrops = 20

/** Most recipients that a sender may save. */
export const maxRecipients = 2_000

/** Most labels in one PDF file: they are written in about 3 s, for which other files wait. */
export const maxLabels = 100

export const deliveryLimits = { person: 80, phone: 30, instructions: 300, email: 254 } as const

/** The drops, in visiting order. */
export function dropsOf<S extends Pick<DeliveryStop, 'kind'>>({ stops }: { stops: readonly S[] }): S[] {
  return stops.filter(({ kind }) => kind === 'drop')
}

/** The stop that the courier drives to next: the first drop without an outcome, then the return stop. */
export function nextStop<S extends Pick<DeliveryStop, 'kind' | 'outcome'>>(
  delivery: { stops: readonly S[] } | null,
): S | null {
  return delivery?.stops.find(({ kind, outcome }) => kind !== 'pickup' && outcome === null) ?? null
}

type TimedStop = Pick<DeliveryStop, 'n' | 'planned_at' | 'window_from' | 'done_at'>

/**
 * When the courier is expected at an open stop, epoch ms: what the last stop with an outcome was early or late carries over
 * to the next ones. A courier who is early waits for the window to open, and a planned wait makes up for a delay. An overdue
 * stop is expected `now`, which delays the later ones. `seen`, the arrival at the first open stop as calculated from the
 * courier's position, replaces its planned time.
 */
export function expectedAt(
  { stops }: { stops: readonly TimedStop[] },
  { n }: { n: number },
  now: number,
  seen: number | null = null,
): number {
  const opensAt = (at: number, { window_from }: TimedStop) => Math.max(at, window_from ?? at)
  const done = stops.flatMap((stop) => (stop.done_at === null ? [] : [{ ...stop, done_at: stop.done_at }]))
  const last = done.reduce<(typeof done)[number] | null>(
    (latest, stop) => (stop.done_at > (latest?.done_at ?? 0) ? stop : latest),
    null,
  )
  const earliest = Math.max(last?.done_at ?? 0, now)
  let delay = last ? last.done_at - opensAt(last.planned_at, last) : 0
  let expected = 0
  let arrival = seen
  for (const stop of stops) {
    if (stop.done_at !== null || stop.n > n) continue
    expected = opensAt(Math.max(arrival ?? stop.planned_at + delay, earliest), stop)
    arrival = null
    delay = expected - opensAt(stop.planned_at, stop)
  }
  return expected
}

/** The text on a stop's label: its booking and number. */
export function labelText(booking_id: string, n: number): string {
  return `${booking_id}-${n}`
}
