/** Returns a random number between `low` and `high`. */
export const between = (low: number, high: number): number => low + Math.random() * (high - low)

/** Returns true with probability `share` (0 to 1). */
export const chance = (share: number): boolean => Math.random() < share

/** Returns a random element of a non-empty list. */
export function oneOf<T>(list: readonly T[]): T {
  return list[Math.floor(Math.random() * list.length)] as T
}
