import { kmPerMile } from '../geo/distance-unit.ts'
import { type Amount, maxPrice, roundTo, unit } from '../money/amount.ts'
import {
  type SettingField,
  type SettingName,
  type SettingValues,
  settingFields,
  settingNames,
} from './fields.ts'

/** The settings that are distances. */
const distanceNames = settingNames.filter((name) => (settingFields[name] as SettingField).kind === 'distance')

/**
 * A price per km as a price per mile, or the reverse: with the digits of the currency, or those that the price has
 * already, and at most the highest price. Converted there and back it differs by at most the last digit.
 */
export function convertRate(rate: Amount, toMile: boolean, decimal: number): Amount {
  const converted = toMile ? rate * kmPerMile : rate / kmPerMile
  return Math.min(maxPrice, roundTo(converted, Math.max(decimal, digitsOf(rate / unit))))
}

/** A distance in km as miles, or the reverse: with one digit, or those that it has already. */
export function convertDistance(distance: number, toMile: boolean): number {
  const converted = toMile ? distance / kmPerMile : distance * kmPerMile
  const scale = 10 ** Math.max(1, digitsOf(distance))
  return Math.round(converted * scale) / scale
}

/** The distances of the settings in the other unit, within the range of their fields. */
export function convertDistances(values: SettingValues, toMile: boolean): Partial<SettingValues> {
  const converted = distanceNames.flatMap((name): [SettingName, number][] => {
    const value = values[name]
    if (typeof value !== 'number') return []
    const { from, to } = settingFields[name] as Extract<SettingField, { kind: 'distance' }>
    return [[name, Math.min(to, Math.max(from, convertDistance(value, toMile)))]]
  })
  return Object.fromEntries(converted) as Partial<SettingValues>
}

/** The digits after the point, at most 4. */
function digitsOf(value: number): number {
  const digits = [0, 1, 2, 3].find((count) => Number(value.toFixed(count)) === value)
  return digits ?? 4
}
