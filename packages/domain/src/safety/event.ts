import type { BookingStatus } from '../bookings/status.ts'
import type { Settings } from '../settings/settings.ts'
import { type SafetyCheck, safetyChecks, safetyLimits } from './checks.ts'

/** What a safety event is about: a failed check, or the panic button. */
export const safetyKinds = [...safetyChecks, 'panic'] as const
export type SafetyKind = (typeof safetyKinds)[number]

/** `asked` waits for the people of the trip, `alarm` for an admin. */
export const safetyStates = ['asked', 'alarm', 'closed'] as const
export type SafetyState = (typeof safetyStates)[number]

export const safetyAnswers = ['fine', 'help'] as const
export type SafetyAnswer = (typeof safetyAnswers)[number]

/** Why an event was closed: the answer, the trip's end, positions that arrive again, or an admin. */
export const safetyClosings = ['answer', 'trip_end', 'resumed', 'admin'] as const
export type SafetyClosing = (typeof safetyClosings)[number]

/** What happened to an event, in its timeline. */
export const safetyMoments = [
  'asked',
  'fine',
  'help',
  'unanswered',
  'raised',
  'repeated',
  'seen',
  'acknowledged',
  'note',
  'closed',
] as const
export type SafetyMoment = (typeof safetyMoments)[number]

/** The people of a trip who are asked. The sender of a delivery is its `rider`. */
export type TripPerson = 'rider' | 'driver'

/** An event as its decisions need it. */
export interface SafetyEvent {
  kind: SafetyKind
  state: SafetyState
  opened_at: number
  closing: SafetyClosing | null
}

/** The longest note of an admin, in characters. */
export const maxSafetyNote = 500

/**
 * A request for help counts this long after the question, the end of the trip, or the moment when the office took the driver
 * off it, ms: it may have waited for a connection, and none of these must prevent it.
 */
export const helpMs = 15 * 60_000

/** A trip has the panic button from acceptance on: help may be needed on the way to the pickup, too. */
export const panicStatuses = [
  'ACCEPTED',
  'ARRIVED',
  'STARTED',
  'REACHED',
] as const satisfies readonly BookingStatus[]

/** True if a trip in this status has the panic button. */
export const mayPanic = (status: BookingStatus, { panic, category }: Pick<Settings, 'panic' | 'category'>) =>
  category === 'taxi' && panic && (panicStatuses as readonly BookingStatus[]).includes(status)

/** When a trip ended: the car's arrival, or else the closing of the booking. Epoch ms, null before. */
export const tripEndOf = (trip: { trip_end_time: number | null; closed_at: number | null }): number | null =>
  trip.trip_end_time ?? trip.closed_at

/**
 * True if a pressed panic button counts: also shortly after the end of the trip, or after its driver was taken off it. `endedAt`:
 * epoch ms of either, or null.
 */
export const countsPanic = (
  { status, endedAt }: { status: BookingStatus; endedAt: number | null },
  settings: Pick<Settings, 'panic' | 'category'>,
  now: number,
) =>
  mayPanic(status, settings) || (mayPanic('STARTED', settings) && endedAt !== null && now - endedAt < helpMs)

/** How long the page of a trip that has ended still shows its alarm, ms. */
export const alarmShownMs = 24 * 3_600_000

/**
 * Whose "fine" closes a question: the rider's, who depends on the driver; in a delivery the courier's, because the sender
 * is not in the vehicle.
 */
export const closingPerson = (category: Settings['category']): TripPerson =>
  category === 'delivery' ? 'driver' : 'rider'

/**
 * Whether the end of a trip closes its open question: in a delivery, where the courier who ends it is also the one to answer. In a
 * taxi it does not: the driver must not be able to end the question to the rider.
 */
export const tripEndCloses = (category: Settings['category']): boolean => closingPerson(category) === 'driver'

/** Whom a check asks. A silent phone of a driver cannot ask, so it is the rider who knows; a sender does not. */
export const askedBy = (check: SafetyCheck, category: Settings['category']): readonly TripPerson[] =>
  check === 'silence' && category === 'taxi' ? ['rider'] : ['rider', 'driver']

/**
 * What an answer does: raise the alarm, close the question, only be noted, or nothing because it is too late. Help always
 * outranks "fine", in whichever order they arrive.
 */
export function effectOfAnswer(
  event: SafetyEvent,
  answer: SafetyAnswer,
  by: TripPerson,
  { category, now }: { category: Settings['category']; now: number },
): 'alarm' | 'close' | 'note' | 'late' {
  if (event.closing === 'admin') return 'late'
  if (answer === 'help') {
    if (event.state === 'alarm') return 'note'
    return event.state === 'asked' || now - event.opened_at < helpMs ? 'alarm' : 'late'
  }
  if (event.state === 'closed') return 'late'
  return event.state === 'asked' && by === closingPerson(category) ? 'close' : 'note'
}

/** When a question that was asked at `now` becomes an alarm, epoch ms. */
export const answerBy = (now: number) => now + safetyLimits.answerMs

const callsForHelp: readonly SafetyMoment[] = ['raised', 'repeated', 'help']

/** Whether the contacts of a person may be needed in an alarm: of who called for help, or of both if no one did. */
export function mayNeedContacts(
  moments: readonly { what: SafetyMoment; by_user: string | null }[],
  person: string,
): boolean {
  const callers = moments.flatMap(({ what, by_user }) => (callsForHelp.includes(what) ? [by_user] : []))
  return callers.length === 0 || callers.includes(person)
}

/** A moment of an alarm, as it is told. */
export interface Told {
  at: number
  what: SafetyMoment
  by_user: string | null
  name: string | null
  note: string | null
  lat: number | null
  lng: number | null
}

const saidOnTrip: readonly SafetyMoment[] = [...callsForHelp, 'asked', 'fine']

/**
 * What the fleet admin of a driver still sees of an alarm after the driver was taken off the trip: what happened until then
 * without the rider's name, and afterwards only that the alarm was raised and handled.
 */
export const untilLeft = <M extends Told>(
  moments: readonly M[],
  { driver, at: leftAt }: { driver: string; at: number },
): M[] =>
  moments.flatMap((moment) => {
    const { at, what, by_user } = moment
    const isOfTrip = saidOnTrip.includes(what)
    const seen = isOfTrip && by_user !== driver ? { ...moment, name: null } : moment
    if (at <= leftAt) return seen
    if (what === 'note' || (isOfTrip && what !== 'raised')) return []
    return { ...seen, note: null, lat: null, lng: null }
  })
