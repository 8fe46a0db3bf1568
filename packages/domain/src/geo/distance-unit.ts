/** km in one mile, as defined for radius and fare. */
export const kmPerMile = 1.609344

/** Distance in the city's unit: km, or miles when `convertToMile` is on. */
export function toCityUnit(km: number, convertToMile: boolean): number {
  return convertToMile ? km / kmPerMile : km
}

/**
 * A distance for a text written before its reader is known ('430 m', '1.2 km', '0.3 mi'), kept left-to-right within a
 * sentence of either direction.
 */
export function distanceText(km: number, convertToMile: boolean): string {
  const text = convertToMile
    ? `${toCityUnit(km, true).toFixed(1)}\u00a0mi`
    : km < 0.995
      ? `${Math.round(km * 100) * 10}\u00a0m`
      : `${km.toFixed(1)}\u00a0km`
  return `\u2066${text}\u2069`
}

/** Distance in km from the city's unit. */
export function fromCityUnit(distance: number, convertToMile: boolean): number {
  return convertToMile ? distance * kmPerMile : distance
}
