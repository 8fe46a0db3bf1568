import type { PlacePoint } from '../bookings/booking.ts'
import type { FieldError } from '../error-keys.ts'
import { fromCityUnit } from '../geo/distance-unit.ts'
import { greatCircleKm, type LatLng } from '../geo/point.ts'
import { checkValue } from '../settings/check-values.ts'
import { type SettingField, settingFields } from '../settings/fields.ts'
import type { Settings } from '../settings/settings.ts'
import { cityTime } from '../time/city-time.ts'
import { type Weekday, weekdays } from '../time/weekdays.ts'
import type { StrategyFigures } from './strategies.ts'

/**
 * A strategy for some hours and an area. Of the rules that match, the one with the lowest priority number wins, and of those with
 * the same number the oldest.
 */
export interface RuleFields extends StrategyFigures {
  name: string
  priority: number
  /** The days on which it begins, in the city's time zone. */
  days: Weekday[]
  /** Whole hours of the day; a rule from 22 to 4 passes midnight and belongs to the day on which it began. */
  from_hour: number
  to_hour: number
  /** The middle of the area of its pickups; null: everywhere. */
  area: PlacePoint | null
  /** In the city's unit. */
  area_radius: number
}

/** The figures of a rule that are checked like the settings of the same names. */
export const figureNames = [
  'strategy',
  'waveSize',
  'waveSeconds',
  'firstRadius',
  'batchSeconds',
  'ageing',
  'fairness',
  'soonFreeMinutes',
] as const satisfies readonly (keyof StrategyFigures)[]

/** The figures of a strategy without what else the settings of dispatch have. */
export function ruleFiguresOf(settings: StrategyFigures): StrategyFigures {
  const { strategy, waveSize, waveSeconds, firstRadius, batchSeconds, ageing, fairness, soonFreeMinutes } =
    settings
  return { strategy, waveSize, waveSeconds, firstRadius, batchSeconds, ageing, fairness, soonFreeMinutes }
}

export const ruleLimits = { name: 60, rules: 100 } as const

const ownRanges = {
  priority: [1, 1000],
  from_hour: [0, 23],
  to_hour: [1, 24],
  area_radius: [0.1, 500],
} as const

/** The least and the greatest value of each number of a rule. */
export const ruleRanges = {
  ...ownRanges,
  ...Object.fromEntries(
    figureNames.flatMap((name) => {
      const field: SettingField = settingFields[`dispatch.${name}`]
      return 'from' in field ? [[name, [field.from, field.to]]] : []
    }),
  ),
} as Readonly<
  Record<Exclude<keyof RuleFields, 'name' | 'days' | 'area' | 'strategy'>, readonly [number, number]>
>

/** All problems of a rule, by field. */
export function ruleProblems(rule: RuleFields): FieldError[] {
  const problems: FieldError[] = []
  const add = (field: keyof RuleFields, error: FieldError['error'] | null) => {
    if (error !== null) problems.push({ field, error })
  }
  const within = (name: 'priority' | 'from_hour' | 'to_hour') => {
    const [value, [from, to]] = [rule[name], ownRanges[name]]
    if (!Number.isInteger(value)) return 'wrong_type'
    return value < from || value > to ? 'out_of_range' : null
  }
  const name = rule.name.trim()
  add('name', name === '' ? 'required' : name.length > ruleLimits.name ? 'too_long' : null)
  add('priority', within('priority'))
  const isEachOnce = new Set(rule.days).size === rule.days.length
  const areDays = isEachOnce && rule.days.every((day) => weekdays.includes(day))
  add('days', rule.days.length === 0 ? 'required' : areDays ? null : 'not_in_list')
  const from = within('from_hour')
  add('from_hour', from)
  const isSame = from === null && rule.to_hour === rule.from_hour
  add('to_hour', within('to_hour') ?? (isSame ? 'same_hour' : null))
  const [least, most] = ownRanges.area_radius
  const isRadius = rule.area_radius >= least && rule.area_radius <= most
  add('area_radius', isRadius ? null : 'out_of_range')
  for (const figure of figureNames) add(figure, checkValue(`dispatch.${figure}`, rule[figure]))
  return problems
}

/** The figures for a pickup: those of the first rule that matches it at `at` (epoch ms), otherwise the settings'. */
export function figuresAt<R extends RuleFields>(
  rules: readonly R[],
  pickup: LatLng,
  at: number,
  settings: Pick<Settings, 'dispatch' | 'timezone' | 'convert_to_mile'>,
): { rule: R | null; figures: StrategyFigures } {
  const local = cityTime(at, settings.timezone)
  const hour = Number(local.slice(11, 13))
  // Monday is 0.
  const weekday = (new Date(`${local.slice(0, 10)}T00:00:00Z`).getUTCDay() + 6) % 7
  const holds = ({ days, from_hour, to_hour, area, area_radius }: R) => {
    const beganYesterday = from_hour > to_hour && hour < to_hour
    const isInside = beganYesterday || (hour >= from_hour && (from_hour > to_hour || hour < to_hour))
    if (!isInside) return false
    const began = beganYesterday ? (weekday + 6) % 7 : weekday
    if (!days.includes(weekdays[began] as Weekday)) return false
    return area === null || greatCircleKm(area, pickup) <= fromCityUnit(area_radius, settings.convert_to_mile)
  }
  const rule = rules.toSorted((a, b) => a.priority - b.priority).find(holds) ?? null
  return { rule, figures: rule ?? settings.dispatch }
}
