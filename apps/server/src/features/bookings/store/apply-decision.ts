import type { RouteName } from '@hansom/domain/access/routes'
import type { Booking } from '@hansom/domain/bookings/booking'
import type { Created } from '@hansom/domain/bookings/create'
import type { BookingEvent, Effect, OtherTripSettled } from '@hansom/domain/bookings/decision'
import type { OpenBookings } from '@hansom/domain/bookings/new-booking'
import type { Delivery, StopWithProofs } from '@hansom/domain/deliveries/delivery'
import type { Entry } from '@hansom/domain/wallet/ledger'
import type { Pool, PoolClient } from 'pg'
import { uuidv7 } from 'uuidv7'
import { auditJson, insertAudit } from '../../../platform/audit/audit.ts'
import { postgresError } from '../../../platform/database/postgres-errors.ts'
import { storeOrigin } from '../../../platform/log/origin.ts'
import type { NewEvent } from '../../../platform/outbox/event.ts'
import { type DecisionRows, type Statement, stepStatement } from './apply-step.ts'
import {
  bookingJson,
  eventJson,
  type KeptRefusal,
  type RequestRow,
  requestJson,
  trackingJson,
} from './read-bookings.ts'

/**
 * The counts of a rider's open bookings. `due` is the latest tripdate for which later trips are dispatched; `promo` is
 * the requested promo.
 */
export interface CountedRider {
  customer: string
  due: number
  promo: string | null
  counts: RiderCounts
}

export interface RiderCounts extends OpenBookings {
  promo_uses: number
}

/** Everything that one commit writes. */
export interface Application {
  /** The booking of the decision as read; a new one if `isNew`. */
  booking: Booking
  isNew: boolean
  /** Bookings that the same request makes. */
  together?: readonly Created[]
  changes: Partial<Booking>
  /** The delivery of a new booking. */
  delivery?: Delivery | null
  /** Stops of the delivery that have changed or are new. */
  stops?: readonly StopWithProofs[]
  /** Other bookings paid by the same money. */
  also: readonly OtherTripSettled[]
  entries: readonly Entry[]
  effects: readonly Effect[]
  event: BookingEvent
  /** Rows for the drivers who are asked. */
  requests: readonly RequestRow[]
  /** Users whose wallet balance must not end below zero. */
  mustStayNonNegative: readonly string[]
  /** The driver whose request must still be active. */
  answeredBy: string | null
  /** The client's key; a repeated request gets the booking as its response, or `result`. */
  idempotency: { scope: string; body_hash: string; result?: KeptRefusal } | null
  outboxEvents: readonly NewEvent[]
  /** Counts of the rider's bookings that must be unchanged at commit; null if none were used. */
  assumedCounts: CountedRider | null
  /** Refuse while an attempt to pay the booking is in progress. */
  unlessPaying: boolean
  /** What was returned to the rider as far as the decision knows; null if it does not depend on it. */
  assumedReturned: number | null
}

/** Optimistic lock failed: reload the facts and decide again. */
export class LostRace extends Error {
  /** PostgreSQL's detail of a ledger key that is already used; it names the key. */
  readonly usedKey: string | undefined
  constructor(code: string, usedKey?: string) {
    super(`facts have changed (${code})`)
    this.name = 'LostRace'
    this.usedKey = usedKey
  }
}

/** Error codes raised by our database function, and constraints that only a race can violate. */
const raceCodes = [
  'HN001',
  'HN002',
  'HN003',
  'HN004',
  'HN005',
  'HN006',
  'HN007',
  'HN020',
  'HN021',
  'HN022',
  'HN023',
]
const ledgerKeyUnique = 'ledger_entries_key_unique'
const raceConstraints = [
  'bookings_one_trip_a_driver',
  'bookings_rebooked_once',
  'bookings_booking_id_unique',
  'call_lines_pkey',
  ledgerKeyUnique,
  'user_ratings_booking_id_user_id_pk',
]

