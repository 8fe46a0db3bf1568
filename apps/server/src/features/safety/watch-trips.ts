import { failedChecks, type SafetyCheck, safetyLimits } from '@hansom/domain/safety/checks'
import { answerBy, askedBy, tripEndCloses } from '@hansom/domain/safety/event'
import { uuidv7 } from 'uuidv7'
import { lockBooking, readPeople } from '../bookings/service.ts'
import { type StartedTrip, tripsAtOnce } from '../bookings/tracking/started-trips.ts'
import type { SafetyDeps } from './deps.ts'
import { announce, closeNotices, questionTitle, raiseAlarm } from './raise-alarm.ts'
import {
  closeQuestions,
  insertEvent,
  insertMoment,
  lockDue,
  makeAlarm,
  readAsked,
  readSilent,
} from './store.ts'

/** How often trips are checked, seconds. */
export const scanEveryS = 15
/** A longer pause between two scans means that the server could not receive positions either, ms. */
const brokenMs = 60_000

/**
 * Checks every started trip and asks its people, then alerts the admins of questions without an answer. Repeatable: what one
 * scan misses is found by the next one.
 */
export function createSafetyScan(deps: SafetyDeps): () => Promise<void> {
  const { clock, tracking } = deps
  let scannedAt = Number.NEGATIVE_INFINITY
  let watchedSince = 0
  return async () => {
    const now = clock.now()
    // After a start, an outage or a jump of the clock, silence counts from now.
    if (now - scannedAt > brokenMs || now < scannedAt) watchedSince = now
    await closeResumed(deps, now)
    await alertUnanswered(deps, now)
    let after: string | null = null
    do {
      const trips: StartedTrip[] = await tracking.startedTrips(now, after)
      const failed = trips.map((trip) => ({ trip, checks: failedChecks(trip, now, watchedSince) }))
      await askAll(
        deps,
        failed.filter(({ checks }) => checks.length > 0),
        now,
      )
      after = trips.length < tripsAtOnce ? null : (trips.at(-1)?.booking ?? null)
    } while (after !== null)
    scannedAt = now
  }
}

interface Failed {
  trip: StartedTrip
  checks: readonly SafetyCheck[]
}

/** Asks about each trip at most one question at a time, and the same one only after a pause. */
async function askAll(deps: SafetyDeps, failed: readonly Failed[], now: number): Promise<void> {
  if (failed.length === 0) return
  const trips = failed.map(({ trip }) => trip)
  const asked = await readAsked(deps.database.pool, trips, now - safetyLimits.pauseMs)
  for (const { trip, checks } of failed) {
    const check = checks.find((one) => !asked.has(`${trip.booking} ${one}`))
    if (check !== undefined && !asked.has(trip.booking)) await ask(deps, trip, check, now)
  }
}

/** Asks the people of a trip, unless it has ended or was asked meanwhile. */
async function ask(deps: SafetyDeps, trip: StartedTrip, kind: SafetyCheck, now: number): Promise<void> {
  const { category } = await deps.settings.current()
  await deps.database.withTransaction(async (tx) => {
    const { booking } = (await lockBooking(tx, trip.booking, now)) ?? {}
    if (booking?.status !== 'STARTED' || booking.driver === null) return
    const { id: booking_id, driver, fleetadmin, customer } = booking
    const asked = await readAsked(tx.client, [{ booking: booking_id, driver }], now - safetyLimits.pauseMs)
    if (asked.has(booking_id) || asked.has(`${booking_id} ${kind}`)) return
    const point = trip.track.at(-1) ?? null
    const event = { id: uuidv7(), booking_id, kind, driver, fleetadmin, raised_by: null }
    await insertEvent(tx.client, { ...event, at: now, answer_by: answerBy(now), point })
    await insertMoment(tx.client, { event: event.id, at: now, what: 'asked', by: null, point })
    await deps.users.notify(
      tx,
      askedBy(kind, category).map((person) => ({
        user_id: person === 'rider' ? customer : driver,
        at: now,
        title: questionTitle,
        msg: 'notify.safety_question.msg',
        params: { booking_id: booking.booking_id },
        screen: person === 'rider' ? 'BookedCab' : 'DriverTrips',
        booking_id,
        dedupe: `safety:${event.id}:${person}`,
      })),
    )
    await announce(deps, tx, [event], false)
  })
}

/** Turns questions without an answer into alarms, each in the transaction that alerts the admins. */
async function alertUnanswered(deps: SafetyDeps, now: number): Promise<void> {
  const { category } = await deps.settings.current()
  await deps.database.withTransaction(async (tx) => {
    const due = await lockDue(tx.client, now)
    const trips = await readPeople(
      tx.client,
      due.map(({ booking_id }) => booking_id),
    )
    for (const row of due) {
      const trip = trips.get(row.booking_id)
      if (trip === undefined || (tripEndCloses(category) && trip.status !== 'STARTED')) {
        // The event of the trip's end may wait; questions without a trip must not keep later ones from being read.
        const ended = { closing: 'trip_end', kind: row.kind, now } as const
        await closeQuestions(tx.client, [row.booking_id], ended)
        await closeNotices(deps, tx, [row])
        await announce(deps, tx, [row], false)
        continue
      }
      await makeAlarm(tx.client, row.id, now)
      await insertMoment(tx.client, { event: row.id, at: now, what: 'unanswered', by: null })
      await raiseAlarm(deps, tx, row, trip.booking_id, now)
      await closeNotices(deps, tx, [row])
      await announce(deps, tx, [row], true)
    }
  })
}

/**
 * Closes the questions about silence of drivers whose positions arrive again, also if the trip has ended meanwhile: a phone that
 * is online again reports both at once.
 */
async function closeResumed(deps: SafetyDeps, now: number): Promise<void> {
  const silent = await readSilent(deps.database.pool)
  if (silent.size === 0) return
  const heard = await deps.tracking.heardAt([...silent.keys()])
  const resumed = [...silent].flatMap(([booking, asked]) =>
    (heard.get(booking) ?? 0) > asked ? booking : [],
  )
  if (resumed.length === 0) return
  await deps.database.withTransaction(async (tx) => {
    const closed = await closeQuestions(tx.client, resumed, { closing: 'resumed', kind: 'silence', now })
    await closeNotices(deps, tx, closed)
    await announce(deps, tx, closed, false)
  })
}
