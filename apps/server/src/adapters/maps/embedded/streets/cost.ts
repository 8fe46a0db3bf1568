/**
 * A duration and a length as one number: whole milliseconds, plus decimetres in units of 2^-26. Comparing costs compares
 * durations first and lengths second, and sums are exact up to 37 hours and 6,700 km; beyond these, lengths become
 * inexact.
 */
export type Cost = number

const unit = 2 ** -26

export const costOf = (ms: number, dm: number): Cost => ms + dm * unit

export const msOf = (cost: Cost): number => Math.floor(cost)

export const dmOf = (cost: Cost): number => Math.round((cost - Math.floor(cost)) / unit)
