import type { FieldError } from '../error-keys.ts'

/** The longest reason, and how many there can be: a rider reads them all. */
export const reasonLimits = { label: 120, count: 200 } as const

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