/** Writes the decision in one statement. Throws LostRace, without writing, if the facts have changed. */
export async function applyDecision(queries: Pool | PoolClient, application: Application): Promise<void> {
  try {
    await queries.query(statementOf(application))
  } catch (error) {
    const found = postgresError(error)
    const isRace =
      found &&
      (raceCodes.includes(found.code) ||
        found.code === '40P01' ||
        (found.code === '23505' && raceConstraints.includes(found.constraint ?? '')))
    if (!isRace) throw error
    throw new LostRace(
      found.constraint ?? found.code,
      found.constraint === ledgerKeyUnique ? found.detail : undefined,
    )
  }
}

function statementOf(application: Application): Statement {
  const { booking, event, assumedCounts, unlessPaying, assumedReturned } = application
  const rows = decisionJson(application)
  const audited = [application, ...togetherOf(application)].flatMap(auditRows)
  const isPlain = audited.length === 0 && !assumedCounts && !unlessPaying && assumedReturned === null
  const step = isPlain ? stepStatement(event.command, rows) : null
  return (
    step ?? {
      name: 'apply-booking-decision',
      text: `with ${insertAudit('$2')}
        select expect_rider_counts($3::jsonb), apply_booking_decision($1::jsonb), expect_no_attempt($4::uuid),
          expect_returned($5::uuid, $6::int8)`,
      values: [
        JSON.stringify(rows),
        JSON.stringify(audited),
        assumedCounts && JSON.stringify(assumedCounts),
        unlessPaying ? booking.id : null,
        booking.id,
        assumedReturned,
      ],
    }
  )
}

function decisionJson(application: Application): DecisionRows {
  const { booking, isNew, together = [], changes, also, entries, effects, event, idempotency } = application
  const now = event.at
  const rebooked = effects.flatMap((effect) => (effect.kind === 'rebook' ? [effect.booking] : []))
  const inserted = isNew ? [booking, ...together.map((one) => one.booking), ...rebooked] : rebooked
  const inLockOrder = [...also].sort((a, b) => (a.booking.id < b.booking.id ? -1 : 1))
  return {
    now,
    ...(idempotency && { idempotency: { ...idempotency, at: now, result_id: booking.id } }),
    ...(inserted.length > 0 && { insert: inserted.map((one) => bookingJson.write(one)) }),
    changes: [...(isNew ? [] : [{ booking, changes }]), ...inLockOrder].map((one) => ({
      id: one.booking.id,
      version: one.booking.version,
      set: bookingJson.write(one.changes),
    })),
    ...(entries.length > 0 && {
      entries: entries.map((entry) =>
        storeOrigin({ ...entry, id: uuidv7(), at: now, currency: booking.currency, by: event.by.id }),
      ),
      floored: application.mustStayNonNegative,
    }),
    ...(application.answeredBy !== null && {
      answered: { booking_id: booking.id, driver_id: application.answeredBy },
    }),
    ...effectsJson(application),
    ...deliveriesJson(application),
    events: [
      historyRow(booking.id, isNew ? booking.version : booking.version + 1, event),
      ...rebooked.map(({ id, version, status }) =>
        historyRow(id, version, { ...event, command: 'create', from: null, to: status }),
      ),
      ...together.map((one) => historyRow(one.booking.id, one.booking.version, one.event)),
      ...also.map((one) => historyRow(one.booking.id, one.booking.version + 1, one.event)),
    ],
    outbox: application.outboxEvents.map((one) => ({ ...one, payload: storeOrigin(one.payload) })),
  }
}

/** A row of a booking's history: the event that led to `version`. */
function historyRow(booking_id: string, version: number, { by, ...event }: BookingEvent) {
  return eventJson.write({ booking_id, version, actor: by.role, by_user: by.id, ...event })
}

