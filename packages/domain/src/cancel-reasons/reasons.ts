import { riderNoShow } from '../bookings/booking.ts'
import type { FieldError } from '../error-keys.ts'
import { type Translations, translationProblems } from '../languages/translations.ts'
import type { ActorRole } from '../users/roles.ts'

/** The longest reason, and the most reasons in the list: a rider reads them all. */
export const reasonLimits = { label: 120, count: 200 } as const

/** The reasons of a new installation, as text keys of the language packs. */
export const starterReasons = [
  'cancelReasons.starter_wait',
  'cancelReasons.starter_plans',
  'cancelReasons.starter_pickup',
  'cancelReasons.starter_driver',
  'cancelReasons.starter_other_ride',
  'cancelReasons.starter_mistake',
] as const

/** Additional reasons for drivers, independent of the list; `riderNoShow` has separate rules. */
export const driverReasons = ['car_trouble', 'traffic', 'wrong_pickup', 'personal'] as const

/** Suggestions for admins, who may also write their own reason. */
export const adminReasons = [
  'rider_asked',
  'duplicate',
  'wrong_details',
  'no_cars',
  'rider_unreachable',
  'safety',
] as const

/** Suggestions for admins who take a trip from its driver. */
export const withdrawReasons = [
  'driver_late',
  'driver_unreachable',
  'car_trouble',
  'driver_asked',
  'closer_driver',
  'rider_asked',
] as const

/** The text key of one of the platform's own reasons; other reasons have no text. */
export function reasonKey(reason: string): string {
  return `trip.reason_${reason.replaceAll(' ', '_')}`
}

/**
 * True when `actor` may cancel for this reason: one of `listed`, ignoring case, a driver's reason, or any text of an admin.
 * While the list is empty any text is allowed, so that cancelling is always possible.
 */
export function isCancelReason(reason: string, actor: ActorRole, listed: readonly string[]): boolean {
  if (listed.length === 0 || actor === 'admin') return true
  if (actor === 'driver' && [riderNoShow, ...driverReasons].includes(reason)) return true
  const wanted = reason.toLocaleLowerCase('en')
  return listed.some((label) => label.toLocaleLowerCase('en') === wanted)
}

/** The problem with a reason's text, or null. */
export function reasonProblem(label: string): FieldError['error'] | null {
  if (!/\S/.test(label)) return 'required'
  return label.trim().length > reasonLimits.label ? 'too_long' : null
}

/** All problems of a reason. Duplicates are checked by the caller, who has the list. */
export function reasonProblems(reason: { label: string; translations: Translations<'label'> }): FieldError[] {
  const error = reasonProblem(reason.label)
  return [
    ...(error === null ? [] : [{ field: 'label', error }]),
    ...translationProblems(reason.translations, { label: reasonLimits.label }),
  ]
}
