import { safetyTopic } from '@hansom/contract/live'
import type { SafetyState } from '@hansom/contract/safety'
import { type Actor, relationTo } from '@hansom/domain/access/relation'
import { partiesOf } from '@hansom/domain/access/visible-booking'
import { Refusal } from '@hansom/domain/error-keys'
import type { LatLng } from '@hansom/domain/geo/point'
import type { SafetyCheck } from '@hansom/domain/safety/checks'
import {
  askedBy,
  closingPerson,
  countsPanic,
  effectOfAnswer,
  type SafetyAnswer,
  type TripPerson,
} from '@hansom/domain/safety/event'
import { uuidv7 } from 'uuidv7'
import { z } from 'zod'
import type { Transaction } from '../../platform/database/transaction.ts'
import { authorOf, type Os, signedIn } from '../../platform/http/implement.ts'
import { channelName } from '../../platform/live/channels.ts'
import { idempotent } from '../../platform/outbox/idempotency.ts'
import { bookingChanged, readBookingChange } from '../bookings/booking-changed-event.ts'
import { type AlarmsService, createAlarms } from './alarms.ts'
import type { SafetyDeps } from './deps.ts'
import { announce, raiseAlarm, safetyChanged } from './raise-alarm.ts'
import {
  closeQuestions,
  type EventRow,
  insertEvent,
  insertMoment,
  lockEvent,
  lockPanic,
  makeAlarm,
  readOpenEvents,
} from './store.ts'
import { createSafetyScan, scanEveryS } from './watch-trips.ts'

/** Help during a trip: the questions to its people, the panic button, and the alarms of the admins. */
export interface SafetyService extends AlarmsService {
  /** What the actor sees of the booking's question and alarm. Throws not_found for strangers. */
  state(actor: Actor, booking: string): Promise<SafetyState>
  /** Answers a question. Throws not_found for one that the actor is not asked. */
  answer(actor: Actor, booking: string, event: string, answer: SafetyAnswer): Promise<SafetyState>
  /** Raises or repeats the alarm of a booking and returns its id. Throws not_found, wrong_status. */
  panic(actor: Actor, booking: string, position: LatLng | null, key: string | null): Promise<string>
  /** Checks all started trips, and alerts the admins of unanswered questions. */
  scan(): Promise<void>
}

/** Repeats of a panic button that are stored with their position. */
const maxRepeats = 100

