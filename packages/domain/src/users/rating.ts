/** Average of `count` ratings that add up to `sum`, to one decimal, half up; 0 without ratings. */
export function averageRating(sum: number, count: number): number {
  return count > 0 ? Math.round((sum * 10) / count) / 10 : 0
}

/** True for a valid rating: 1 to 5, an integer. */
export function isRate(rate: number): boolean {
  return Number.isInteger(rate) && rate >= 1 && rate <= 5
}
