import { safetyTopic } from '@hansom/contract/live'
import type { SafetyState } from '@hansom/contract/safety'
import { type Actor, relationTo } from '@hansom/domain/access/relation'
import { partiesOf } from '@hansom/domain/access/visible-booking'
import { Refusal } from '@hansom/domain/error-keys'
import type { SafetyCheck } from '@hansom/domain/safety/checks'
import { alarmShownMs, askedBy, closingPerson, type TripPerson } from '@hansom/domain/safety/event'
import type { Pool, PoolClient } from 'pg'
import { channelName } from '../../platform/live/channels.ts'
import { type BookingsService, readPeople } from '../bookings/service.ts'
import type { SafetyDeps } from './deps.ts'
import { safetyChanged } from './raise-alarm.ts'
import { readShownEvents } from './store.ts'

/** What the people of a trip see of its question and alarm. */
export interface TripState {
  /** The booking, and which of its people the actor is. Throws not_found. */
  find(
    actor: Actor | null,
    id: string,
  ): Promise<{ record: Awaited<ReturnType<BookingsService['get']>>; person: TripPerson }>
  stateOf(
    booking: string,
    person: TripPerson,
    user: string,
    queries?: Pool | PoolClient,
  ): Promise<SafetyState>
}

/** Registers the live topic of a trip's safety, on which each person has a channel. */
export function createTripState(deps: SafetyDeps): TripState {
  const { database, bookings, settings, outbox, clock } = deps

  const find: TripState['find'] = async (actor, id) => {
    const record = actor?.approved ? await bookings.get(actor, id) : null
    const relation = record && relationTo(partiesOf(record), actor)
    if (!record || (relation !== 'rider' && relation !== 'driver')) throw new Refusal('not_found')
    return { record, person: relation }
  }

  const stateOf: TripState['stateOf'] = async (booking, person, user, queries = database.pool) => {
    const { category } = await settings.current()
    const shown = await readShownEvents(queries, booking)
    const since = clock.now() - alarmShownMs
    const left = person === 'rider' ? await bookings.leftDriver(booking, since, queries) : null
    const question = shown.find(
      ({ state, kind }) => state === 'asked' && kind !== 'panic' && askedBy(kind, category).includes(person),
    )
    // An alarm that the other one raised is not shown: it could put them in danger.
    const alarm = shown.find(
      ({ state, raisers }) =>
        state !== 'asked' &&
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
        ? {
            at: alarm.alarm_at ?? alarm.opened_at,
            acknowledged: alarm.acknowledged_at !== null,
            closed_at: alarm.closed_at,
          }
        : null,
      left_at: left?.at ?? null,
    }
  }

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
  outbox.onBatch(safetyChanged, async (events, { client }) => {
    const trips = await readPeople(client, [
      ...new Set(events.map(({ payload }) => payload.booking as string)),
    ])
    for (const { id, customer, driver } of trips.values()) {
      deps.hub.publish(channelOf(id, 'rider'), await stateOf(id, 'rider', customer, client))
      if (driver) deps.hub.publish(channelOf(id, 'driver'), await stateOf(id, 'driver', driver, client))
    }
  })
  return { find, stateOf }
}
