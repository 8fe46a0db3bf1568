/** One rating a user was given. */
export interface RatingDetail {
  user: string
  rate: number
}

/** All ratings of a user; `userrating` is their average to one decimal. */
export interface Ratings {
  userrating: number
  details: RatingDetail[]
}

/** Average of some ratings to one decimal, half up; 0 when there are none. */
export function averageRating(rates: readonly number[]): number {
  if (rates.length === 0) return 0
  const sum = rates.reduce((total, rate) => total + rate, 0)
  return Math.round((sum * 10) / rates.length) / 10
}

/** The ratings after one more. */
export function ratingsAfter(ratings: Ratings | null, detail: RatingDetail): Ratings {
  const details = [...(ratings?.details ?? []), detail]
  return { userrating: averageRating(details.map((one) => one.rate)), details }
}
