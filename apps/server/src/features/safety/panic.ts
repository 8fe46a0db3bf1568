import type { Actor } from '@hansom/domain/access/relation'
import { Refusal } from '@hansom/domain/error-keys'
import type { LatLng } from '@hansom/domain/geo/point'
import { countsPanic, helpMs, tripEndOf } from '@hansom/domain/safety/event'
import { uuidv7 } from 'uuidv7'
import type { Transaction } from '../../platform/database/transaction.ts'
import { idempotent } from '../../platform/outbox/idempotency.ts'
import type { ContactMessages } from './contact-messages.ts'
import type { SafetyDeps } from './deps.ts'
import { announce, raiseAlarm } from './raise-alarm.ts'
import { type EventRow, insertEvent, insertMoment, lockPanic, readRepeats, type TimedPoint } from './store.ts'
import type { TripState } from './trip-state.ts'

/** Repeats of a panic button that are stored with their position. */
const maxRepeats = 100
/** A repeat by the same person sooner than this is not announced to the back office again, ms. */
const repeatPauseMs = 10_000

/** Raises or repeats the alarm of a booking and returns its id. Throws not_found, wrong_status. */
export function createPanic(
  deps: SafetyDeps,
  { find }: Pick<TripState, 'find'>,
  { informOfHelp }: Pick<ContactMessages, 'informOfHelp'>,
) {
  const { database, clock, tracking, settings, bookings, users } = deps

  /** The booking of one of its people, with the driver whom they may need help against. */
  const findTrip = async (actor: Actor, id: string, now: number) => {
    const left = await bookings.leftDriver(id, now - helpMs)
    const former = left?.driver === actor.id && actor.approved ? await bookings.read(id) : null
    const record = former ?? (await find(actor, id)).record
    const { booking } = record
    const isDriven = former === null && booking.driver !== null
    const driver = isDriven ? booking.driver : (left?.driver ?? null)
    const fleetadmin = isDriven ? booking.fleetadmin : driver && (await users.find(driver))?.fleetadmin
    const endedAt = tripEndOf(booking) ?? left?.at ?? null
    return { record, driver, fleetadmin: fleetadmin ?? null, endedAt, isFormer: former !== null }
  }

  return async (actor: Actor, id: string, position: LatLng | null, key: string | null): Promise<string> => {
    const now = clock.now()
    const { record, driver, fleetadmin, endedAt, isFormer } = await findTrip(actor, id, now)
    const { booking } = record
    const current = await settings.current()
    if (current.category === 'delivery') throw new Refusal('not_found')
    if (!countsPanic({ status: booking.status, endedAt }, current, now) || driver === null) {
      throw new Refusal('wrong_status')
    }
    // The car's position is looked up outside the transaction; the alarm does not need it.
    const known = position || isFormer ? null : await tracking.latestOf(record).catch(() => null)
    const latest = position ? { ...position, at: now } : known
    const point = latest && { lat: latest.lat, lng: latest.lng, at: latest.at }
    const command = { user: actor.id, command: 'safety.panic', key, body: { id }, at: now }
    return database.withTransaction((tx) =>
      idempotent(tx, command, async () => {
        // One at a time, so that both people's alarms become one. An open alarm about a former driver is another one.
        await tx.client.query(`select pg_advisory_xact_lock(hashtextextended('panic ' || $1, 0))`, [id])
        const open = await lockPanic(tx.client, id, driver)
        const event = open?.id ?? uuidv7()
        if (open) {
          const pressed = { at: now, by: actor.id, point: position ? point : null }
          const { isNews, isFirst } = await repeat(tx, open, pressed)
          if (isNews) await announce(deps, tx, [open], true)
          if (!isFirst) return event
        } else {
          const row = { id: event, booking_id: id, kind: 'panic' as const, driver, fleetadmin }
          await insertEvent(tx.client, { ...row, raised_by: actor.id, at: now, answer_by: null, point })
          await insertMoment(tx.client, { event, at: now, what: 'raised', by: actor.id, point })
          await raiseAlarm(deps, tx, row, booking.booking_id, now)
          await announce(deps, tx, [row], true)
        }
        await informOfHelp(tx, { user: actor.id, booking: id, event, point })
        return event
      }),
    )
  }
}

/**
 * Adds to an open panic alarm, of which the newest position of a phone replaces the known one. Returns whether the back office
 * reads the alarm again, which frequent presses must not keep busy, and whether it is this person's first call.
 */
async function repeat(
  { client }: Transaction,
  { id }: Pick<EventRow, 'id'>,
  { at, by, point }: { at: number; by: string; point: TimedPoint | null },
): Promise<{ isNews: boolean; isFirst: boolean }> {
  const { repeats, last } = await readRepeats(client, id, by)
  if (repeats < maxRepeats) await insertMoment(client, { event: id, at, what: 'repeated', by, point })
  if (point !== null) {
    await client.query('update safety_events set lat = $2, lng = $3, point_at = $4 where id = $1', [
      id,
      point.lat,
      point.lng,
      point.at,
    ])
  }
  const isFirst = last === null
  return { isNews: repeats < maxRepeats && (isFirst || at - last >= repeatPauseMs), isFirst }
}