/** New deliveries with their stops, and changed stops. */
function deliveriesJson({ booking, isNew, delivery, together = [], effects, stops = [] }: Application) {
  const made = [
    ...(isNew ? [{ booking, delivery: delivery ?? null }, ...together] : []),
    ...effects.flatMap((effect) => (effect.kind === 'rebook' ? [effect] : [])),
  ].flatMap(({ booking: { id }, delivery: one }) => (one ? [{ booking_id: id, ...one }] : []))
  const changed = [{ booking_id: booking.id, stops }, ...made].flatMap(({ booking_id, stops: some }) =>
    some.map(({ photo: _photo, signature: _signature, ...stop }) => ({ booking_id, ...stop })),
  )
  return {
    ...(made.length > 0 && { deliveries: made.map(({ stops: _stops, ...record }) => record) }),
    ...(changed.length > 0 && { stops: changed }),
  }
}

/** The effects that belong in the commit itself; the others go to the outbox. */
function effectsJson({
  booking,
  effects,
  event,
  requests,
  answeredBy,
}: Application): Record<string, unknown> {
  const json: Record<string, unknown> = {}
  const ratings: object[] = []
  const withdrawn: string[] = []
  const rated = (user_id: string, rated_by: string, rate: number) =>
    ratings.push({ booking_id: booking.id, user_id, rated_by, rate, at: event.at })
  for (const effect of effects) {
    if (effect.kind === 'claim_driver') json.claim = effect.driver
    if (effect.kind === 'free_driver') json.free = effect.driver
    if (effect.kind === 'remove_requests') json.closed = booking.id
    if (effect.kind === 'remove_request' && effect.driver !== answeredBy) withdrawn.push(effect.driver)
    if (effect.kind === 'ask_drivers') json.requests = requests.map((request) => requestJson.write(request))
    if (effect.kind === 'reserve_promo') json.promo_take = effect.promo
    if (effect.kind === 'release_promo') json.promo_give = effect.promo
    if (effect.kind === 'rate_driver') rated(effect.driver, effect.by, effect.rate)
    if (effect.kind === 'rate_rider') rated(effect.rider, effect.by, effect.rate)
    if (effect.kind === 'track_point') {
      const { point, at, status } = effect
      const { lat, lng } = point
      json.tracking = [trackingJson.write({ booking_id: booking.id, at, status, lat, lng })]
    }
  }
  if (ratings.length > 0) json.ratings = ratings
  if (withdrawn.length > 0) json.withdrawn = { booking_id: booking.id, drivers: withdrawn }
  return json
}

/** Booking fields in the audit log; the booking's own history has the rest. */
const auditedFields = [
  'status',
  'customer',
  'driver',
  'carType',
  'bookLater',
  'tripdate',
  'payment_mode',
  'trip_cost',
  'cancellation_fee',
  'reason',
  'cancelledBy',
  'objection',
] as const satisfies readonly (keyof Booking)[]

const adminRoles: readonly string[] = ['admin', 'fleetadmin']

type Audited = Pick<Application, 'booking' | 'isNew' | 'changes' | 'effects' | 'event'>

const togetherOf = ({ together = [] }: Application): Audited[] =>
  together.map((one) => ({ ...one, isNew: true, changes: {} }))

/** The audit log row, if an admin or fleet admin gave the command. */
function auditRows({ booking, isNew, changes, effects, event }: Audited): object[] {
  const { role, id: by } = event.by
  if (by === null || !adminRoles.includes(role)) return []
  const asked = effects.flatMap((effect) => (effect.kind === 'ask_drivers' ? effect.drivers : []))
  const assigned = event.command === 'assign_driver' && asked[0] !== undefined ? { driver: asked[0] } : {}
  const part = (record: Booking) => ({
    ...Object.fromEntries(auditedFields.map((field) => [field, record[field]])),
    pickupAddress: record.pickup.add,
    dropAddress: record.drop.add,
  })
  return auditJson({
    by,
    at: event.at,
    action: `bookings.${event.command}` as RouteName,
    kind: 'booking',
    subject: booking.id,
    label: booking.booking_id,
    before: isNew ? null : part(booking),
    after: part({ ...booking, ...changes, ...assigned, reason: changes.reason ?? event.reason }),
  })
}