/** Defines its job and its live topic. */
export function createSafetyService(deps: SafetyDeps): SafetyService {
  const { database, clock, outbox, bookings, tracking, settings } = deps

  /** The booking, and which of its people the actor is. Throws not_found. */
  const find = async (actor: Actor | null, id: string) => {
    const record = actor?.approved ? await bookings.get(actor, id) : null
    const relation = record && relationTo(partiesOf(record), actor)
    if (!record || (relation !== 'rider' && relation !== 'driver')) throw new Refusal('not_found')
    return { record, person: relation }
  }

  const stateOf = async (booking: string, person: TripPerson, user: string): Promise<SafetyState> => {
    const { category } = await settings.current()
    const open = await readOpenEvents(database.pool, booking)
    const question = open.find(
      ({ state, kind }) => state === 'asked' && kind !== 'panic' && askedBy(kind, category).includes(person),
    )
    // An alarm that the other one raised is not shown: it could put them in danger.
    const alarm = open.find(
      ({ state, raisers }) =>
        state === 'alarm' &&
        (raisers.includes(user) || (raisers.length === 0 && person === closingPerson(category))),
    )
    return {
      question: question
        ? {
            id: question.id,
            kind: question.kind as SafetyCheck,
            at: question.opened_at,
            answer: person === 'rider' ? question.rider_answer : question.driver_answer,
          }
        : null,
      alarm: alarm
        ? { at: alarm.alarm_at ?? alarm.opened_at, acknowledged: alarm.acknowledged_at !== null }
        : null,
    }
  }

  const scan = createSafetyScan(deps)
  deps.jobs.define(
    'safety.scan',
    { schema: z.object({}), repeat: { everyS: scanEveryS, data: {} }, concurrency: 1 },
    scan,
  )

  outbox.onBatch(bookingChanged, async (events, tx) => {
    const ended = events
      .map(({ payload }) => readBookingChange(payload))
      .filter(({ from, to }) => from === 'STARTED' && to !== 'STARTED')
      .map(({ booking }) => booking)
    if (ended.length === 0) return
    const closed = await closeQuestions(tx.client, ended, {
      closing: 'trip_end',
      kind: null,
      now: clock.now(),
    })
    await announce(deps, tx, closed, false)
  })

  const channelOf = (booking: string, person: TripPerson) => channelName(safetyTopic(booking), person)
  deps.topics.register('safety', {
    authorize: async (actor, id) => {
      if (id === null || actor === null) return null
      const found = await find(actor, id).catch((error: unknown) => {
        if (error instanceof Refusal) return null
        throw error
      })
      return found && { channel: channelOf(id, found.person) }
    },
    snapshot: async (actor, id) => {
      if (id === null || actor === null) throw new Refusal('not_found')
      return stateOf(id, (await find(actor, id)).person, actor.id)
    },
  })
  outbox.onBatch(safetyChanged, async (events) => {
    for (const booking of new Set(events.map(({ payload }) => payload.booking as string))) {
      const { customer, driver } = (await bookings.read(booking))?.booking ?? {}
      if (customer) deps.hub.publish(channelOf(booking, 'rider'), await stateOf(booking, 'rider', customer))
      if (driver) deps.hub.publish(channelOf(booking, 'driver'), await stateOf(booking, 'driver', driver))
    }
  })

  return {
    ...createAlarms(deps),
    scan,
    state: async (actor, id) => stateOf(id, (await find(actor, id)).person, actor.id),

    async answer(actor, booking, event, answer) {
      const { person, record } = await find(actor, booking)
      const { category } = await settings.current()
      await database.withTransaction(async (tx) => {
        const row = await lockEvent(tx.client, event)
        const isAsked =
          row?.booking_id === booking && row.kind !== 'panic' && askedBy(row.kind, category).includes(person)
        if (!isAsked) throw new Refusal('not_found')
        const column = person === 'rider' ? 'rider_answer' : 'driver_answer'
        const now = clock.now()
        const effect = effectOfAnswer(row, answer, person, { category, now })
        if (effect === 'late' || row[column] === answer) return
        await tx.client.query(`update safety_events set ${column} = $2 where id = $1`, [event, answer])
        await insertMoment(tx.client, { event, at: now, what: answer, by: actor.id })
        if (effect === 'close') {
          await closeQuestions(tx.client, [booking], { closing: 'answer', kind: row.kind, now })
        }
        if (effect === 'alarm') {
          await makeAlarm(tx.client, event, now)
          await raiseAlarm(deps, tx, row, record.booking.booking_id, now)
        }
        await announce(deps, tx, [row], row.state === 'alarm' || effect === 'alarm')
      })
      return stateOf(booking, person, actor.id)
    },

    async panic(actor, id, position, key) {
      const { record } = await find(actor, id)
      const { booking } = record
      const now = clock.now()
      const endedAt = booking.trip_end_time ?? booking.closed_at
      const current = await settings.current()
      if (!countsPanic({ status: booking.status, endedAt }, current, now) || booking.driver === null) {
        throw new Refusal('wrong_status')
      }
      const { driver, fleetadmin } = booking
      // The car's position is looked up outside the transaction; the alarm does not need it.
      const latest = position ? { ...position, at: now } : await tracking.latestOf(record).catch(() => null)
      const point = latest && { lat: latest.lat, lng: latest.lng, at: latest.at }
      const command = { user: actor.id, command: 'safety.panic', key, body: { id }, at: now }
      return database.withTransaction((tx) =>
        idempotent(tx, command, async () => {
          // One at a time, so that both people's alarms become one.
          await tx.client.query(`select pg_advisory_xact_lock(hashtextextended('panic ' || $1, 0))`, [id])
          const open = await lockPanic(tx.client, id)
          if (open) {
            await repeat(tx, open, { at: now, by: actor.id, point: position ? point : null })
            await announce(deps, tx, [open], true)
            return open.id
          }
          const row = { id: uuidv7(), booking_id: id, kind: 'panic' as const, driver, fleetadmin }
          await insertEvent(tx.client, { ...row, raised_by: actor.id, at: now, answer_by: null, point })
          await insertMoment(tx.client, { event: row.id, at: now, what: 'raised', by: actor.id, point })
          await raiseAlarm(deps, tx, row, booking.booking_id, now)
          await announce(deps, tx, [row], true)
          return row.id
        }),
      )
    },
  }
}

/** Adds to an open panic alarm. The newest position of a phone replaces the known one. */
async function repeat(
  { client }: Transaction,
  { id }: Pick<EventRow, 'id'>,
  { at, by, point }: { at: number; by: string; point: (LatLng & { at: number }) | null },
): Promise<void> {
  const { rows } = await client.query<{ repeats: number }>(
    `select count(*)::int as repeats from safety_moments where event_id = $1 and what = 'repeated'`,
    [id],
  )
  if ((rows[0]?.repeats ?? 0) < maxRepeats) {
    await insertMoment(client, { event: id, at, what: 'repeated', by, point })
  }
  if (point === null) return
  await client.query('update safety_events set lat = $2, lng = $3, point_at = $4 where id = $1', [
    id,
    point.lat,
    point.lng,
    point.at,
  ])
}

export function safetyRoutes({ safety: os }: Os, safety: SafetyService) {
  return {
    state: os.state.use(signedIn).handler(({ context: { actor }, input }) => safety.state(actor, input.id)),
    answer: os.answer
      .use(signedIn)
      .handler(({ context: { actor }, input }) => safety.answer(actor, input.id, input.event, input.answer)),
    panic: os.panic.use(signedIn).handler(async ({ context, input: { id, position } }) => ({
      alarm: await safety.panic(context.actor, id, position ?? null, authorOf(context).key),
    })),
    list: os.list.use(signedIn).handler(async ({ context: { actor }, input }) => ({
      alarms: await safety.list(actor, input.state),
    })),
    seen: os.seen.use(signedIn).handler(({ context: { actor }, input }) => safety.seen(actor, input.id)),
    acknowledge: os.acknowledge
      .use(signedIn)
      .handler(({ context: { actor }, input }) => safety.acknowledge(actor, input.id)),
    note: os.note
      .use(signedIn)
      .handler(({ context: { actor }, input }) => safety.addNote(actor, input.id, input.note)),
    resolve: os.resolve
      .use(signedIn)
      .handler(({ context: { actor }, input }) => safety.resolve(actor, input.id, input.note)),
  }
}
