import { safetyChecks } from '@hansom/domain/safety/checks'
import {
  maxSafetyNote,
  safetyAnswers,
  safetyClosings,
  safetyKinds,
  safetyMoments,
  safetyStates,
} from '@hansom/domain/safety/event'
import { maxContactName, maxTrustedContacts } from '@hansom/domain/safety/trusted-contacts'
import { isEmail } from '@hansom/domain/users/contact'
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
  /**
   * The alarm that the caller raised, or that was raised because no one answered: the open one, or else the one that an
   * admin closed last.
   */
  alarm: z.object({ at: instant, acknowledged: z.boolean(), closed_at: instant.nullable() }).nullable(),
  /** For the rider: when the trip lost its driver, within the last day. Its panic button counts for a while after that. */
  left_at: instant.nullable(),
})
export type SafetyState = z.infer<typeof safetyState>

const reachable = { name: z.string(), mobile: z.string().nullable(), email: z.string().nullable() }
const person = z.object({
  /** Null without a record that the caller sees. */
  id: id.nullable(),
  name: z.string(),
  phone: z.string().nullable(),
  /** For admins, while the alarm of this person is open. */
  contacts: z.array(z.object(reachable)),
})

const trustedContact = z.object({
  id,
  ...reachable,
  share_always: z.boolean(),
  on_help: z.boolean(),
  /** The contact wants no more messages. */
  refused: z.boolean(),
})
export type TrustedContact = z.infer<typeof trustedContact>
const trustedContacts = z.object({ contacts: z.array(trustedContact).max(maxTrustedContacts) })

const contactInput = {
  name: z.string().trim().min(1).max(maxContactName),
  /** As written in the installation's country, or with a plus sign. Empty: none. */
  mobile: z.string().trim().max(30).default(''),
  email: z
    .string()
    .trim()
    .max(254)
    .refine((text) => text === '' || isEmail(text))
    .default(''),
  share_always: z.boolean().default(false),
  on_help: z.boolean().default(false),
}

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
  /**
   * Whether the caller sees the booking, too. The fleet admin of a driver who was taken off it does not: they read the alarm
   * up to then, without status, addresses, and the rider's name.
   */
  booking_seen: z.boolean(),
  status: z.string().nullable(),
  pickup: z.string().nullable(),
  drop: z.string().nullable(),
  rider: person,
  /** Who pressed the panic button first; null for the other kinds. */
  raised_by: z.enum(['rider', 'driver']).nullable(),
  driver: person.extend({ plate: z.string().nullable() }),
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
   * Alerts all admins. Repeats, by either person, are added to the open alarm about the same driver. Throws wrong_status
   * without an active trip and where the setting `panic` is off.
   */
  panic: base
    .route({ method: 'POST', path: '/api/v1/bookings/{id}/panic', tags: ['safety'] })
    .input(z.strictObject({ id, position: point.nullable().optional() }))
    .output(z.object({ alarm: id })),
  /** The caller's trusted contacts; no one else sees them but admins, with an open alarm of the caller. */
  contacts: base
    .route({ method: 'GET', path: '/api/v1/me/contacts', tags: ['safety'] })
    .output(trustedContacts),
  /** Throws conflict beyond three, invalid_input without a way to reach them, mobile_no_blank_error. */
  addContact: base
    .route({ method: 'POST', path: '/api/v1/me/contacts', tags: ['safety'], successStatus: 201 })
    .input(z.strictObject(contactInput))
    .output(trustedContacts),
  /** Throws not_found, invalid_input, mobile_no_blank_error. */
  changeContact: base
    .route({ method: 'PUT', path: '/api/v1/me/contacts/{id}', tags: ['safety'] })
    .input(z.strictObject({ id, ...contactInput }))
    .output(trustedContacts),
  removeContact: base
    .route({ method: 'DELETE', path: '/api/v1/me/contacts/{id}', tags: ['safety'] })
    .input(z.object({ id }))
    .output(trustedContacts),
  /**
   * Sends a link to the trip to the rider's or sender's trusted contacts, and returns their names. Throws link_expired
   * unless the trip is active, too_many_requests for repeats, conflict without a contact who wants messages.
   */
  share: base
    .route({ method: 'POST', path: '/api/v1/bookings/{id}/contacts', tags: ['safety'] })
    .input(z.object({ id }))
    .output(z.object({ names: z.array(z.string()) })),
  /**
   * Alarms, newest first: the open ones, or at most 50 of those that were closed last. For a fleet admin those of their
   * own drivers, also of one who was taken off the trip afterwards. The live topic `office` announces the table `safety`.
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
