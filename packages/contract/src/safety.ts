import { safetyChecks } from '@hansom/domain/safety/checks'
import {
  maxSafetyNote,
  safetyAnswers,
  safetyClosings,
  safetyKinds,
  safetyMoments,
  safetyStates,
} from '@hansom/domain/safety/event'
import { z } from 'zod'
import { base } from './base.ts'
import { id, instant, point } from './shapes.ts'

const answer = z.enum(safetyAnswers)

/**
 * What one person of a trip sees. No one sees what the other one answered, or that the other one asked for help: that could
 * put them in danger.
 */
const safetyState = z.object({
  /** The open question, with the caller's own answer. */
  question: z.object({ id, kind: z.enum(safetyChecks), at: instant, answer: answer.nullable() }).nullable(),
  /** The open alarm that the caller raised, or that was raised because no one answered. */
  alarm: z.object({ at: instant, acknowledged: z.boolean() }).nullable(),
})
export type SafetyState = z.infer<typeof safetyState>

const contact = z.object({ id: id.nullable(), name: z.string(), phone: z.string().nullable() })

const moment = z.object({
  at: instant,
  what: z.enum(safetyMoments),
  /** Who did it; null for the platform, and for a deleted user. */
  name: z.string().nullable(),
  note: z.string().nullable(),
  point: point.nullable(),
})

/** An alarm as the back office sees it: trip, people, last known position, timeline. */
const safetyAlarm = z.object({
  id,
  kind: z.enum(safetyKinds),
  state: z.enum(safetyStates),
  closing: z.enum(safetyClosings).nullable(),
  at: instant,
  booking: id,
  booking_id: z.string(),
  status: z.string(),
  pickup: z.string(),
  drop: z.string(),
  rider: contact,
  driver: contact.extend({ plate: z.string().nullable() }),
  /** The position of the phone that raised it, or else the last known one of the car. */
  point: point.extend({ at: instant }).nullable(),
  acknowledged: z.object({ at: instant, name: z.string().nullable() }).nullable(),
  timeline: z.array(moment),
})
export type SafetyAlarm = z.infer<typeof safetyAlarm>

const ofAlarm = <A extends string>(action: A) =>
  base.route({ method: 'POST', path: `/api/v1/safety/{id}/${action}`, tags: ['safety'] })

/** Help during a trip: the panic button, the question after an unusual stop, deviation or silence, and the alarms. */
export const safetyContract = {
  /** The live topic `safety:<booking>` announces changes. */
  state: base
    .route({ method: 'GET', path: '/api/v1/bookings/{id}/safety', tags: ['safety'] })
    .input(z.object({ id }))
    .output(safetyState),
  /** Answers an open question. `help` alerts the admins. An answer that comes too late changes nothing. */
  answer: base
    .route({ method: 'POST', path: '/api/v1/bookings/{id}/safety/answer', tags: ['safety'] })
    .input(z.strictObject({ id, event: id, answer }))
    .output(safetyState),
  /**
   * Alerts all admins. Repeats, by either person, are added to the open alarm. Throws wrong_status without an active trip
   * and where the setting `panic` is off.
   */
  panic: base
    .route({ method: 'POST', path: '/api/v1/bookings/{id}/panic', tags: ['safety'] })
    .input(z.strictObject({ id, position: point.nullable().optional() }))
    .output(z.object({ alarm: id })),
  /**
   * Alarms, newest first: the open ones, or at most 50 of those that were closed last. For a fleet admin those of their
   * own drivers. The live topic `office` announces the table `safety`.
   */
  list: base
    .route({ method: 'GET', path: '/api/v1/safety', tags: ['safety'] })
    .input(z.object({ state: z.enum(['open', 'closed']).default('open') }))
    .output(z.object({ alarms: z.array(safetyAlarm) })),
  /** Notes that the caller has seen an alarm. */
  seen: ofAlarm('seen').input(z.object({ id })).output(safetyAlarm),
  /** Takes charge of an alarm, which ends its sound. Throws conflict if another admin has. */
  acknowledge: ofAlarm('acknowledge').input(z.object({ id })).output(safetyAlarm),
  note: ofAlarm('note')
    .input(z.strictObject({ id, note: z.string().trim().min(1).max(maxSafetyNote) }))
    .output(safetyAlarm),
  /** Closes an acknowledged alarm with its outcome. Throws conflict if it is not acknowledged or already closed. */
  resolve: ofAlarm('resolve')
    .input(z.strictObject({ id, note: z.string().trim().min(1).max(maxSafetyNote) }))
    .output(safetyAlarm),
}
