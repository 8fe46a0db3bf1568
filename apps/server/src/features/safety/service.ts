import type { SafetyState } from '@hansom/contract/safety'
import type { Actor } from '@hansom/domain/access/relation'
import { Refusal } from '@hansom/domain/error-keys'
import type { LatLng } from '@hansom/domain/geo/point'
import { askedBy, effectOfAnswer, type SafetyAnswer, tripEndCloses } from '@hansom/domain/safety/event'
import { z } from 'zod'
import { authorOf, type Os, signedIn } from '../../platform/http/implement.ts'
import { bookingChanged, readBookingChange } from '../bookings/booking-changed-event.ts'
import { type AlarmsService, createAlarms } from './alarms.ts'
import { type ContactMessages, type ContactMessagesDeps, createContactMessages } from './contact-messages.ts'
import type { ContactsService } from './contacts.ts'
import { createPanic } from './panic.ts'
import { announce, closeNotices, questionTitle, raiseAlarm } from './raise-alarm.ts'
import { closeQuestions, insertMoment, lockEvent, makeAlarm, pointOf } from './store.ts'
import { createTripState } from './trip-state.ts'
import { createSafetyScan, scanEveryS } from './watch-trips.ts'

/** Help during a trip: the questions to its people, the panic button, trusted contacts, and the alarms of the admins. */
export interface SafetyService extends AlarmsService, Pick<ContactMessages, 'share'> {
  /** What the actor sees of the booking's question and alarm. Throws not_found for strangers. */
  state(actor: Actor, booking: string): Promise<SafetyState>
  /** Answers a question. Throws not_found for one that the actor is not asked. */
  answer(actor: Actor, booking: string, event: string, answer: SafetyAnswer): Promise<SafetyState>
  /** Raises or repeats the alarm of a booking and returns its id. Throws not_found, wrong_status. */
  panic(actor: Actor, booking: string, position: LatLng | null, key: string | null): Promise<string>
  /** Checks all started trips, and alerts the admins of unanswered questions. */
  scan(): Promise<void>
}

/** Defines its jobs and its live topic. */
export function createSafetyService(deps: ContactMessagesDeps): SafetyService {
  const { database, clock, outbox, settings } = deps
  const trip = createTripState(deps)
  const messages = createContactMessages(deps)

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
    if (ended.length === 0 || !tripEndCloses((await settings.current()).category)) return
    const closed = await closeQuestions(tx.client, ended, {
      closing: 'trip_end',
      kind: null,
      now: clock.now(),
    })
    await closeNotices(deps, tx, closed)
    await announce(deps, tx, closed, false)
  })

  return {
    ...createAlarms(deps),
    share: messages.share,
    scan,
    state: async (actor, id) => trip.stateOf(id, (await trip.find(actor, id)).person, actor.id),

    async answer(actor, booking, event, answer) {
      const { person, record } = await trip.find(actor, booking)
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
        if (effect === 'note') {
          await deps.users.end(tx, { ended: [{ user: actor.id, booking, titles: [questionTitle] }] })
        } else await closeNotices(deps, tx, [row])
        if (answer === 'help' && category === 'taxi') {
          await messages.informOfHelp(tx, { user: actor.id, booking, event, point: pointOf(row) })
        }
        await announce(deps, tx, [row], row.state === 'alarm' || effect === 'alarm')
      })
      return trip.stateOf(booking, person, actor.id)
    },

    panic: createPanic(deps, trip, messages),
  }
}

export function safetyRoutes({ safety: os }: Os, safety: SafetyService, contacts: ContactsService) {
  return {
    contacts: os.contacts
      .use(signedIn)
      .handler(async ({ context: { actor } }) => ({ contacts: await contacts.contacts(actor.id) })),
    addContact: os.addContact.use(signedIn).handler(async ({ context: { actor }, input }) => ({
      contacts: await contacts.addContact(actor.id, input),
    })),
    changeContact: os.changeContact
      .use(signedIn)
      .handler(async ({ context: { actor }, input: { id, ...contact } }) => ({
        contacts: await contacts.changeContact(actor.id, id, contact),
      })),
    removeContact: os.removeContact.use(signedIn).handler(async ({ context: { actor }, input }) => ({
      contacts: await contacts.removeContact(actor.id, input.id),
    })),
    share: os.share.use(signedIn).handler(async ({ context, input }) => ({
      names: await safety.share(context.actor, input.id, authorOf(context).key),
    })),
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
