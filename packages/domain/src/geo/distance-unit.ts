/** km in one mile, as the product's rule for radius and fare states it. */
export const kmPerMile = 1.609344

/** Distance in the city's unit: km, or miles when `convertToMile` is on. */
export function toCityUnit(km: number, convertToMile: boolean): number {
  return convertToMile ? km / kmPerMile : km
}

/** Distance in km from the city's unit. */
export function fromCityUnit(distance: number, convertToMile: boolean): number {
  return convertToMile ? distance * kmPerMile : distance
}
