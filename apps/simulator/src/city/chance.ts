/** A number between `low` and `high`. */
export const between = (low: number, high: number): number => low + Math.random() * (high - low)

/** True in `share` (0 to 1) of the cases. */
export const chance = (share: number): boolean => Math.random() < share

/** One of a list that is not empty. */
export function oneOf<T>(list: readonly T[]): T {
  return list[Math.floor(Math.random() * list.length)] as T
}
