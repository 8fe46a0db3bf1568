/** Average of `count` ratings that add up to `sum`, to one decimal, half up; 0 when there are none. */
export function averageRating(sum: number, count: number): number {
  return count > 0 ? Math.round((sum * 10) / count) / 10 : 0
}

/** True for what a person may give: 1 to 5 whole stars. */
export function isRate(rate: number): boolean {
  return Number.isInteger(rate) && rate >= 1 && rate <= 5
}
