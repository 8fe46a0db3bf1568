/** Radius, m, of a position whose device reports none. */
const usualAccuracyM = 20
/** Positions less accurate than this, m, do not locate a car. */
const worstAccuracyM = 150
/** No receiver in a car is better for long; it reports a smaller radius, or 0, all the same. */
const leastDeviationM = 5

/** True if a position with this reported accuracy, m, locates a car; null: not reported. */
export function isAccurate(accuracyM: number | null | undefined): boolean {
  return (accuracyM ?? usualAccuracyM) <= worstAccuracyM
}

/**
 * Standard deviation of a position in each direction, m, from the reported radius, m. Core Location reports the root
 * mean square error of both directions, so this is exact there: the true position is inside with 63 %. Android reports 68 %
 * (divided by 1.5), the Geolocation standard asks for 95 % (by 2.4); browsers pass on what their platform reports.
 */
export function deviationOf(accuracyM: number | null | undefined): number {
  return Math.max(leastDeviationM, (accuracyM ?? usualAccuracyM) / Math.SQRT2)
}
