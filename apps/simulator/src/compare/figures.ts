import type { Evening } from './run-evening.ts'

/** What is compared. */
export const figureNames = ['waitMean', 'waitP90', 'emptyKm', 'served', 'gini'] as const
export type FigureName = (typeof figureNames)[number]
export type Figures = Record<FigureName, number>

/** Waiting times in min, empty km for each trip, the share of riders served in percent, and the Gini index of incomes. */
export function figuresOf({ asked, waitsS, emptyKm, incomes }: Evening): Figures {
  const sorted = waitsS.toSorted((a, b) => a - b)
  return {
    waitMean: mean(waitsS) / 60,
    waitP90: (sorted[Math.ceil(sorted.length * 0.9) - 1] ?? 0) / 60,
    emptyKm: emptyKm / Math.max(1, waitsS.length),
    served: (100 * waitsS.length) / Math.max(1, asked),
    gini: gini(incomes),
  }
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

/** How unequal incomes are: 0 when all earn the same, near 1 when one earns all. */
export function gini(incomes: readonly number[]): number {
  const sorted = incomes.toSorted((a, b) => a - b)
  const total = sorted.reduce((sum, income) => sum + income, 0)
  if (total === 0) return 0
  const weighted = sorted.reduce((sum, income, index) => sum + income * (index + 1), 0)
  return (2 * weighted) / (sorted.length * total) - (sorted.length + 1) / sorted.length
}

/** Quantiles of Student's distribution for 95 % on two sides, by degrees of freedom from 1. */
const students = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262]

/** Two values say too little of their spread: the interval may go far beyond what is possible, such as 100 %. */
export const leastRuns = 3

/** A mean with half the width of its 95 % confidence interval; infinite for fewer than `leastRuns` values. */
export function interval(values: readonly number[]): { mean: number; half: number } {
  const center = mean(values)
  const freedom = values.length - 1
  if (values.length < leastRuns) return { mean: center, half: Number.POSITIVE_INFINITY }
  const variance = values.reduce((sum, value) => sum + (value - center) ** 2, 0) / freedom
  return { mean: center, half: (students[freedom - 1] ?? 1.96) * Math.sqrt(variance / values.length) }
}
