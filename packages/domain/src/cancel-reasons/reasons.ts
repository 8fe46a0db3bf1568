import { riderNoShow } from '../bookings/booking.ts'
import type { FieldError } from '../error-keys.ts'
import type { Actor } from '../users/roles.ts'

/** The longest reason, and how many there can be: a rider reads them all. */
export const reasonLimits = { label: 120, count: 200 } as const

/** The reasons of a new installation, as keys of the language packs. */
export const starterReasons = [
  'cancelReasons.starter_wait',
  'cancelReasons.starter_plans',
  'cancelReasons.starter_pickup',
  'cancelReasons.starter_driver',
  'cancelReasons.starter_other_ride',
  'cancelReasons.starter_mistake',
] as const

/** A driver's own reasons, whatever the list says; `riderNoShow` comes with rules of its own. */
export const driverReasons = ['car_trouble', 'traffic', 'wrong_pickup', 'personal'] as const

/**
 * True when `actor` may cancel for this reason: one of `listed`, upper and lower case alike, or a driver's own. While
 * the list is empty any text counts, so that nobody is kept from cancelling.
 */
export function isCancelReason(reason: string, actor: Actor, listed: readonly string[]): boolean {
  if (listed.length === 0) return true
  if (actor === 'driver' && [riderNoShow, ...driverReasons].includes(reason)) return true
  const wanted = reason.toLocaleLowerCase('en')
  return listed.some((label) => label.toLocaleLowerCase('en') === wanted)
}

/** Why a text cannot be a reason, or null. Whether it is in the list already is for whoever knows the list. */
export function reasonProblem(label: string): FieldError['error'] | null {
  if (!/\S/.test(label)) return 'required'
  return label.trim().length > reasonLimits.label ? 'too_long' : null
}

/** The list with one entry taken out of its place and put at `to`, which counts from 0 in the new list. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const entry = list[from]
  if (entry === undefined) return [...list]
  const others = list.toSpliced(from, 1)
  return others.toSpliced(Math.max(0, Math.min(to, others.length)), 0, entry)
}
